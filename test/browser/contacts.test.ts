import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { accountFile } from '../accounts.ts';
import { addPerson, type TestPerson } from '../people.ts';
import { until } from '../until.ts';
import { withBrowser } from './chromium.ts';
import { serveConsole, type ConsolePage } from './console.ts';

const { service, open } = await serveConsole();
const COUNT = 20_000;

/** An account with contacts that came in one a minute: the last one is on top of the list. */
async function fillAccount(count: number): Promise<TestPerson> {
  const person = await addPerson(service, { role: 'owner' });
  const start = Date.UTC(2025, 0, 1);
  await service.load({
    ...accountFile(person.slug),
    users: [{ email: person.email, name: 'Hana', role: 'owner' }],
    contacts: Array.from({ length: count }, (_, index) => ({
      email: `ana.${index}@leads.example`,
      firstName: 'Ana',
      lastName: `Kaur ${index}`,
      stage: index % 2 === 0 ? 'New' : 'Viewing',
      createdAt: new Date(start + index * 60_000).toISOString(),
    })),
  });
  return person;
}

const many = await fillAccount(COUNT);
const few = await fillAccount(250);

async function openContacts(t: Parameters<typeof open>[0], person: TestPerson, query = '') {
  const console = await open(t, { person, path: `/a/${person.slug}/contacts${query}` });
  await cellOf(console.page, 0, 1).filter({ hasText: /\w/ }).waitFor();
  return console;
}

const cellOf = (page: Page, row: number, cell: number): Locator =>
  page.locator(`[data-row="${row}"] > [data-cell="${cell}"]`);

/** The cell that has the focus, as "row/cell"; "lost" when none has. */
const readFocus = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const cell = document.activeElement?.closest<HTMLElement>('[data-cell]');
    const row = cell?.closest<HTMLElement>('[data-row]');
    return cell && row ? `${row.dataset['row']}/${cell.dataset['cell']}` : 'lost';
  });

/** The row at the upper edge of the grid, and how far it is from there. */
const readPlace = (page: Page): Promise<{ name: string; top: number }> =>
  page.evaluate(() => {
    const grid = document.querySelector('[role=grid]')?.getBoundingClientRect();
    const edge = (grid?.top ?? 0) + 36;
    const rows = [...document.querySelectorAll('.grid-row')];
    const row = rows.find((each) => each.getBoundingClientRect().bottom > edge);
    return {
      name: row?.querySelector('.grid-name')?.textContent ?? '',
      top: Math.round((row?.getBoundingClientRect().top ?? 0) - edge),
    };
  });

async function addLead(person: TestPerson, email: string): Promise<void> {
  const key = await service.key(person.slug, 'read-write');
  const payload = { email, firstName: 'Mere' };
  const { status } = await service.send({
    method: 'POST',
    url: '/api/v1/contacts',
    key,
    payload,
  });
  assert.equal(status, 201);
}

test(
  'each key of the grid moves the focus to its cell, and never loses it',
  withBrowser,
  async (t) => {
    const { page } = await openContacts(t, many);
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
    assert.match(await page.locator('.contacts-selected').innerText(), /^1 contact selected/);
  },
);

test('the stage is set in the grid by keys, and Undo takes it back', withBrowser, async (t) => {
  const { page } = await openContacts(t, few);
  await cellOf(page, 1, 2).click();
  await page.keyboard.press('s');
  await page.getByRole('menuitemradio', { name: 'Lost' }).click();
  await cellOf(page, 1, 4).getByText('Lost').waitFor();
  await page.getByText('Stage saved').waitFor();
  assert.equal(await readFocus(page), '1/2');
  await page.keyboard.press('Control+z');
  await cellOf(page, 1, 4).getByText('New').waitFor();
});

test(
  '20,000 contacts come by wheel, each once and in order, while leads come in',
  withBrowser,
  async (t) => {
    const { page } = await openContacts(t, many);
    const wrong = await page.evaluate(async (count) => {
      const grid = document.querySelector('[role=grid]');
      const seen = new Set<string>();
      for (let top = 0; top < 3_000 * 40; top += 400) {
        grid?.scrollTo(0, top);
        await new Promise(requestAnimationFrame);
        for (const row of document.querySelectorAll<HTMLElement>('.grid-row')) {
          const name = row.querySelector('.grid-name')?.textContent ?? '';
          if (name === '') continue;
          seen.add(name);
          if (name !== `Ana Kaur ${count - 1 - Number(row.dataset['row'])}`) return name;
        }
        while (document.querySelectorAll('.grid-row-unknown').length > 20)
          await new Promise(requestAnimationFrame);
      }
      return seen.size > 2_900 ? '' : `only ${seen.size} rows`;
    }, COUNT);
    assert.equal(wrong, '');
    const nodes = await page.evaluate(() => document.querySelectorAll('*').length);
    assert.ok(nodes < 1_000, `${nodes} nodes`);

    const before = await readPlace(page);
    await addLead(many, 'mere.new@leads.example');
    await page.getByText('1 new contact.').waitFor();
    assert.deepEqual(await readPlace(page), before);
    await page.getByRole('button', { name: 'Show' }).click();
    await cellOf(page, 0, 1).getByText('Mere').waitFor();
  },
);

test('a list keeps its place after Back and a reload', withBrowser, async (t) => {
  const { page } = await openContacts(t, many);
  await page.evaluate(() => document.querySelector('[role=grid]')?.scrollTo(0, 200));
  for (let jump = 0; jump < 6; jump++) {
    await page.evaluate(() => document.querySelector('[role=grid]')?.scrollBy(0, 6_000));
    await until(async () => (await page.locator('.grid-row-unknown').count()) === 0);
  }
  const before = await readPlace(page);
  const row = await page.evaluate(
    () => [...document.querySelectorAll<HTMLElement>('.grid-row')].at(-10)?.dataset['row'],
  );
  await cellOf(page, Number(row), 1).click();
  await page.waitForURL(/contacts\/[\da-f-]{36}/);
  await page.goBack();
  await until(async () => (await readFocus(page)) === `${row}/1`);
  assert.deepEqual(await readPlace(page), before);
  await page.reload();
  await until(async () => (await readPlace(page)).name === before.name);
  assert.deepEqual(await readPlace(page), before);
});

async function changeStageOfAll({ page }: ConsolePage, stage: string): Promise<void> {
  await cellOf(page, -1, 0).click();
  await page.getByRole('button', { name: 'Set stage' }).click();
  await page.getByLabel('New stage').selectOption(stage);
  await page.getByRole('button', { name: /^Change/ }).click();
}

test(
  'a bulk change is undone for all contacts but those that somebody changed since',
  withBrowser,
  async (t) => {
    const visit = await openContacts(t, few, '?stage=Viewing');
    const { page } = visit;
    await changeStageOfAll(visit, 'Nurture');
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
    await page.getByRole('button', { name: 'Undo for 125 contacts' }).click();
    await page.locator('dialog').getByRole('button', { name: 'Undo for 125 contacts' }).click();
    await page
      .getByText('124 contacts as before. 1 contact was changed since, and stays.')
      .waitFor();
    await page.getByText('124 people').waitFor();
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
    await page.getByText('Stage', { exact: true }).first().waitFor();
    assert.match(page.url(), /stage=New/);
    assert.equal(await tab.getByText('changed').count(), 0);
  },
);

test('an export has the rows that it says', withBrowser, async (t) => {
  const { page } = await openContacts(t, few, '?q=kaur');
  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByRole('heading', { name: 'Export 250 contacts' }).waitFor();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download the file' }).click();
  const text = await readFile(await (await download).path(), 'utf8');
  assert.equal(text.trimEnd().split('\n').length, 251);
});

test('adding a contact with a known email opens that contact', withBrowser, async (t) => {
  const { page } = await openContacts(t, few);
  await page.getByRole('button', { name: 'Add a contact' }).click();
  await page.getByLabel('Email', { exact: true }).fill('Ana.7@leads.example');
  await page.getByRole('button', { name: 'Add the contact' }).click();
  await page.getByRole('heading', { level: 1, name: 'Ana Kaur 7' }).waitFor();
});

test(
  'previous and next walk through the list that was on the screen last',
  withBrowser,
  async (t) => {
    const { page } = await openContacts(t, few);
    const search = page.getByRole('searchbox');
    await search.fill('Kaur 248');
    await page.getByText('1 person', { exact: true }).waitFor();
    await search.fill('');
    await page.getByText('250 people', { exact: true }).waitFor();
    await page.getByText('Ana Kaur 248', { exact: true }).click();
    await page.getByText(/^2 of \d+/).waitFor();
  },
);
