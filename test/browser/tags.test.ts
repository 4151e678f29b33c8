import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addPerson } from '../support/people.ts';
import { until } from '../support/until.ts';
import { furnishAccount } from './account.ts';
import { withBrowser } from './chromium.ts';
import { serveConsole } from './console.ts';

const { service, open } = await serveConsole();

/** Opens the tags of an account whose contacts have the tag "Investor". */
async function openTags(t: Parameters<typeof open>[0]) {
  const person = await furnishAccount(service);
  const key = await service.key(person.slug, 'all');
  const { page } = await open(t, { person, path: `/a/${person.slug}/settings/tags` });
  const row = (label: string) =>
    page
      .getByRole('row')
      .filter({ has: page.getByRole('rowheader', { name: label, exact: true }) });
  const act = async (label: string, action: string): Promise<void> => {
    await row(label)
      .getByRole('button', { name: `Change: ${label}` })
      .click();
    await page.getByRole('menuitem', { name: action }).click();
  };
  const create = async (label: string): Promise<void> => {
    await page.getByRole('button', { name: 'Create a tag' }).click();
    await page.getByRole('dialog').getByRole('textbox', { name: 'Tag' }).fill(label);
    await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
    await page.getByText(`Tag ${label} created`).waitFor();
  };
  const list = async () => {
    const { body } = await service.send({ url: '/api/v1/tags', key });
    const tags = body.data as { label: string; contactCount: number }[];
    return Object.fromEntries(tags.map(({ label, contactCount }) => [label, contactCount]));
  };
  return { page, person, key, row, act, create, list };
}

test('a tag is created, renamed, and named as before by Undo', withBrowser, async (t) => {
  const { page, act, create, list, row } = await openTags(t);
  await row('Investor').getByRole('link', { name: '10', exact: true }).waitFor();
  await create('Open home');
  await row('Open home').getByRole('link', { name: '0', exact: true }).waitFor();
  await act('Investor', 'Rename');
  const label = page.getByRole('dialog').getByRole('textbox', { name: 'Tag' });
  await label.fill('open HOME');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Another tag has this name. To make one of both, merge them.').waitFor();
  await label.fill('Investor night');
  await page.getByRole('button', { name: 'Save' }).click();
  await row('Investor night').waitFor();
  assert.deepEqual(await list(), { 'Investor night': 10, 'Open home': 0 });
  await page.getByRole('button', { name: 'Undo' }).click();
  await row('Investor').waitFor();
  assert.deepEqual(await list(), { Investor: 10, 'Open home': 0 });
});

test(
  'a tag is merged into another one, which its contacts and a saved view have then',
  withBrowser,
  async (t) => {
    const { page, person, key, act, create, list, row } = await openTags(t);
    await create('Investors');
    const { body } = await service.send({ url: '/api/v1/tags?q=Investor', key });
    const [old, kept] = (body.data as { id: string }[]).map(({ id }) => id);
    const payload = { resource: 'contacts', name: 'Money', shared: true, filter: { tag: [old] } };
    await service.send({ method: 'POST', url: '/api/v1/views', key, payload });
    await act('Investor', 'Merge into another tag');
    const dialog = page.getByRole('dialog', { name: 'Merge Investor into another tag' });
    await dialog.getByRole('button', { name: 'Merge', exact: true }).click();
    await dialog.getByText('Choose the tag to keep.').waitFor();
    await dialog.getByRole('button', { name: /Keep this tag/ }).click();
    await page.getByRole('combobox').fill('inv');
    await page.getByRole('option', { name: 'Investors', exact: true }).click();
    await dialog.getByRole('button', { name: 'Merge', exact: true }).click();
    await page.getByText('Investor is merged into Investors').waitFor();
    await row('Investor').waitFor({ state: 'detached' });
    assert.deepEqual(await list(), { Investors: 10 });
    const views = await service.send({ url: '/api/v1/views?resource=contacts', key });
    assert.deepEqual(views.body.data[0].filter.tag, [kept]);
    await row('Investors').getByRole('link', { name: '10', exact: true }).click();
    await page.waitForURL(`**/a/${person.slug}/contacts?tag=${kept}`);
    await page.getByText('10 contacts', { exact: true }).waitFor();
  },
);

test('a tag is deleted after a question that counts its contacts', withBrowser, async (t) => {
  const { page, act, list, row } = await openTags(t);
  await act('Investor', 'Delete');
  const dialog = page.getByRole('dialog', { name: 'Delete Investor?' });
  await dialog.getByText('It is taken off 10 contacts, for good.').waitFor();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await page.getByText('Tag Investor deleted').waitFor();
  await row('Investor').waitFor({ state: 'detached' });
  await page.getByText('No tag yet.').waitFor();
  assert.deepEqual(await list(), {});
});

test('one of many tags is found by a part of its name', withBrowser, async (t) => {
  const { page, key, row } = await openTags(t);
  for (let number = 10; number < 70; number += 1)
    await service.send({
      method: 'POST',
      url: '/api/v1/tags',
      key,
      payload: { label: `Open home ${number}` },
    });
  await page.reload();
  await row('Open home 10').waitFor();
  assert.equal(await row('Open home 69').count(), 0);
  await page.getByRole('button', { name: 'Show more' }).click();
  await row('Open home 69').waitFor();
  await page.getByRole('searchbox', { name: 'Find a tag' }).fill('home 42');
  await until(async () => (await page.getByRole('rowheader').count()) === 1);
  await row('Open home 42').waitFor();
  await page.getByRole('searchbox', { name: 'Find a tag' }).fill('nothing');
  await page.getByText('No tag fits.').waitFor();
});

test('an agent sees the tags, and cannot change them', withBrowser, async (t) => {
  const owner = await furnishAccount(service);
  const person = await addPerson(service, { role: 'agent', slug: owner.slug });
  const { page } = await open(t, { person, path: `/a/${owner.slug}/settings/tags` });
  await page.getByRole('row', { name: /Investor/ }).waitFor();
  assert.equal(await page.getByRole('button', { name: /^Change|^Create/ }).count(), 0);
});
