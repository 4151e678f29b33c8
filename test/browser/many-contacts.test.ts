import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import type { Page, Route } from 'playwright-core';
import type { Cleaner } from '../support/harness.ts';
import { until } from '../support/until.ts';
import { withBrowser } from './chromium.ts';
import { serveConsole } from './console.ts';
import {
  cellOf,
  changeStageOfAll,
  changeStageOfSelected,
  fillContacts,
  readFocus,
  readPlace,
  waitForRows,
} from './contact-list.ts';

const { service, open } = await serveConsole();
const COUNT = 20_000;
const person = await fillContacts(service, COUNT);
const key = await service.key(person.slug, 'all');

async function openList(t: Cleaner, query = ''): Promise<Page> {
  const { page } = await open(t, { person, path: `/a/${person.slug}/contacts${query}` });
  page.setDefaultTimeout(60_000);
  await waitForRows(page);
  return page;
}

/** Waits until no row on the screen is a bar. Gives a row that is not in the place that its number has, or "". */
const findMisplaced = (page: Page): Promise<string> =>
  page.evaluate(async (count) => {
    const rows = () => [...document.querySelectorAll<HTMLElement>('.grid-row')];
    while (document.querySelector('.grid-row-unknown'))
      await new Promise((resolve) => requestAnimationFrame(resolve));
    const names = rows().map((row) => [
      row.querySelector('.grid-name')?.textContent,
      `Ana Kaur ${count - 1 - Number(row.dataset['row'])}`,
    ]);
    return names.find(([name, expected]) => name !== expected)?.join(' in place of ') ?? '';
  }, COUNT);

const countByStage = async (stage: string): Promise<number> => {
  const { body } = await service.send({
    url: `/api/v1/contacts?stage=${stage}&limit=1&count=true`,
    key,
  });
  return body.pagination.totalCount;
};

/** Waits until a row with a name lies over the upper edge of the list: rows come a frame after a scroll. */
const untilRowAtEdge = (page: Page): Promise<void> =>
  until(async () => {
    const { name, top } = await readPlace(page);
    return name !== '' && top <= 0;
  });

/** Waits until the list shows the same row at the same height again. */
const untilPlace = (page: Page, place: Awaited<ReturnType<typeof readPlace>>): Promise<void> =>
  until(async () => isDeepStrictEqual(await readPlace(page), place));

async function undo(page: Page): Promise<void> {
  const name = /^Undo for/;
  await page.getByRole('button', { name }).click();
  await page.locator('dialog').getByRole('button', { name }).click();
}

/** Holds the requests to an address. The returned function presses Stop and lets them go on. */
async function holdUntilStop(page: Page, url: string): Promise<() => Promise<void>> {
  const { promise: isStopped, resolve: goOn } = Promise.withResolvers<void>();
  await page.route(url, async (route) => {
    await isStopped;
    await route.continue();
  });
  return async () => {
    await page.getByRole('button', { name: 'Stop' }).click();
    goOn();
  };
}

test(
  'a change of 10,000 contacts goes on when an answer is lost, shows its progress, is stopped half-way, and undone in two parts',
  withBrowser,
  async (t) => {
    const page = await openList(t, '?stage=Viewing');
    const keys: (string | undefined)[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/contacts/bulk')) keys.push(request.headers()['idempotency-key']);
    });
    // The service changes the first 1,000 contacts, and its answer does not arrive.
    const loseAnswer = async (route: Route): Promise<void> => {
      await route.fetch();
      await route.abort('connectionreset');
    };
    await page.route('**/api/v1/contacts/bulk', loseAnswer, { times: 1 });
    const stopReading = await holdUntilStop(page, '**/api/v1/contacts?*cursor=*');
    await changeStageOfAll(page, 'Nurture');
    await stopReading();
    await page.getByText('Stopped: no contact was changed').waitFor();
    await page.getByText('10,000 contacts selected').waitFor();
    assert.equal(await countByStage('Viewing'), 10_000);

    await changeStageOfSelected(page, 'Nurture');
    await page.getByText(/^Changing: [1-9],000 of 10,000 contacts/).waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByText(/^Stopped: [1-9],000 of 10,000 contacts changed/).waitFor();
    const changed = await countByStage('Nurture');
    assert.ok(changed >= 1_000 && changed < 10_000, `${changed} changed`);
    assert.equal(await countByStage('Viewing'), 10_000 - changed);
    // The console sent the first 1,000 again as a repeat, and each later thousand as a change of its own.
    const [first, repeated, ...others] = keys;
    assert.ok(first !== undefined && first === repeated, `${first} and ${repeated}`);
    assert.equal(new Set([first, ...others]).size, changed / 1_000);

    const stopUndo = await holdUntilStop(page, '**/api/v1/contacts/bulk');
    await undo(page);
    await page.getByText('Changing: 0 of').waitFor();
    await stopUndo();
    const count = changed.toLocaleString('en');
    await page.getByText(`Stopped: 1,000 of ${count} contacts as before`).waitFor();
    assert.equal(await countByStage('Nurture'), changed - 1_000);

    // The rest can still be undone.
    await undo(page);
    await page.getByText(`${(changed - 1_000).toLocaleString('en')} contacts as before`).waitFor();
    assert.equal(await countByStage('Viewing'), 10_000);
  },
);

test('more than 10,000 contacts are not changed at once', withBrowser, async (t) => {
  const page = await openList(t);
  await cellOf(page, -1, 0).click();
  await page
    .getByText('At most 10,000 contacts can be changed at once. Narrow the filter.')
    .waitFor();
  assert.equal(await page.getByRole('button', { name: 'Set stage' }).count(), 0);
});

test(
  'the list of contacts takes six files, and is asked for before tags and counts',
  withBrowser,
  async (t) => {
    const page = await openList(t);
    const address = page.url();
    // The list that is open may not have asked for everything yet.
    await page.goto('about:blank');
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    // With the rows on the screen, the page loads what it needs later.
    const untilAnswer = page.waitForResponse(/\/api\/v1\/contacts\?/).then(() => [...asked]);
    await page.goto(`${address}?stage=New`);
    await waitForRows(page);
    const files = (await untilAnswer).filter(
      (path) => !path.startsWith('/api/') && !path.endsWith('.svg'),
    );
    assert.ok(files.length <= 6, files.join(' '));
    const before = new Set(asked.slice(0, asked.indexOf('/api/v1/contacts')));
    for (const slow of ['tags', 'imports', 'contacts/duplicates'])
      assert.ok(!before.has(`/api/v1/${slow}`), slow);
  },
);

test(
  'the place in the list survives a save, Back and a reload, and the selection another order',
  withBrowser,
  async (t) => {
    const page = await openList(t);
    await page.locator('.grid').evaluate((grid) => grid.scrollTo(0, 150 * 40 + 13));
    await cellOf(page, 155, 1).filter({ hasText: /\w/ }).waitFor();
    await cellOf(page, 155, 4).click();
    const place = await readPlace(page);
    assert.deepEqual(place, { name: 'Ana Kaur 19849', top: -13 });

    await page.keyboard.press('s');
    await page.getByRole('menuitemradio', { name: 'Qualified' }).click();
    await page.getByText(/^Stage of .* changed to/).waitFor();
    assert.deepEqual(await readPlace(page), place);
    assert.equal(await readFocus(page), '155/4');

    await page.getByRole('button', { name: 'Undo' }).click();
    await cellOf(page, 155, 1).click();
    await page.getByRole('heading', { level: 1, name: 'Ana Kaur 19844' }).waitFor();
    await page.goBack();
    await untilPlace(page, place);

    await page.reload();
    await untilPlace(page, place);

    for (const row of [155, 157]) await cellOf(page, row, 0).click();
    await page.getByText('2 contacts selected').waitFor();
    await page.getByRole('columnheader', { name: 'Name' }).click();
    await cellOf(page, 0, 1).getByText('Ana Kaur 0', { exact: true }).waitFor();
    await page.getByText('2 contacts selected').waitFor();
    await page.getByRole('columnheader', { name: 'Name' }).click();
    await cellOf(page, 0, 1).getByText('Ana Kaur 19999', { exact: true }).waitFor();
    await page.getByText('2 contacts selected').waitFor();
  },
);

test('a list keeps its place after Back and a reload', withBrowser, async (t) => {
  const page = await openList(t);
  await page.evaluate(() => document.querySelector('[role=grid]')?.scrollTo(0, 200));
  for (let jump = 0; jump < 6; jump++) {
    await page.evaluate(() => document.querySelector('[role=grid]')?.scrollBy(0, 6_000));
    await until(async () => (await page.locator('.grid-row-unknown').count()) === 0);
  }
  await untilRowAtEdge(page);
  const before = await readPlace(page);
  const row = await page.evaluate(
    () => [...document.querySelectorAll<HTMLElement>('.grid-row')].at(-10)?.dataset['row'],
  );
  await cellOf(page, Number(row), 1).click();
  await page.waitForURL(/contacts\/[\da-f-]{36}/);
  await page.goBack();
  await until(async () => (await readFocus(page)) === `${row}/1`);
  await untilPlace(page, before);
  await page.reload();
  await untilPlace(page, before);
});

test(
  'a list keeps its place when the person leaves it as soon as it is back',
  withBrowser,
  async (t) => {
    const page = await openList(t);
    await page.evaluate(() => document.querySelector('[role=grid]')?.scrollTo(0, 6_013));
    await untilRowAtEdge(page);
    const before = await readPlace(page);
    await cellOf(page, 155, 1).click();
    await page.waitForURL(/contacts\/[\da-f-]{36}/);
    // Follows a link before the browser has drawn the list.
    await page.evaluate(() => {
      const observer = new MutationObserver(() => {
        if (!document.querySelector('.grid-row')) return;
        observer.disconnect();
        document.querySelector<HTMLElement>('nav a[href$="/stock"]')?.click();
      });
      observer.observe(document.body, { childList: true, subtree: true });
    });
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: 'Stock' }).waitFor();
    await page.goBack();
    await untilPlace(page, before);
  },
);

test(
  '20,000 contacts come by wheel, keys and bar, each once and in order, while leads come in',
  withBrowser,
  async (t) => {
    const page = await openList(t);
    const grid = page.locator('.grid');
    await grid.hover();
    for (let step = 0; step < 20; step++) {
      await page.mouse.wheel(0, 700);
      assert.equal(await findMisplaced(page), '');
    }
    await page.locator('.grid-row').nth(10).locator('[data-cell="4"]').click();
    for (let step = 0; step < 10; step++) {
      await page.keyboard.press('PageDown');
      assert.equal(await findMisplaced(page), '');
    }

    await untilRowAtEdge(page);
    const before = await readPlace(page);
    const payload = { email: 'mere.new@leads.example', firstName: 'Mere' };
    await service.send({ method: 'POST', url: '/api/v1/contacts', key, payload });
    await page.getByText('1 new contact.').waitFor();
    assert.deepEqual(await readPlace(page), before);

    // The bar stands for the rows loaded and one page more: it is dragged to its end until there are no more.
    const last = cellOf(page, COUNT - 1, 1).getByText('Ana Kaur 0', { exact: true });
    while ((await last.count()) === 0) {
      await grid.evaluate((element) => element.scrollTo(0, element.scrollHeight));
      assert.equal(await findMisplaced(page), '');
    }
    const nodes = await page.evaluate(() => document.querySelectorAll('*').length);
    assert.ok(nodes < 1_000, `${nodes} nodes`);

    await page.getByRole('button', { name: 'Show' }).click();
    await cellOf(page, 0, 1).getByText('Mere').waitFor();
  },
);
