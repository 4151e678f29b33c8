import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import type { BrowserContext, Page } from 'playwright-core';
import { accountFile } from '../support/accounts.ts';
import { addPerson, PASSWORD, type TestPerson } from '../support/people.ts';
import { run } from '../support/sql.ts';
import { until } from '../support/until.ts';
import { withBrowser } from './chromium.ts';
import { serveConsole } from './console.ts';
import {
  cellOf,
  changeStageOfAll,
  changeStageOfSelected,
  fillContacts,
  readFocus,
  waitForRows,
} from './contact-list.ts';
import { DEVICE_NAMES } from './looks.ts';
import { openInNewTab } from './new-tab.ts';

const { service, enter, open } = await serveConsole();
const few = await fillContacts(service, 250);

async function openContacts(t: Parameters<typeof open>[0], person: TestPerson, query = '') {
  const console = await open(t, { person, path: `/a/${person.slug}/contacts${query}` });
  await waitForRows(console.page);
  return console;
}

test(
  'each key of the grid moves the focus to its cell, and never loses it',
  withBrowser,
  async (t) => {
    const { page } = await openContacts(t, few);
    await cellOf(page, 2, 2).click();
    const steps: [key: string, cell: RegExp][] = [
      ['ArrowDown', /^3\/2$/],
      ['ArrowRight', /^3\/3$/],
      ['ArrowUp', /^2\/3$/],
      ['ArrowLeft', /^2\/2$/],
      ['End', /^2\/10$/],
      ['Home', /^2\/0$/],
      ['PageDown', /^\d\d\/0$/],
      ['PageUp', /^2\/0$/],
      ['Control+End', /^\d{3}\/10$/],
      ['Control+End', /^\d{3}\/10$/],
      ['ArrowUp', /^\d{3}\/10$/],
      ['Control+Home', /^0\/0$/],
      ['ArrowUp', /^-1\/0$/],
      ['ArrowDown', /^0\/0$/],
      ['Space', /^0\/0$/],
      ['Shift+ArrowDown', /^1\/0$/],
      ['x', /^1\/0$/],
      ['Escape', /^1\/0$/],
    ];
    for (const [key, cell] of steps) {
      await page.keyboard.press(key);
      assert.match(await readFocus(page), cell, key);
    }
    assert.equal(await page.locator('.grid [tabindex="0"]').count(), 1);
    const selected = page.locator('[role=group] > [role=status]');
    await selected.filter({ hasText: /^1 contact selected/ }).waitFor();
  },
);

test(
  'the name of a contact is a link for a new tab, and its click, its focus and its keys stay those of its cell',
  withBrowser,
  async (t) => {
    const { page, context } = await openContacts(t, few);
    const name = cellOf(page, 2, 1);
    const link = name.getByRole('link');
    const path = (await link.getAttribute('href')) ?? '';
    assert.match(path, new RegExp(`^/a/${few.slug}/contacts/[\\w-]+$`));
    const list = page.url();
    const shown = await name.innerText();
    for (const options of [
      { modifiers: ['ControlOrMeta' as const] },
      { button: 'middle' as const },
    ]) {
      const url = await openInNewTab(context, () => link.click(options));
      assert.equal(url.pathname, path);
      assert.equal(page.url(), list);
      assert.equal(await readFocus(page), '2/1');
    }
    assert.equal(await page.locator('[aria-selected=true]').count(), 0);
    await page.keyboard.press('ArrowDown');
    assert.equal(await readFocus(page), '3/1');
    assert.equal(await page.locator('.grid a[tabindex="0"]').count(), 0);
    await cellOf(page, 1, 0).click();
    await link.click({ modifiers: ['Shift'] });
    await page.getByText('2 contacts selected').waitFor();
    assert.equal(context.pages().length, 1);
    await link.click();
    await page.getByRole('heading', { level: 1, name: shown }).waitFor();
    assert.equal(new URL(page.url()).pathname, path);
  },
);

test(
  'Enter opens the contact from its check box and each cell that cannot be edited',
  withBrowser,
  async (t) => {
    const { page } = await openContacts(t, few);
    const name = await cellOf(page, 1, 1).innerText();
    // The check box, the name and the email; the stage is edited.
    for (const cell of [0, 1, 2]) {
      await cellOf(page, 1, cell).focus();
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { level: 1, name }).waitFor();
      await page.goBack();
      await waitForRows(page);
      await until(async () => (await readFocus(page)) === `1/${cell}`);
    }
    await cellOf(page, 1, 4).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitemradio', { name: 'Lost' }).waitFor();
  },
);

test('the stage is set in the grid by keys, and Undo takes it back', withBrowser, async (t) => {
  const { page } = await openContacts(t, few);
  await cellOf(page, 1, 2).click();
  await page.keyboard.press('s');
  await page.getByRole('menuitemradio', { name: 'Lost' }).click();
  await cellOf(page, 1, 4).getByText('Lost').waitFor();
  await page.getByText(/^Stage of .* changed to/).waitFor();
  assert.equal(await readFocus(page), '1/2');
  await page.keyboard.press('Control+z');
  await cellOf(page, 1, 4).getByText('New').waitFor();
});

test(
  'no key is lost that is pressed right after Enter on a stage, when no more scripts can be loaded',
  withBrowser,
  async (t) => {
    const { page, watch } = await openContacts(t, few);
    // A script that cannot be loaded is an error of the page.
    watch.allow(/ERR_FAILED/);
    // The page loads what Enter opens after its rows. Each script is there when its import resolves.
    const parts = ['editors', 'popup-panel', 'menu-list'];
    await until(() =>
      page.evaluate(async (names) => {
        const urls = performance.getEntriesByType('resource').map(({ name }) => name);
        const scripts = names.flatMap(
          (part) => urls.find((url) => url.includes(`/${part}-`) && url.endsWith('.js')) ?? [],
        );
        await Promise.all(scripts.map((script) => import(script)));
        return scripts.length === names.length;
      }, parts),
    );
    await page.route('**/assets/*.js', async (route) => route.abort());
    await cellOf(page, 3, 4).click();
    await page.keyboard.press('Enter');
    await page.keyboard.type('lo');
    await page.keyboard.press('Enter');
    await cellOf(page, 3, 4).getByText('Lost').waitFor();
  },
);

test(
  'a change of several contacts waits until a stage or a person is chosen',
  withBrowser,
  async (t) => {
    const { page } = await openContacts(t, few);
    await cellOf(page, 0, 0).click();
    for (const [question, field] of [
      ['Set stage', 'New stage'],
      ['Assign', 'Assign to'],
    ] as const) {
      await page.getByRole('button', { name: question }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: 'Change 1 contact' }).click();
      const isRefused = await dialog
        .getByLabel(field)
        .evaluate((select) => select.matches(':invalid:focus'));
      assert.ok(isRefused, `${field} has no choice yet`);
      await page.keyboard.press('Escape');
    }
  },
);

test(
  'a tag that is typed for several contacts is in its dialog after a reload, until Cancel',
  withBrowser,
  async (t) => {
    const { page } = await openContacts(t, few);
    await cellOf(page, 0, 0).click();
    const tag = page.getByRole('dialog').getByLabel('Tag', { exact: true });
    const open = async (): Promise<void> => {
      await page.getByRole('button', { name: 'Tags', exact: true }).click();
      await page.getByRole('menuitem', { name: 'Add a tag' }).click();
    };
    await open();
    await tag.fill('Open home');
    await page.reload();
    await open();
    assert.equal(await tag.inputValue(), 'Open home');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await open();
    assert.equal(await tag.inputValue(), '');
  },
);

for (const device of DEVICE_NAMES)
  test(
    `the message of a change of several contacts covers none of their buttons on a ${device}`,
    withBrowser,
    async (t) => {
      const person = await fillContacts(service, 20);
      const { page } = await open(t, { person, device, path: `/a/${person.slug}/contacts` });
      await waitForRows(page);
      await page.getByRole('checkbox').first().click();
      await page.getByRole('button', { name: 'Tags', exact: true }).click();
      await page.getByRole('menuitem', { name: 'Add a tag' }).click();
      await page.getByRole('dialog').getByLabel('Tag', { exact: true }).fill('Open home');
      await page.keyboard.press('Enter');
      await page.getByText(/contacts? changed/).waitFor();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await page.getByRole('checkbox').first().click();
      for (const name of ['Set stage', 'Assign', 'Tags', 'Archive'])
        await page
          .getByRole('button', { name, exact: true })
          .click({ trial: true, timeout: 3_000 });
      await page.getByText(/contacts? changed/).waitFor();
    },
  );

test(
  'a change of several contacts that fails says why in its dialog, which still has the tag and sends it again',
  withBrowser,
  async (t) => {
    const { page } = await openContacts(t, few);
    const json = { code: 'internal_error', status: 500, title: 'Fault', detail: 'A fault.' };
    await page.route(
      '**/api/v1/contacts/bulk',
      (route) => route.fulfill({ status: 500, json, contentType: 'application/problem+json' }),
      { times: 1 },
    );
    await cellOf(page, 0, 0).click();
    await page.getByRole('button', { name: 'Tags', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Add a tag' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Tag', { exact: true }).fill('Open home');
    await page.keyboard.press('Enter');
    await dialog.getByText(/The service has a fault/).waitFor();
    assert.equal(await dialog.getByLabel('Tag', { exact: true }).inputValue(), 'Open home');
    // The focus is on the button that sends it again.
    await page.keyboard.press('Enter');
    await page.getByText('1 contact changed').waitFor();
    await dialog.waitFor({ state: 'detached' });
  },
);

test(
  'a list of filters that goes on below its end shows half a row there',
  withBrowser,
  async (t) => {
    const path = `/a/${few.slug}/contacts`;
    for (const device of ['desktop', 'phone'] as const) {
      const { page } = await open(t, { person: few, device, path });
      await page.getByRole('button', { name: 'Filter' }).click();
      await page.getByRole('button', { name: 'Stage' }).click();
      const option = page.getByRole('dialog').getByRole('checkbox', { name: 'Viewing' });
      // The panel gets its height after it has opened.
      await until(async () => {
        const shownOfLast = await option.evaluate((box) => {
          const list = box.closest('div');
          const end = list?.getBoundingClientRect().bottom ?? 0;
          const rows = [...(list?.querySelectorAll('label') ?? [])].map((row) =>
            row.getBoundingClientRect(),
          );
          const last = rows.findLast(({ top }) => top < end);
          return last === undefined ? 0 : (end - last.top) / last.height;
        });
        return shownOfLast > 0.4 && shownOfLast < 0.6;
      });
    }
  },
);

test(
  'an account without contacts says what fills the list, and has nothing to export',
  withBrowser,
  async (t) => {
    const person = await addPerson(service, { role: 'owner' });
    const { page } = await open(t, { person, path: `/a/${person.slug}/contacts?stage=New` });
    await page.getByText('No contact fits these filters.').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByText('No contacts yet. Import a file, add one,').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Export' }).count(), 0);
    await page.getByRole('link', { name: 'Import a file' }).click();
    await page.getByRole('heading', { level: 1, name: 'Import' }).waitFor();
  },
);

test('a day of a filter is typed, digit by digit', withBrowser, async (t) => {
  const { page } = await openContacts(t, few, '');
  await page.getByRole('button', { name: 'Filter' }).click();
  await page.getByRole('button', { name: 'Came in' }).click();
  await page.getByLabel('From').pressSequentially('11112020');
  await page.waitForURL(/createdAfter=2020-/);
  await page.getByLabel('To').pressSequentially('11112021');
  await page.waitForURL(/createdBefore=2021-/);
});

test(
  'a link that ends within a time shows the contacts, without the filter by that time',
  withBrowser,
  async (t) => {
    const { page } = await openContacts(t, few, '?stage=Viewing&createdAfter=2026-0');
    await page.getByRole('button', { name: /Remove the filter Stage/ }).waitFor();
    assert.equal(await page.getByRole('button', { name: /Remove the filter Came in/ }).count(), 0);
  },
);

test(
  'the days of a filter are those of the account west of Greenwich, too',
  withBrowser,
  async (t) => {
    const person = await fillContacts(service, 3);
    await run(service.db, 'update accounts set time_zone = $1 where account_id = $2', [
      'Pacific/Rarotonga',
      person.accountId,
    ]);
    const { page } = await openContacts(t, person);
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.getByRole('button', { name: 'Came in' }).click();
    await page.getByLabel('From').fill('2020-03-12');
    await page.getByRole('button', { name: 'from 12 Mar 2020' }).waitFor();
  },
);

test(
  'a bulk change is undone after a reload, for all contacts but those that somebody changed since',
  withBrowser,
  async (t) => {
    const { page } = await openContacts(t, few, '?stage=Viewing');
    await changeStageOfAll(page, 'Nurture');
    await page.getByText('125 contacts changed', { exact: true }).waitFor();
    const key = await service.key(few.slug, 'all');
    const { body } = await service.send({
      url: '/api/v1/contacts?stage=Nurture&limit=1&count=true',
      key,
    });
    assert.equal(body.pagination.totalCount, 125);
    const [{ id }] = body.data;
    const url = `/api/v1/contacts/${id}`;
    await service.send({
      method: 'PATCH',
      url,
      key,
      payload: { cityName: 'Nelson' },
    });
    await page.reload();
    await page.getByRole('button', { name: 'Undo for 125 contacts' }).click();
    await page.locator('dialog').getByRole('button', { name: 'Undo for 125 contacts' }).click();
    await page
      .getByText('124 contacts as before. 1 contact was changed since, and stays.')
      .waitFor();
    await page.getByText('124 contacts', { exact: true }).waitFor();
    await page.reload();
    await page.getByText('124 contacts', { exact: true }).waitFor();
    assert.equal(await page.getByRole('button', { name: /^Undo for/ }).count(), 0);
  },
);

test(
  'contacts are assigned and archived together, and Undo gives each the person of before and brings them back',
  withBrowser,
  async (t) => {
    const owner = await fillContacts(service, 3);
    const key = await service.key(owner.slug, 'all');
    const listAssigned = async () => {
      const { body } = await service.send({ url: '/api/v1/contacts?sort=createdAt', key });
      const contacts = body.data as { assignedAccountUserId: string | null }[];
      return contacts.map(({ assignedAccountUserId }) => assignedAccountUserId);
    };
    const { body } = await service.send({ url: '/api/v1/contacts', key });
    const [{ id }] = body.data;
    const users = await service.send({ url: '/api/v1/users', key });
    const [{ id: userId, name }] = users.body.data;
    const payload = { assignedAccountUserId: userId };
    await service.send({ method: 'PATCH', url: `/api/v1/contacts/${id}`, key, payload });
    const before = await listAssigned();
    const { page } = await openContacts(t, owner);
    const dialog = page.locator('dialog');
    const undo = async (count: string): Promise<void> => {
      await page.getByRole('button', { name: `Undo for ${count}` }).click();
      await dialog.getByRole('button', { name: `Undo for ${count}` }).click();
      await page.getByText(`${count} as before`).waitFor();
    };
    await cellOf(page, -1, 0).click();
    await page.getByRole('button', { name: 'Assign' }).click();
    await page.getByLabel('Assign to').selectOption({ label: name });
    await dialog.getByRole('button', { name: 'Change 3 contacts' }).click();
    await page.getByText('2 contacts changed', { exact: true }).waitFor();
    assert.deepEqual(await listAssigned(), [userId, userId, userId]);
    await undo('2 contacts');
    assert.deepEqual(await listAssigned(), before);

    await page.reload();
    await waitForRows(page);
    await cellOf(page, -1, 0).click();
    await page.getByRole('button', { name: 'Archive' }).click();
    await dialog.getByRole('button', { name: 'Archive 3 contacts' }).click();
    await page.getByText('3 contacts changed', { exact: true }).waitFor();
    assert.deepEqual(await listAssigned(), []);
    await undo('3 contacts');
    assert.deepEqual(await listAssigned(), before);
  },
);

test(
  'Undo takes a tag off the contacts that got it, also one that the service spells in another way or that has no letters',
  withBrowser,
  async (t) => {
    const person = await fillContacts(service, 3);
    const key = await service.key(person.slug, 'all');
    const readTags = async (): Promise<string[][]> => {
      const { body } = await service.send({ url: '/api/v1/contacts?sort=-createdAt', key });
      return body.data.map(({ tags }: { tags: { label: string }[] }) =>
        tags.map(({ label }) => label),
      );
    };
    const { page } = await openContacts(t, person);
    const addTag = async (label: string, row: number, changed: string): Promise<void> => {
      // A message of the change before would cover the button.
      await page.reload();
      await cellOf(page, row, 0).click();
      await page.getByRole('button', { name: 'Tags', exact: true }).click();
      await page.getByRole('menuitem', { name: 'Add a tag' }).click();
      await page.getByRole('dialog').getByLabel('Tag', { exact: true }).fill(label);
      await page.keyboard.press('Enter');
      await page.getByText(`${changed} changed`, { exact: true }).waitFor();
    };
    await addTag('Caf\u00E9 owner', 0, '1 contact');
    const before = await readTags();
    for (const [label, changed] of [
      ['Cafe\u0301  OWNER', '2 contacts'],
      ['\u2B50', '3 contacts'],
    ] as const) {
      // The head selects all contacts.
      await addTag(label, -1, changed);
      await page.keyboard.press('Control+z');
      await page
        .locator('dialog')
        .getByRole('button', { name: `Undo for ${changed}` })
        .click();
      await page.getByText(`${changed} as before.`, { exact: true }).waitFor();
      assert.deepEqual(await readTags(), before);
    }
  },
);

test(
  'after a change of several contacts, the rows stay on the screen until they are read again',
  withBrowser,
  async (t) => {
    const { page } = await openContacts(t, few, '?stage=New');
    await cellOf(page, 0, 0).click();
    await cellOf(page, 1, 0).click();
    const { promise: isSeen, resolve: goOn } = Promise.withResolvers<void>();
    const { promise: isAsked, resolve: ask } = Promise.withResolvers<void>();
    let isChanged = false;
    page.on('response', (response) => (isChanged ||= response.url().endsWith('/contacts/bulk')));
    await page.route('**/api/v1/contacts?*', async (route) => {
      if (isChanged) {
        ask();
        await isSeen;
      }
      await route.continue();
    });
    await changeStageOfSelected(page, 'Nurture');
    await page.getByText('2 contacts changed', { exact: true }).waitFor();
    await isAsked;
    assert.equal(await page.locator('[data-row="0"]').getByText('Nurture').count(), 0);
    assert.equal(await page.locator('.grid-row-unknown').count(), 0);
    goOn();
    await page.getByRole('button', { name: 'Undo for 2 contacts' }).click();
    await page.locator('dialog').getByRole('button', { name: 'Undo for 2 contacts' }).click();
    await page.getByText('2 contacts as before').waitFor();
  },
);

test(
  'Enter undoes a bulk change: the question starts with the focus on its button',
  withBrowser,
  async (t) => {
    const { page } = await openContacts(t, few, '?stage=New');
    await cellOf(page, 0, 0).click();
    await cellOf(page, 1, 0).click();
    await changeStageOfSelected(page, 'Nurture');
    await page.getByText('2 contacts changed', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Undo for 2 contacts' }).press('Enter');
    await page.getByRole('dialog', { name: 'Undo for 2 contacts' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('2 contacts as before').waitFor();
    // The message of the change has gone, with its Undo.
    assert.equal(await page.getByText('2 contacts changed', { exact: true }).count(), 0);
  },
);

test(
  'a view keeps a filter under a name, says when the list is another, and saves it',
  withBrowser,
  async (t) => {
    const { page } = await openContacts(t, few, '?stage=New');
    await page.getByRole('button', { name: 'View', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Save as a new view' }).click();
    await page.getByLabel('Name of the view').fill('New ones');
    await page.keyboard.press('Enter');
    const tab = page.getByRole('link', { name: /New ones/ });
    await tab.and(page.locator('[aria-current=page]')).waitFor();
    await page.getByRole('button', { name: /Remove the filter Stage/ }).click();
    await tab.getByText('changed').waitFor();
    await tab.click();
    await page.waitForURL(/stage=New/);
    await page.getByRole('button', { name: /Remove the filter Stage/ }).waitFor();
    await tab.getByText('changed').waitFor({ state: 'detached' });
  },
);

test(
  'the columns that a person has chosen for all contacts stay when they are saved as a view',
  withBrowser,
  async (t) => {
    const { page } = await openContacts(t, few);
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('checkbox', { name: 'Company' }).check();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'View', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Save as a new view' }).click();
    await page.getByLabel('Name of the view').fill('With companies');
    await page.keyboard.press('Enter');
    const companies = page.getByRole('columnheader', { name: 'Company' });
    const tab = page.getByRole('link', { name: 'With companies' });
    await tab.and(page.locator('[aria-current=page]')).waitFor();
    await companies.waitFor();
    await page.getByRole('link', { name: 'All contacts', exact: true }).click();
    await tab.and(page.locator('[aria-current=page]')).waitFor({ state: 'detached' });
    await companies.waitFor();
  },
);

/** Chooses an action on the open view. */
async function askFor(page: Page, action: string): Promise<void> {
  await page.getByRole('button', { name: 'View', exact: true }).click();
  await page.getByRole('menuitem', { name: action }).click();
}

/** Changes a view by the API, as another tab or person does. */
async function changeView(context: BrowserContext, id: string, data: object): Promise<void> {
  const headers = {
    'content-type': 'application/merge-patch+json',
    'sec-fetch-site': 'same-origin',
  };
  const changed = await context.request.patch(`/api/v1/views/${id}`, { headers, data });
  assert.equal(changed.status(), 200, await changed.text());
}

test(
  'the name of a view that is typed and not saved does not replace one that somebody else gave it meanwhile',
  withBrowser,
  async (t) => {
    const { page, context } = await openContacts(t, few, '?stage=New');
    const name = page.getByLabel('Name of the view');
    await askFor(page, 'Save as a new view');
    await name.fill('Later');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: /Later/ }).waitFor();
    await askFor(page, 'Rename this view');
    await name.fill('In a year');
    const { data } = await (await context.request.get('/api/v1/views?resource=contacts')).json();
    const { id } = data.find((view: { name: string }) => view.name === 'Later');
    await changeView(context, id, { name: 'Next spring' });
    await page.reload();
    await page.getByRole('link', { name: /Next spring/ }).waitFor();
    await askFor(page, 'Rename this view');
    assert.equal(await name.inputValue(), 'In a year');
    const dialog = page.getByRole('dialog', { name: 'Rename this view' });
    const save = dialog.getByRole('button', { name: 'Save the view' });
    await save.click();
    await dialog.getByText('This was changed meanwhile, so nothing is done.').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await askFor(page, 'Rename this view');
    assert.equal(await name.inputValue(), 'Next spring');
    await name.fill('In a year');
    await save.click();
    await page.getByRole('link', { name: /In a year/ }).waitFor();
  },
);

test(
  'a view that somebody changed after the person saw it is not deleted, until the person has seen the change',
  withBrowser,
  async (t) => {
    const { page, context } = await openContacts(t, few, '?stage=New');
    const views = async (): Promise<{ id: string; name: string }[]> =>
      (await (await context.request.get('/api/v1/views?resource=contacts')).json()).data;
    await askFor(page, 'Save as a new view');
    await page.getByLabel('Name of the view').fill('Autumn');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: /Autumn/ }).waitFor();
    await askFor(page, 'Delete this view');
    const id = (await views()).find(({ name }) => name === 'Autumn')?.id ?? '';
    await changeView(context, id, { name: 'Early autumn' });
    const dialog = page.getByRole('dialog', { name: 'Delete the view Autumn?' });
    const remove = { name: 'Delete the view' };
    await dialog.getByRole('button', remove).click();
    await dialog.getByText('This was changed meanwhile').waitFor();
    assert.ok((await views()).some(({ name }) => name === 'Early autumn'));
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('link', { name: /Early autumn/ }).waitFor();
    await askFor(page, 'Delete this view');
    await page.getByRole('dialog').getByRole('button', remove).click();
    await page.getByText('View Early autumn deleted').waitFor();
    assert.ok(!(await views()).some(({ name }) => name === 'Early autumn'));
  },
);

test(
  'signing out removes the selection and the undo that the tab has stored',
  withBrowser,
  async (t) => {
    const { page } = await openContacts(t, few, '?stage=New');
    await cellOf(page, 0, 0).click();
    await changeStageOfSelected(page, 'Nurture');
    await page.getByText('1 contact changed', { exact: true }).waitFor();
    await cellOf(page, 1, 0).click();
    await page.getByText('1 contact selected').waitFor();
    // The page stores its selection when it is left.
    await page.goto(`/a/${few.slug}/profile`);
    const listStored = () => page.evaluate(() => Object.keys(sessionStorage).toSorted());
    const stored = await listStored();
    assert.ok(stored.includes('offplan-selection'), stored.join());
    assert.ok(
      stored.some((name) => name.startsWith('offplan-bulk-undo:')),
      stored.join(),
    );
    await page.getByRole('button', { name: /account and profile$/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('heading', { level: 1, name: /^Sign in/ }).waitFor();
    assert.deepEqual(await listStored(), []);
  },
);

test(
  'a selection that the tab has stored is not shown to the next person who signs in there',
  withBrowser,
  async (t) => {
    const { page, context } = await openContacts(t, few);
    const other = await addPerson(service, { role: 'owner', slug: few.slug });
    await cellOf(page, 0, 0).click();
    await page.reload();
    await page.getByText('1 contact selected').waitFor();
    const data = { account: other.slug, email: other.email, password: PASSWORD };
    await context.clearCookies();
    await context.request.post('/api/v1/sign-in', { data });
    await Promise.all([
      page.waitForResponse(async (response) => {
        if (!response.url().endsWith('/api/v1/me')) return false;
        return JSON.stringify(await response.json()).includes(other.id);
      }),
      page.reload(),
    ]);
    await waitForRows(page);
    assert.equal(await page.getByText('1 contact selected').count(), 0);
  },
);

test(
  'a browser that refuses storage shows the contacts, selects them, changes them and takes a note',
  withBrowser,
  async (t) => {
    const session = await enter(t, { person: few });
    await session.context.addInitScript(() =>
      Object.defineProperty(window, 'sessionStorage', {
        get: () => {
          throw new DOMException('refused', 'SecurityError');
        },
      }),
    );
    const { page } = await session.open(t, `/a/${few.slug}/contacts?stage=New`);
    await waitForRows(page);
    await cellOf(page, 0, 0).click();
    await changeStageOfSelected(page, 'Nurture');
    await page.getByText('1 contact changed', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Undo for 1 contact' }).waitFor();
    await cellOf(page, 1, 1).click();
    await page.getByLabel('Write a note').fill('Called back');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('listitem').getByText('Called back').waitFor();
  },
);

test(
  'an export has the contacts of the list that fits the filters, in its order and with its values',
  withBrowser,
  async (t) => {
    const person = await addPerson(service, { role: 'owner' });
    const contacts = ['Mere', 'Ana', 'Tāne, "Junior"', 'Wiremu', 'Kiri'].map(
      (firstName, index) => ({
        email: `${index}@leads.example`,
        firstName,
        lastName: 'Kaur',
        companyName: '=1+1',
        mobilePhone: `+64 21 555 000${index}`,
        source: index % 2 === 0 ? 'Website' : 'Referral',
        stage: index === 3 ? 'Lost' : 'New',
        tags: ['Investor', 'First home'],
      }),
    );
    const other = { email: 'other@leads.example', firstName: 'Aroha', lastName: 'Moana' };
    await service.load({
      ...accountFile(person.slug),
      contacts: [...contacts, { ...other, stage: 'New' }],
    });
    const { page } = await openContacts(t, person, '?q=kaur&stage=New&sort=-name');
    await page.getByRole('button', { name: 'Columns' }).click();
    for (const name of ['Company', 'Tags']) await page.getByRole('checkbox', { name }).check();
    const width = page.getByRole('spinbutton', { name: 'Width of Email' });
    await width.selectText();
    await width.pressSequentially('200');
    assert.equal(await width.inputValue(), '200');
    await page.keyboard.press('Escape');
    const heads = await page.getByRole('columnheader').allInnerTexts();
    const listed = await page
      .locator('.grid-row')
      .evaluateAll((rows) =>
        rows.map((row) => [...row.querySelectorAll('[data-cell]')].map((cell) => cell.textContent)),
      );
    const valuesOf = (title: string) => listed.map((row) => row[heads.indexOf(title)]);

    await page.getByRole('button', { name: 'Export' }).click();
    await page.getByRole('heading', { name: 'Export 4 contacts' }).waitFor();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download the file' }).click();
    const exported = readCsv(await readFile(await (await download).path(), 'utf8'));
    assert.equal(exported.length, 4);
    const columnOf = (name: string) => exported.map((row) => row[name]);
    assert.deepEqual(
      exported.map(({ firstName, lastName }) => `${firstName} ${lastName}`),
      valuesOf('Name'),
    );
    for (const [title, name] of [
      ['Email', 'email'],
      ['Phone', 'mobilePhone'],
      ['Stage', 'stage'],
      ['Source', 'source'],
      ['Tags', 'tags'],
    ] as const)
      assert.deepEqual(columnOf(name), valuesOf(title), name);
    // A spreadsheet would take it for a formula without the apostrophe.
    assert.deepEqual(
      columnOf('companyName'),
      valuesOf('Company').map((name) => `'${name}`),
    );

    for (const row of [1, 3]) await page.getByRole('checkbox').nth(row).click();
    await page.getByRole('button', { name: 'Export' }).click();
    await page.getByRole('heading', { name: 'Export 2 contacts' }).waitFor();
    const another = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download the file' }).click();
    const selected = readCsv(await readFile(await (await another).path(), 'utf8'));
    assert.deepEqual(
      selected.map(({ email }) => email),
      valuesOf('Email').filter((_email, row) => row === 0 || row === 2),
    );
  },
);

/** Reads the rows of a CSV file, by the names of its columns. */
function readCsv(text: string): Record<string, string>[] {
  const [heads = [], ...rows] = text
    .replace(/^\uFEFF/, '')
    .trimEnd()
    .split(/\r?\n/)
    .map((line) =>
      [...line.matchAll(/(?<=^|,)(?:"((?:[^"]|"")*)"|([^,]*))(?=,|$)/g)].map(
        ([, quoted, plain = '']) => quoted?.replaceAll('""', '"') ?? plain,
      ),
    );
  return rows.map((row) => Object.fromEntries(heads.map((head, at) => [head, row[at] ?? ''])));
}

test(
  'a dialog, a menu or an editor of Contacts whose script is missing says so once, and Try again waits for the service and keeps the selection',
  withBrowser,
  async (t) => {
    const { page, watch } = await openContacts(t, few);
    watch.allow(/ERR_FAILED|502/);
    const scripts = '**/assets/*.js';
    const text = page.getByText('This could not be loaded');
    const error = page.getByRole('dialog', { name: 'This could not be loaded' });
    const selected = page.getByText('1 contact selected');
    const add = page.getByRole('button', { name: 'Add a contact' });
    // An open page has the editors already, so load the page again without them.
    await page.route('**/assets/editors-*.js', async (route) => route.abort());
    // The reload also aborts requests of the page before it.
    const failed = page.waitForEvent('requestfailed', (each) => each.url().includes('/editors-'));
    await page.reload();
    await failed;
    await cellOf(page, 1, 4).click();
    await page.keyboard.press('s');
    await error.waitFor();
    await page.keyboard.press('Escape');
    await until(async () => (await readFocus(page)) === '1/4');
    await cellOf(page, 0, 0).click();
    await selected.waitFor();
    await page.route(scripts, async (route) => route.abort());
    for (const name of ['Add a contact', 'Export', 'Columns', 'Filter', 'Set stage']) {
      await page.getByRole('button', { name, exact: true }).click();
      await text.waitFor();
      assert.equal(await text.count(), 1);
      await page.keyboard.press('Escape');
      await text.waitFor({ state: 'detached' });
      await selected.waitFor();
    }

    await add.click();
    await page.route(page.url(), async (route) => route.fulfill({ status: 502 }));
    await error.getByRole('button', { name: 'Try again' }).click();
    await error.getByText('The service answers with the error 502.').waitFor();
    await page.unroute(page.url());
    await page.unroute(scripts);
    await page.keyboard.press('Enter');
    await error.waitFor({ state: 'detached' });
    await selected.waitFor();
    await add.click();
    await page.getByLabel('Email', { exact: true }).waitFor();
  },
);

test('adding a contact with a known email opens that contact', withBrowser, async (t) => {
  const { page } = await openContacts(t, few);
  await page.getByRole('button', { name: 'Add a contact' }).click();
  await page.getByLabel('Email', { exact: true }).fill('Ana.7@leads.example');
  await page.getByRole('button', { name: 'Add the contact' }).click();
  await page.getByRole('heading', { level: 1, name: 'Ana Kaur 7' }).waitFor();
});

test(
  'a contact is added with an email of letters beyond ASCII as it was typed, and found by one in brackets',
  withBrowser,
  async (t) => {
    const person = await fillContacts(service, 1);
    const { page } = await openContacts(t, person);
    const add = async (email: string): Promise<void> => {
      await page.getByRole('button', { name: 'Add a contact' }).click();
      await page.getByLabel('Email', { exact: true }).fill(email);
      await page.getByRole('button', { name: 'Add the contact' }).click();
    };
    await add('zoë@kōwhai.example');
    await page.getByRole('heading', { level: 1, name: 'zoë@kōwhai.example' }).waitFor();
    const { pathname } = new URL(page.url());
    await page.goBack();
    await add('Zoë <zoë@kōwhai.example>');
    await page.getByText('This email was known: here is its contact').waitFor();
    await page.waitForURL(`**${pathname}`);
  },
);

test('a slip in the email of a new contact leaves no refused lead', withBrowser, async (t) => {
  const person = await fillContacts(service, 1);
  const { page } = await openContacts(t, person);
  await page.getByRole('button', { name: 'Add a contact' }).click();
  await page.getByLabel('Email', { exact: true }).fill('hine at leads.example');
  await page.getByRole('button', { name: 'Add the contact' }).click();
  await page.getByText('it has no @').waitFor();
  await page.getByLabel('Email', { exact: true }).fill('hine@leads.example');
  await page.getByRole('button', { name: 'Add the contact' }).click();
  await page.getByRole('heading', { level: 1, name: 'hine@leads.example' }).waitFor();
  const key = await service.key(person.slug, 'all');
  const { body } = await service.send({ url: '/api/v1/imports?outcome=refused', key });
  assert.deepEqual(body.data, []);
});

test('the history of a contact that a person adds names no import', withBrowser, async (t) => {
  const { page } = await openContacts(t, await fillContacts(service, 1));
  await page.getByRole('button', { name: 'Add a contact' }).click();
  await page.getByLabel('Email', { exact: true }).fill('hine@leads.example');
  await page.getByLabel('Source', { exact: true }).selectOption('Referral');
  await page.getByRole('button', { name: 'Add the contact' }).click();
  const added = page.getByText(/added this contact with \d fields/);
  assert.doesNotMatch(await added.innerText(), /import/);
});

test(
  'an agent who adds a contact is chosen before the list of people has come',
  withBrowser,
  async (t) => {
    const agent = await addPerson(service, { role: 'agent' });
    const { context, open: openTab } = await enter(t, { person: agent });
    // The request for the people never gets an answer.
    await context.route('**/api/v1/users*', () => undefined);
    const { page } = await openTab(t, `/a/${agent.slug}/contacts`);
    await page.getByRole('button', { name: 'Add a contact' }).first().click();
    const chosen = page.getByLabel('Assigned to', { exact: true }).locator('option:checked');
    await chosen.waitFor({ state: 'attached' });
    assert.equal(await chosen.innerText(), 'Hana');
  },
);

test(
  'a new contact that is typed and not added outlives a reload, and is dropped by Cancel',
  withBrowser,
  async (t) => {
    const { page } = await openContacts(t, few);
    const open = () => page.getByRole('button', { name: 'Add a contact' }).click();
    const readFields = () =>
      Promise.all(
        ['Email', 'Source', 'Note'].map((name) =>
          page.getByLabel(name, { exact: true }).inputValue(),
        ),
      );
    await open();
    const empty = await readFields();
    await page.getByLabel('Email', { exact: true }).fill('hine@leads.example');
    await page.getByLabel('Source', { exact: true }).selectOption('Referral');
    await page.getByLabel('Note', { exact: true }).fill('Wants a view of the bay');
    await page.reload();
    await open();
    assert.deepEqual(await readFields(), [
      'hine@leads.example',
      'Referral',
      'Wants a view of the bay',
    ]);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await open();
    assert.deepEqual(await readFields(), empty);
  },
);

test(
  'a person who is chosen for a new contact outlives a reload, also when more is typed before the people have loaded',
  withBrowser,
  async (t) => {
    const { page } = await openContacts(t, few);
    const open = () => page.getByRole('button', { name: 'Add a contact' }).click();
    const assigned = page.getByRole('dialog').getByLabel('Assigned to', { exact: true });
    await open();
    await assigned.selectOption({ index: 1 });
    const chosen = await assigned.inputValue();
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await page.route('**/api/v1/users*', async (route) => {
      await released;
      await route.continue();
    });
    await page.reload();
    await open();
    await page.getByLabel('Email', { exact: true }).fill('hine@leads.example');
    assert.equal(await assigned.locator('option').count(), 1);
    release();
    await until(async () => (await assigned.inputValue()) === chosen);
    assert.equal(
      await page.getByLabel('Email', { exact: true }).inputValue(),
      'hine@leads.example',
    );
    // A later choice replaces it.
    await assigned.selectOption('');
    await page.reload();
    await open();
    await assigned.locator('option').nth(1).waitFor({ state: 'attached' });
    assert.equal(await assigned.inputValue(), '');
  },
);

test(
  'previous and next walk through the list that was on the screen last',
  withBrowser,
  async (t) => {
    const { page } = await openContacts(t, few);
    const search = page.getByRole('searchbox');
    await search.fill('Kaur 248');
    await page.getByText('1 contact', { exact: true }).waitFor();
    await search.fill('');
    await page.getByText('250 contacts', { exact: true }).waitFor();
    await page.getByText('Ana Kaur 248', { exact: true }).click();
    await page.getByText(/^2 of \d+/).waitFor();
  },
);

test('a lead of two days ago did not come in yesterday', withBrowser, async (t) => {
  const person = await addPerson(service);
  const createdAt = new Date(Date.now() - 47 * 3_600_000).toISOString();
  await service.load({
    ...accountFile(person.slug),
    contacts: [{ email: 'ana@leads.example', firstName: 'Ana', createdAt }],
  });
  const path = `/a/${person.slug}/contacts`;
  const { page } = await open(t, { person, device: 'phone', path });
  await page.getByRole('row').filter({ hasText: 'Ana · 1 day ago' }).waitFor();
});

test('a phone shows the time by which the list is sorted', withBrowser, async (t) => {
  const person = await addPerson(service);
  const createdAt = new Date(Date.now() - 10 * 86_400_000).toISOString();
  const contacts = [{ email: 'ana@leads.example', firstName: 'Ana', createdAt }];
  await service.load({ ...accountFile(person.slug), contacts });
  const key = await service.key(person.slug, 'all');
  const list = await service.send({ url: '/api/v1/contacts', key });
  const url = `/api/v1/contacts/${list.body.data[0].id}/activities`;
  await service.send({ method: 'POST', url, key, payload: { type: 'call' } });
  const path = `/a/${person.slug}/contacts`;
  const { page } = await open(t, { person, device: 'phone', path });
  const row = page.getByRole('row').filter({ hasText: 'Ana' });
  await row.getByText('10 days ago').waitFor();
  await page.getByLabel('Order').selectOption('Latest activity first');
  await row.getByText(/(now|1 minute ago)$/).waitFor();
});

test(
  'in a narrow window with filters, the order of the list is not cut',
  withBrowser,
  async (t) => {
    const { page } = await openContacts(t, few, '?stage=New&assignedTo=none');
    await page.setViewportSize({ width: 640, height: 400 });
    const { shown, whole } = await page.getByLabel('Order').evaluate((select: HTMLElement) => {
      const shown = select.offsetWidth;
      select.style.flex = 'none';
      return { shown, whole: select.offsetWidth };
    });
    assert.ok(shown >= whole, `${shown} of ${whole} pixels are shown`);
  },
);

test(
  'a letter that is typed while the search goes into the address stays, the number of people found is spoken, and Clear filters empties the field',
  withBrowser,
  async (t) => {
    const { page } = await openContacts(t, few);
    await page.evaluate(() => {
      const replace = history.replaceState.bind(history);
      history.replaceState = (...state) => {
        replace(...state);
        history.replaceState = replace;
        // A person types a letter before the page has read the new address.
        document.execCommand('insertText', false, 'r');
      };
    });
    const search = page.getByRole('searchbox');
    await search.focus();
    await page.keyboard.type('Kau');
    await page.waitForURL(/q=Kaur$/);
    assert.equal(await search.inputValue(), 'Kaur');
    // A screen reader reads this text out.
    await page
      .getByRole('status')
      .filter({ hasText: /^\d+ contacts$/ })
      .waitFor();
    await search.fill('nobody of this name');
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await until(async () => (await search.inputValue()) === '');
  },
);

test('a sort that does not exist is left out', withBrowser, async (t) => {
  await openContacts(t, few, '?sort=name-');
});

test(
  'a bulk change that fails between two slices and is sent again is undone for all of its contacts',
  withBrowser,
  async (t) => {
    const person = await fillContacts(service, 1_200);
    const { page } = await openContacts(t, person);
    let sent = 0;
    await page.route('**/api/v1/contacts/bulk', async (route) => {
      sent += 1;
      await (sent === 1 ? route.continue() : route.abort());
    });
    await changeStageOfAll(page, 'Nurture');
    const dialog = page.locator('dialog');
    await dialog.getByText('The service could not be reached.').waitFor();
    await page.unroute('**/api/v1/contacts/bulk');
    await dialog.getByRole('button', { name: 'Change 1,200 contacts' }).click();
    await page.getByText('1,200 contacts changed', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Undo for 1,200 contacts' }).click();
    await dialog.getByRole('button', { name: 'Undo for 1,200 contacts' }).click();
    await page.getByText('1,200 contacts as before.').waitFor();
    const key = await service.key(person.slug, 'all');
    const url = '/api/v1/contacts?stage=Nurture&limit=1&count=true';
    assert.equal((await service.send({ url, key })).body.pagination.totalCount, 0);
  },
);
