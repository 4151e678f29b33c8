import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { furnishAccount } from './account.ts';
import { until } from '../support/until.ts';
import { withBrowser } from './chromium.ts';
import { serveConsole } from './console.ts';
import { checkFocus } from './keys.ts';

const { service, enter } = await serveConsole();

/** Makes an account, and a function that changes the price of its first unit as another program does. */
async function fillStock() {
  const person = await furnishAccount(service);
  const key = await service.key(person.slug, 'all');
  const { body } = await service.send({ url: '/api/v1/stock/units?sort=name&limit=1', key });
  const url = `/api/v1/stock/units/${body.data[0].id}`;
  const setPrice = async (price: number): Promise<void> => {
    const { status } = await service.send({ method: 'PATCH', url, key, payload: { price } });
    assert.equal(status, 200);
  };
  return { person, setPrice, path: `/a/${person.slug}/stock` };
}

/** Makes an account, and finds one of its contacts: its address in the API and in the console. */
async function furnishContact() {
  const person = await furnishAccount(service);
  const key = await service.key(person.slug, 'all');
  const { body } = await service.send({ url: '/api/v1/contacts?q=ana.0', key });
  const path = `/contacts/${body.data[0].id}`;
  return { person, key, url: `/api/v1${path}`, path: `/a/${person.slug}${path}` };
}

const untilPrice = (page: Page, price: string): Promise<void> =>
  page.getByRole('gridcell', { name: price, exact: true }).waitFor();

test(
  'the tabs of a browser read one stream of events, and another tab goes on when the one that reads it closes',
  withBrowser,
  async (t) => {
    const { person, setPrice, path } = await fillStock();
    const { context, open } = await enter(t, { person });
    let streamCount = 0;
    context.on('request', (request) => {
      if (request.resourceType() === 'eventsource') streamCount += 1;
    });
    const following = context.waitForEvent(
      'request',
      (request) => request.resourceType() === 'eventsource',
    );
    const { page: first } = await open(t, path);
    await following;
    const { page: second } = await open(t, path);
    await untilPrice(second, '$800,000');
    await setPrice(811_000);
    for (const page of [first, second]) await untilPrice(page, '$811,000');
    assert.equal(streamCount, 1);

    // A change while no tab reads the stream: after the first tab has closed, and before the second one takes over.
    let isChanged = false;
    await second.route(/\/api\/v1\/events/, async (route) => {
      if (!isChanged) await setPrice(812_000);
      isChanged = true;
      await route.continue();
    });
    await first.close();
    await untilPrice(second, '$812,000');
    await setPrice(813_000);
    await untilPrice(second, '$813,000');
  },
);

for (const when of ['before', 'after'] as const)
  test(
    `a change between the answer of the service and its arrival at the page is shown, ${when} the page follows the events`,
    withBrowser,
    async (t) => {
      const { person, key, url, path } = await furnishContact();
      const { open } = await enter(t, { person });
      const { page } = await open(t, '/api/v1/openapi.json');
      const { promise: isChanged, resolve: change } = Promise.withResolvers<void>();
      const { promise: isHeard, resolve: hear } = Promise.withResolvers<void>();
      await page.exposeFunction('hear', hear);
      await page.route('**/api/v1/events/head', async (route) => {
        // Give the page time to read the contact first.
        if (when === 'before') await Promise.race([isChanged, sleep(900)]);
        await route.continue();
      });
      const following = page.waitForRequest(/\/api\/v1\/events\?/);
      await page.route(
        `**${url}?*`,
        async (route) => {
          const response = await route.fetch();
          if (when === 'after') {
            await following;
            await page.evaluate(
              // The tab that follows the events tells them to the other tabs.
              (name) =>
                new BroadcastChannel(name).addEventListener('message', () =>
                  Reflect.get(window, 'hear')(),
                ),
              `offplan-live:${person.accountId}:${person.id}`,
            );
          }
          const payload = { companyName: 'Kauri' };
          await service.send({ method: 'PATCH', url, key, payload });
          change();
          if (when === 'after') await isHeard;
          await route.fulfill({ response });
        },
        { times: 1 },
      );
      await page.goto(path);
      await page.getByRole('button', { name: 'Edit company: Kauri' }).waitFor();
    },
  );

test(
  'a contact is shown anew on a slow line, also while it changes faster than the server answers',
  withBrowser,
  async (t) => {
    const { person, key, url, path } = await furnishContact();
    const { open } = await enter(t, { person });
    const { page } = await open(t, path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    let changeCount = 0;
    let isShown = false;
    await page.route(`**${url}?*`, async (route) => {
      const response = await route.fetch();
      const answered = changeCount + 8;
      await until(() => isShown || changeCount >= answered);
      // The page may have given the request up.
      await route.fulfill({ response }).catch(() => undefined);
    });
    const shown = page.getByRole('button', { name: /^Edit company: Kauri \d/ });
    await until(async () => {
      changeCount += 1;
      const payload = { companyName: `Kauri ${changeCount}` };
      await service.send({ method: 'PATCH', url, key, payload });
      await sleep(200);
      isShown = await shown.isVisible();
      return isShown;
    });
    await page.getByRole('button', { name: `Edit company: Kauri ${changeCount}` }).waitFor();
  },
);

test(
  'where a proxy holds the stream of events back, the console asks for them every 15 seconds and on focus, reads all again when some are gone, and tries the stream again after ten minutes',
  withBrowser,
  async (t) => {
    const { person, setPrice, path } = await fillStock();
    const { open } = await enter(t, { person });
    const { page } = await open(t, '/api/v1/openapi.json');
    await page.clock.install();
    let areGone = false;
    let streamCount = 0;
    let pollCount = 0;
    await page.route('**/api/v1/events?*', async (route) => {
      // A stream that is held back never opens.
      if (route.request().resourceType() === 'eventsource') {
        streamCount += 1;
        return;
      }
      pollCount += 1;
      const json = { code: 'cursor_expired', status: 410, title: 'Gone', detail: 'Gone.' };
      if (areGone)
        await route.fulfill({ status: 410, json, contentType: 'application/problem+json' });
      else await route.continue();
    });
    const stream = page.waitForRequest(/\/api\/v1\/events\?/);
    await page.goto(path);
    await stream;
    await untilPrice(page, '$800,000');
    await setPrice(811_000);
    await page.clock.fastForward(10_000);
    // The page loads the script that asks for events first.
    await until(async () => {
      await page.clock.fastForward(15_000);
      return page.getByRole('gridcell', { name: '$811,000', exact: true }).isVisible();
    });

    await setPrice(812_000);
    await page.evaluate(() => dispatchEvent(new Event('focus')));
    await untilPrice(page, '$812,000');

    areGone = true;
    await setPrice(813_000);
    await page.evaluate(() => dispatchEvent(new Event('focus')));
    await untilPrice(page, '$813,000');

    areGone = false;
    assert.equal(streamCount, 1);
    await until(async () => {
      await page.evaluate(() => dispatchEvent(new Event('focus')));
      return streamCount > 1;
    });
    // Every 15 seconds for ten minutes.
    assert.equal(pollCount, 40);
  },
);

test(
  'new rows are said below the list, where the message covers and moves no row, and Show keeps the focus',
  withBrowser,
  async (t) => {
    const person = await furnishAccount(service);
    const key = await service.key(person.slug, 'read-write');
    const session = await enter(t, { person });
    for (const [list, email, text] of [
      ['contacts', 'new@leads.example', '1 new contact.'],
      ['imports', 'no email', 'New: 1 import.'],
    ] as const) {
      const { page } = await session.open(t, `/a/${person.slug}/${list}`);
      const row = page.getByRole('rowheader').first();
      const before = await row.boundingBox();
      const payload = { email };
      await service.send({ method: 'POST', url: '/api/v1/contacts', key, payload });
      const message = page.getByText(text);
      await message.waitFor();
      assert.deepEqual(await row.boundingBox(), before);
      const [grid, shown] = [
        await page.getByRole('grid').boundingBox(),
        await message.boundingBox(),
      ];
      assert.ok(grid !== null && shown !== null && shown.y >= grid.y + grid.height, list);
      await page.getByRole('button', { name: 'Show', exact: true }).press('Enter');
      await message.waitFor({ state: 'detached' });
      await checkFocus(page, 'Show');
    }
  },
);

test(
  'Show below a list says why it failed, and the message stays for another try',
  withBrowser,
  async (t) => {
    const person = await furnishAccount(service);
    const key = await service.key(person.slug, 'all');
    const { body } = await service.send({ url: '/api/v1/stock/units?sort=name&limit=1', key });
    const session = await enter(t, { person });
    for (const [path, rows, change, text] of [
      [
        'contacts',
        /\/api\/v1\/contacts\?/,
        { method: 'POST', url: '/api/v1/contacts', payload: { email: 'new@leads.example' } },
        '1 new contact.',
      ],
      [
        'stock?status=Available',
        /\/api\/v1\/stock\/units\?/,
        {
          method: 'PATCH',
          url: `/api/v1/stock/units/${body.data[0].id}`,
          payload: { status: 'Settled' },
        },
        'The list has changed.',
      ],
    ] as const) {
      const { page } = await session.open(t, `/a/${person.slug}/${path}`);
      await page.getByRole('rowheader').first().waitFor();
      await service.send({ ...change, key });
      const message = page.getByText(text);
      await message.waitFor();
      const json = { code: 'internal_error', status: 500, title: 'Fault', detail: 'A fault.' };
      await page.route(rows, async (route) =>
        route.fulfill({ status: 500, json, contentType: 'application/problem+json' }),
      );
      await page.getByRole('button', { name: 'Show', exact: true }).click();
      await page.getByText(/The service has a fault/).waitFor();
      assert.ok(await message.isVisible(), text);
      await page.unroute(rows);
      await page.getByRole('button', { name: 'Show', exact: true }).click();
      await message.waitFor({ state: 'detached' });
    }
  },
);

test(
  'a unit that left the filter keeps its row when it could not be read for a moment',
  withBrowser,
  async (t) => {
    const { person, setPrice } = await fillStock();
    const key = await service.key(person.slug, 'all');
    const list = '/api/v1/stock/units?sort=name&limit=1';
    const { body } = await service.send({ url: list, key });
    const url = `/api/v1/stock/units/${body.data[0].id}`;
    const { open } = await enter(t, { person });
    const { page } = await open(t, `/a/${person.slug}/stock?status=Available`);
    const row = page.getByRole('rowheader', { name: 'Townhouse 1' });
    await row.waitFor();
    await page.route(`**${url}`, async (route) => route.abort());
    await service.send({ method: 'PATCH', url, key, payload: { status: 'Settled' } });
    await page.getByText('The service cannot be reached').waitFor();
    await page.unroute(`**${url}`);
    await setPrice(811_000);
    await page.getByText('The list has changed.').waitFor();
    await untilPrice(page, '$811,000');
  },
);
