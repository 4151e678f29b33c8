import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Locator, Page, Route } from 'playwright-core';
import { PROJECT_ID } from '../support/accounts.ts';
import { expireLookUps } from '../support/clock.ts';
import type { Cleaner } from '../support/harness.ts';
import { addPerson, PASSWORD } from '../support/people.ts';
import { run } from '../support/sql.ts';
import { until } from '../support/until.ts';
import { withBrowser } from './chromium.ts';
import { serveConsole } from './console.ts';

const { service, enter, open } = await serveConsole();
const DETAILS = `/stock/projects/${PROJECT_ID}?tab=details`;
const city = (page: Page) => page.getByLabel('City');
const save = (page: Page) => page.getByRole('button', { name: 'Save' }).click();

/** Opens the details of a project, and types a city that is not saved yet. */
async function typeCity(t: Cleaner) {
  const person = await addPerson(service, { role: 'owner' });
  const opened = await open(t, { person, path: `/a/${person.slug}${DETAILS}` });
  await city(opened.page).fill('Porirua');
  const isStored = async (): Promise<boolean> =>
    (await service.exported(person.slug)).projects[0].cityName === 'Porirua';
  return { ...opened, person, isStored };
}

test(
  'a new version of the server asks once for a reload, and what was typed stays',
  withBrowser,
  async (t) => {
    const { page, watch, person } = await typeCity(t);
    watch.allow(/\/assets\/|dynamically imported module/);
    await page.route('**/assets/*', async (route) => route.fulfill({ status: 404 }));
    await page.getByRole('link', { name: 'Pipeline' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'A new version is ready' }).waitFor();
    await page.unroute('**/assets/*');
    await page.getByRole('button', { name: 'Reload' }).click();
    await page.getByRole('heading', { level: 1, name: 'Pipeline' }).waitFor();
    await page.goto(`/a/${person.slug}${DETAILS}`);
    assert.equal(await city(page).inputValue(), 'Porirua');
  },
);

test(
  'a page that opens without a network says so, and comes after Try again when the network is back',
  withBrowser,
  async (t) => {
    const { page, context, watch } = await typeCity(t);
    watch.allow(/ERR_INTERNET_DISCONNECTED|dynamically imported module/);
    await context.setOffline(true);
    await page.getByRole('link', { name: 'Pipeline' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'This page cannot be shown now' }).waitFor();
    await page.getByText('Check your connection, and try again.').waitFor();
    // Without a network, Try again leaves the page as it is.
    await page.getByRole('button', { name: 'Try again' }).click();
    await context.setOffline(false);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { level: 1, name: 'Pipeline' }).waitFor();
  },
);

test(
  'a page that could not be opened without a network opens by its link when the network is back',
  withBrowser,
  async (t) => {
    const { page, context, watch } = await typeCity(t);
    watch.allow(/ERR_INTERNET_DISCONNECTED|ERR_FAILED|dynamically imported module/);
    const failed = page.getByRole('heading', { level: 1, name: 'This page cannot be shown now' });
    /** Opens a page by its link, twice with its failure, and leads back to the details each time. */
    async function openTwice(name: string): Promise<void> {
      for (let count = 0; count < 2; count += 1) {
        await page.getByRole('link', { name, exact: true }).first().click();
        await failed.waitFor();
        await page.goBack();
        await city(page).waitFor();
      }
    }
    await context.setOffline(true);
    await openTwice('Pipeline');
    await openTwice('Audit');
    await context.setOffline(false);
    for (const name of ['Pipeline', 'Audit']) {
      await page.getByRole('link', { name, exact: true }).first().click();
      await page.getByRole('heading', { level: 1, name }).waitFor();
      await page.goBack();
      await city(page).waitFor();
    }
    // The text that was typed at first is still in its form.
    assert.equal(await city(page).inputValue(), 'Porirua');
  },
);

test(
  'after the session has ended, a dialog signs in again, and the change goes on',
  withBrowser,
  async (t) => {
    const { page, person, isStored } = await typeCity(t);
    await run(service.db, 'delete from sessions where account_id = $1', [person.accountId]);
    expireLookUps();
    // Another request of the page may have opened the dialog before: then a pointer cannot reach the button.
    await page.getByRole('button', { name: 'Save' }).dispatchEvent('click');
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
    const password = dialog.getByLabel('Password', { exact: true });
    await password.waitFor();
    assert.equal(await password.evaluate((field) => field === document.activeElement), true);
    await password.fill(PASSWORD);
    assert.equal(await city(page).inputValue(), 'Porirua');
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await dialog.waitFor({ state: 'detached' });
    await until(isStored);
  },
);

test(
  'without a network the change stays in its field, unsaved, and can be saved afterwards',
  withBrowser,
  async (t) => {
    const { page, context, watch, isStored } = await typeCity(t);
    watch.allow(/ERR_INTERNET_DISCONNECTED/);
    await context.setOffline(true);
    await page
      .getByText('The service cannot be reached. What you type stays here, unsaved.')
      .waitFor();
    await save(page);
    await page.getByRole('alert').getByText('The service could not be reached').waitFor();
    assert.equal(await city(page).inputValue(), 'Porirua');
    assert.equal(await isStored(), false);
    await context.setOffline(false);
    // No text says any longer that the service is away.
    await page.getByText('cannot be reached').waitFor({ state: 'detached' });
    await save(page);
    await until(isStored);
  },
);

test(
  'a page that is opened while the service does not answer says so, and comes by itself once it does',
  withBrowser,
  async (t) => {
    const person = await addPerson(service, { role: 'owner' });
    const { page, watch } = await open(t, { person, path: '/api/v1/openapi.json' });
    watch.allow(/\/api\/v1\/me|503/);
    await page.route('**/api/v1/me', async (route) => route.fulfill({ status: 503 }));
    await page.goto(`/a/${person.slug}/contacts`);
    await page.getByRole('heading', { name: 'This page cannot be shown now' }).waitFor();
    await page.unroute('**/api/v1/me');
    await page.getByRole('heading', { level: 1, name: 'Contacts' }).waitFor();
  },
);

/** How a service that is away looks to a browser: directly, and behind a proxy. */
const AWAY = {
  'refuses connections': (route: Route) => route.abort('connectionrefused'),
  'is behind a proxy that answers 502': (route: Route) =>
    route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad Gateway</h1>' }),
};
for (const [what, answer] of Object.entries(AWAY))
  test(
    `while the service ${what}, each idle tab says that it cannot be reached, and afterwards no longer`,
    withBrowser,
    async (t) => {
      const person = await addPerson(service, { role: 'owner' });
      const { context, open: openTab } = await enter(t, { person });
      let isDown = false;
      await context.route('**/api/v1/**', async (route) => {
        if (isDown) return answer(route);
        const isStream = route.request().url().includes('/events?');
        // The stream ends at once, and the browser opens it again, as after a restart of the service.
        const stream = { contentType: 'text/event-stream', body: 'retry: 200\n\n' };
        return isStream ? route.fulfill(stream) : route.continue();
      });
      /** Opens a tab, and waits for its last request. */
      async function openIdle(): Promise<Page> {
        const counted = context.waitForEvent('response', (response) =>
          response.url().includes('/contacts/duplicates?'),
        );
        const { page } = await openTab(t, `/a/${person.slug}/contacts`);
        await counted;
        return page;
      }
      // The first tab follows the events for both.
      const page = await openIdle();
      const other = await openIdle();
      const [bar, otherBar] = [page, other].map((each) =>
        each.getByText('The service cannot be reached. What you type stays here, unsaved.'),
      ) as [Locator, Locator];
      assert.equal(await bar.count(), 0);
      assert.equal(await otherBar.count(), 0);
      isDown = true;
      await bar.waitFor();
      await otherBar.waitFor();
      await page.getByRole('link', { name: 'Audit' }).first().click();
      const error = page.getByRole('main').getByRole('alert');
      await error.getByText('The service could not be reached. Check your connection').waitFor();
      isDown = false;
      await bar.waitFor({ state: 'detached' });
      await otherBar.waitFor({ state: 'detached' });
      await error.waitFor({ state: 'detached' });
    },
  );

test(
  'what a proxy refuses as too large stays in its field, and the reason names the proxy',
  withBrowser,
  async (t) => {
    const { page } = await typeCity(t);
    await page.route('**/api/v1/stock/projects/*', async (route) => {
      if (route.request().method() !== 'PATCH') return route.continue();
      return route.fulfill({ status: 413, contentType: 'text/html', body: '<h1>Too large</h1>' });
    });
    await save(page);
    const reason = 'It is too large: a server before the service refused it.';
    await page.getByRole('alert').getByText(reason).waitFor();
    assert.equal(await city(page).inputValue(), 'Porirua');
  },
);

test(
  'a request whose first attempt fails shows no bar: only the last attempt counts',
  withBrowser,
  async (t) => {
    const person = await addPerson(service, { role: 'owner' });
    const { page } = await open(t, { person, path: `/a/${person.slug}/profile` });
    await page.getByRole('heading', { level: 1, name: 'Profile' }).waitFor();
    let attempts = 0;
    await page.route('**/api/v1/changes?*', async (route) => {
      attempts += 1;
      return attempts === 1 ? route.abort('connectionreset') : route.continue();
    });
    await page.evaluate(() =>
      new MutationObserver(() => {
        if (document.querySelector('.frame-offline')) document.body.dataset['sawBar'] = 'yes';
      }).observe(document.body, { childList: true, subtree: true }),
    );
    await page.getByRole('link', { name: 'Audit' }).first().click();
    await page.getByRole('row').nth(1).waitFor();
    assert.ok(attempts > 1);
    assert.equal(await page.evaluate(() => document.body.dataset['sawBar']), undefined);
  },
);

test(
  'the policy allows the styles that React Aria adds, and no other ones',
  withBrowser,
  async (t) => {
    const person = await addPerson(service, { role: 'owner' });
    const { page } = await open(t, { person, path: `/a/${person.slug}/` });
    await page.getByRole('button', { name: /account and profile/ }).click();
    await page.getByRole('menu').waitFor();
    const rules = await page.evaluate(() =>
      [...document.querySelectorAll('style')].map(({ sheet }) => sheet?.cssRules.length),
    );
    assert.ok(rules.length > 0 && rules.every((count) => count === 1), `${rules.join()} rules`);
  },
);

for (const status of [500, 503])
  test(
    `a list that fails with ${status} says so after two attempts, names the request, and comes by Try again`,
    withBrowser,
    async (t) => {
      const person = await addPerson(service, { role: 'owner' });
      const { page } = await open(t, { person, path: `/a/${person.slug}/profile` });
      let attempts = 0;
      // Not the count in the navigation, which is a list of one.
      const list = /\/api\/v1\/imports\?.*limit=100/;
      await page.route(list, async (route) => {
        attempts += 1;
        const headers = { 'x-request-id': 'request-7' };
        await route.fulfill({ status, headers, body: 'no JSON' });
      });
      await page.getByRole('link', { name: 'Import log' }).click();
      const error = page.getByRole('main').getByRole('alert');
      await error.getByRole('button', { name: 'Copy the request id' }).waitFor();
      assert.equal(attempts, 2);
      await page.unroute(list);
      await error.getByRole('button', { name: 'Try again' }).click();
      await page.getByText('Every lead went in.').waitFor();
    },
  );
