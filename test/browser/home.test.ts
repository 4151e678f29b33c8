import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { accountFile, PROJECT_ID } from '../support/accounts.ts';
import { addPerson } from '../support/people.ts';
import { until } from '../support/until.ts';
import { furnishAccount } from './account.ts';
import { withBrowser } from './chromium.ts';
import { serveConsole } from './console.ts';

const { service, open } = await serveConsole();
const DAY_MS = 86_400_000;

/** Where the lists of the console get their rows. */
const LISTS: Record<string, string> = {
  contacts: '/api/v1/contacts',
  stock: '/api/v1/stock/units',
  imports: '/api/v1/imports',
};

/** Makes an account of its own with one contact more. Returns its owner. */
async function furnishWith(contact: { email: string; firstName: string }) {
  const person = await furnishAccount(service);
  const key = await service.key(person.slug, 'read-write');
  await service.send({ method: 'POST', url: '/api/v1/contacts', key, payload: contact });
  return person;
}

test(
  'each figure of Home, for all projects and for one, is the count of the list that it leads to, across midnight in Auckland',
  withBrowser,
  async (t) => {
    const owner = await addPerson(service, { role: 'owner' });
    const day = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Pacific/Auckland' });
    // Each hour of two days, a week ago: some of them are before the midnight that the seven days begin at.
    const hours = Array.from(
      { length: 48 },
      (_, hour) => new Date(Date.now() - 8 * DAY_MS + hour * 3_600_000),
    );
    const file = accountFile(owner.slug);
    const organization = { ...file.account.organization, timeZone: 'Pacific/Auckland' };
    await service.load({
      ...file,
      account: { ...file.account, organization },
      contacts: hours.map((at, index) => ({
        email: `hour-${index}@leads.example`,
        createdAt: at.toISOString(),
        source: index % 2 === 0 ? 'Website' : 'Referral',
        stage: index % 3 === 0 ? 'New' : 'Contacted',
        links: index % 3 === 0 ? [{ projectId: PROJECT_ID }] : [],
      })),
    });
    const key = await service.key(owner.slug, 'all');
    const { page } = await open(t, { person: owner, path: `/a/${owner.slug}/` });
    const tile = page
      .getByRole('listitem')
      .filter({ hasText: 'New leads, 7 days' })
      .getByRole('link');
    await page.waitForFunction(
      () => document.querySelector('.home')?.textContent.includes('…') === false,
    );
    // Not the day of 144 hours ago: clocks may have changed since.
    const first = new Date(Date.parse(day.format()) - 6 * DAY_MS).toISOString().slice(0, 10);
    const expected = hours.filter((at) => day.format(at) >= first).length;
    assert.equal(await tile.innerText(), String(expected));
    const more = expected - (hours.length - expected);
    const change = `${Math.abs(more)} ${more > 0 ? 'more' : 'fewer'} than the 7 days before`;
    if (more !== 0) await page.getByText(change, { exact: true }).waitFor();

    const figures = page.locator('.home a[href*="?"]');
    /** Lists the figures that are not the counts of their lists. */
    const listWrong = async () => {
      // The cards show their figures one after the other.
      await figures.nth(7).waitFor({ state: 'attached' });
      const links = await figures.evaluateAll((found) =>
        found.map((link) => ({ href: (link as HTMLAnchorElement).href, text: link.textContent })),
      );
      const counts = links.map(async ({ href, text }) => {
        const { pathname, searchParams } = new URL(href);
        const list = LISTS[pathname.split('/').at(-1) ?? ''] ?? assert.fail(href);
        searchParams.set('count', 'true');
        const { body } = await service.send({ url: `${list}?${searchParams}`, key });
        return Number.parseInt(text, 10) === body.pagination.totalCount ? [] : [{ text, href }];
      });
      return (await Promise.all(counts)).flat();
    };
    assert.deepEqual(await listWrong(), []);
    await page.getByLabel('Project', { exact: true }).selectOption('Tūī Ridge');
    // Eight of the contacts that are linked to the project came by the website.
    await page
      .getByRole('region', { name: 'Where leads come from' })
      .getByRole('link', { name: '8' })
      .first()
      .waitFor();
    // Each card shows its figures of before until its own have come.
    await until(async () => (await listWrong()).length === 0);
  },
);

test(
  'the week that is not over is named This week, and its line is dashed',
  withBrowser,
  async (t) => {
    const owner = await furnishAccount(service);
    const { page } = await open(t, { person: owner, path: `/a/${owner.slug}/` });
    const card = page.getByRole('region', { name: 'Leads by week' });
    const chart = card.getByRole('img');
    await chart.getByText('This week', { exact: true }).waitFor();
    const lines = await chart.locator('polyline').evaluateAll((found) =>
      found.map((line) => ({
        corners: (line as SVGPolylineElement).points.length,
        isDashed: getComputedStyle(line).strokeDasharray !== 'none',
      })),
    );
    assert.deepEqual(lines, [
      { corners: 11, isDashed: false },
      { corners: 2, isDashed: true },
    ]);
    await card.getByText('Show as a table').click();
    const rows = card.getByRole('rowheader');
    assert.equal(await rows.first().innerText(), 'This week');
    assert.equal(await rows.count(), 12);
  },
);

test('an account without leads says how the first ones come in', withBrowser, async (t) => {
  const owner = await addPerson(service, { role: 'owner' });
  const { page } = await open(t, { person: owner, path: `/a/${owner.slug}/` });
  await page
    .getByText('No leads yet. Import a file, or connect your website with an API key.')
    .waitFor();
  await page.getByRole('link', { name: 'Import a file' }).waitFor();
});

test(
  'Ctrl K finds a person by a few letters, and Enter opens the person',
  withBrowser,
  async (t) => {
    const owner = await furnishAccount(service);
    const { page } = await open(t, { person: owner, path: `/a/${owner.slug}/` });
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
    await page.keyboard.press('Control+k');
    const field = page.getByRole('combobox', { name: 'Search' });
    const person = page.getByRole('option', { name: /^Mere/ });
    await field.fill('mere');
    await person.waitFor();
    // Enter must not open the person of the text before.
    await field.fill('zed');
    assert.equal(await person.count(), 0);
    await field.fill('mere');
    await person.waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/contacts\/[\da-f-]{36}$/);
  },
);

test(
  'Enter in Ctrl K waits for the search, and opens the person that it finds, not an action of the page with the same letters',
  withBrowser,
  async (t) => {
    const person = await furnishWith({ email: 'nota@leads.example', firstName: 'Nota' });
    const { page } = await open(t, { person, path: `/a/${person.slug}/contacts?q=mere` });
    await page.getByRole('rowheader').first().click();
    await page.getByRole('heading', { level: 1, name: 'Mere' }).waitFor();
    const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
    await page.route('**/api/v1/contacts?*q=not*', async (route) => {
      await isReleased;
      await route.continue();
    });
    await page.keyboard.press('Control+k');
    const field = page.getByRole('combobox', { name: 'Search' });
    // The page has the action "Note".
    await field.fill('not');
    await field.press('Enter');
    assert.ok(await field.isVisible(), 'nothing is opened before the answer');
    release();
    await page.getByRole('heading', { level: 1, name: 'Nota' }).waitFor();
  },
);

test('Ctrl K finds a unit by its name, a project, and a page', withBrowser, async (t) => {
  const person = await furnishAccount(service);
  const { page } = await open(t, { person, path: `/a/${person.slug}/` });
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
  await page.keyboard.press('Control+k');
  const field = page.getByRole('combobox', { name: 'Search' });
  await field.fill('townhouse 3');
  await page.getByRole('option', { name: /Townhouse 3/ }).waitFor();
  await field.fill('tui 4');
  await page.getByRole('option', { name: /Townhouse 4/ }).waitFor();
  assert.equal(await page.getByRole('option').filter({ hasText: 'Townhouse' }).count(), 1);
  await field.fill('dupl');
  await page.getByRole('option', { name: /^Duplicates/ }).waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/duplicates$/);
});

test(
  'Ctrl K finds a project without its macrons, before a contact whose email has the same letters',
  withBrowser,
  async (t) => {
    const person = await furnishWith({ email: 'zoe@tui.example', firstName: 'Zoe' });
    const { page } = await open(t, { person, path: `/a/${person.slug}/` });
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search' }).fill('tui');
    await page.getByRole('option', { name: /^Zoe/ }).waitFor();
    assert.match(await page.locator('.palette-hit').first().innerText(), /^Tūī Ridge/);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Tūī Ridge' }).waitFor();
  },
);

test(
  'Enter in Ctrl K waits for the projects, and finds a unit by its project, on a slow line',
  withBrowser,
  async (t) => {
    const person = await furnishWith({ email: 'zoe@tui.example', firstName: 'Zoe' });
    const { page } = await open(t, { person, path: '/api/v1/openapi.json' });
    for (const [text, role, name] of [
      ['tui', 'heading', 'Tūī Ridge'],
      ['tui 4', 'dialog', 'Townhouse 4'],
    ] as const) {
      // The contacts are found meanwhile.
      await page.route('**/api/v1/stock/projects?*', async (route) => {
        await sleep(900);
        await route.continue();
      });
      await page.goto(`/a/${person.slug}/`);
      await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
      await page.keyboard.press('Control+k');
      const field = page.getByRole('combobox', { name: 'Search' });
      await field.fill(text);
      await field.press('Enter');
      await page.getByRole(role, { name }).waitFor();
      await page.unrouteAll();
    }
  },
);

test(
  'Ctrl K finds each page of the settings, and the actions on what is open or selected',
  withBrowser,
  async (t) => {
    const person = await furnishAccount(service);
    const { page } = await open(t, { person, path: `/a/${person.slug}/` });
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
    async function choose(text: string, name: string): Promise<void> {
      await page.keyboard.press('Control+k');
      const field = page.getByRole('combobox', { name: 'Search' });
      await field.fill(text);
      await page.getByRole('option', { name, exact: true }).waitFor();
      await page.keyboard.press('Enter');
      await field.waitFor({ state: 'detached' });
    }
    await choose('api key', 'API keys Pages');
    await page.getByRole('heading', { level: 1, name: 'API keys' }).waitFor();
    await choose('people', 'People Pages');
    await page.getByRole('heading', { level: 1, name: 'People' }).waitFor();
    await choose('invite a', 'Invite a person On this page');
    await page.getByRole('dialog', { name: 'Invite a person' }).waitFor();
    await page.keyboard.press('Escape');

    await page.goto(`/a/${person.slug}/contacts`);
    await page.getByRole('rowheader').nth(1).waitFor();
    await page.getByRole('row').nth(1).getByRole('checkbox').click();
    await page.getByRole('button', { name: 'Set stage' }).waitFor();
    await choose('set st', 'Set stage On this page');
    await page.getByRole('dialog', { name: 'Set the stage of 1 contact' }).waitFor();
    await page.keyboard.press('Escape');

    await page.getByRole('rowheader').nth(1).click();
    await page.waitForURL(/\/contacts\/[\da-f-]{36}/);
    await page.getByRole('button', { name: /^Stage:/ }).waitFor();
    await choose('assigned', 'Assigned to Nobody On this page');
    await page.locator('.popup-panel :focus').waitFor();
    await page.keyboard.press('Escape');
    await choose('note', 'Note On this page');
    await page.keyboard.type('Called back');
    assert.equal(await page.getByLabel('Write a note').inputValue(), 'Called back');
  },
);

test('? lists the keys, and Escape gives the focus back', withBrowser, async (t) => {
  const person = await furnishAccount(service);
  const { page } = await open(t, { person, path: `/a/${person.slug}/` });
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keys' }).getByText('Write a note').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog', { name: 'Keys' }).waitFor({ state: 'detached' });
  assert.equal(await page.evaluate(() => document.activeElement?.tagName), 'H1');
});

test(
  '? shows a viewer the keys of what they may do, and no other page opens',
  withBrowser,
  async (t) => {
    const person = await furnishAccount(service, { role: 'viewer' });
    const { page } = await open(t, { person, path: `/a/${person.slug}/contacts` });
    await page.getByRole('heading', { level: 1, name: 'Contacts' }).waitFor();
    await page.keyboard.press('?');
    const keys = page.getByRole('dialog', { name: 'Keys' });
    await keys.getByText('Next, previous contact of the list').waitFor();
    assert.deepEqual(await keys.getByRole('heading', { level: 3 }).allTextContents(), [
      'Everywhere',
      'A contact',
      'A list',
    ]);
    for (const hidden of ['Write a note', 'Import log', 'Edit the cell, as a double click does'])
      assert.equal(await keys.getByText(hidden).count(), 0, hidden);
    await keys.getByText('Go to Home, Contacts, Pipeline, Stock', { exact: true }).waitFor();
    await keys.getByText('G H, G C, G P, G S', { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await keys.waitFor({ state: 'detached' });
    for (const key of ['g', 'i', 'g', 'd', 'g', 'p']) await page.keyboard.press(key);
    await page.getByRole('heading', { level: 1, name: 'Pipeline' }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: 'Contacts' }).waitFor();
  },
);

test('the time to the first answer is that of the own contacts', withBrowser, async (t) => {
  const person = await furnishAccount(service, { role: 'agent' });
  const { page } = await open(t, { person, path: `/a/${person.slug}/` });
  const tile = page.getByRole('listitem').filter({ hasText: 'Your time to first answer' });
  await tile.getByText('No contact of this time is yours').waitFor();
  const key = await service.key(person.slug, 'all');
  const { body } = await service.send({ url: '/api/v1/contacts?q=ana.0', key });
  const payload = { assignedAccountUserId: person.id };
  const url = `/api/v1/contacts/${body.data[0].id}`;
  await service.send({ method: 'PATCH', url, key, payload });
  await page.reload();
  await tile.getByRole('link', { name: '0 of 1 answered' }).click();
  await page.getByRole('row', { name: /Ana Kaur 0/ }).waitFor();
  assert.equal(await page.getByRole('rowheader').count(), 1);
});

test(
  'Home says why the leads by project can add up to more than the leads',
  withBrowser,
  async (t) => {
    const person = await furnishAccount(service);
    const { page } = await open(t, { person, path: `/a/${person.slug}/` });
    const card = page.getByRole('region', { name: 'Leads by project' });
    await card.getByText('A lead with two projects counts in both.').waitFor();
  },
);

test(
  'Home that stays open at midnight goes on to the figures of the new day',
  withBrowser,
  async (t) => {
    const owner = await furnishAccount(service);
    const { page } = await open(t, { person: owner, path: `/a/${owner.slug}/` });
    await page.clock.install();
    await page.reload();
    const tile = page
      .getByRole('listitem')
      .filter({ hasText: 'New leads, 7 days' })
      .getByRole('link');
    const readEnd = async (): Promise<number> => {
      const href = (await tile.getAttribute('href')) ?? assert.fail();
      return Date.parse(new URL(href, page.url()).searchParams.get('createdBefore') ?? '');
    };
    const before = await readEnd();
    await page.clock.fastForward(DAY_MS);
    await until(async () => (await readEnd()) > before);
  },
);

test('Home on paper names the project and the weeks of its figures', withBrowser, async (t) => {
  const owner = await furnishAccount(service);
  const path = `/a/${owner.slug}/?project=${PROJECT_ID}&weeks=4`;
  const { page } = await open(t, { person: owner, path });
  const name = page.getByText('Tūī Ridge · Last 4 weeks');
  await name.waitFor({ state: 'attached' });
  assert.equal(await name.isVisible(), false);
  await page.emulateMedia({ media: 'print' });
  assert.equal(await name.isVisible(), true);
});

test(
  'the text of the chart of Home is 12 px high, also on a tablet and on a phone',
  withBrowser,
  async (t) => {
    const person = await furnishAccount(service);
    const { page } = await open(t, { person, path: `/a/${person.slug}/` });
    const chart = page.locator('.line-chart');
    for (const width of [1280, 820, 390]) {
      await page.setViewportSize({ width, height: 800 });
      await chart.waitFor();
      const height = await chart.evaluate((svg: SVGSVGElement) => {
        const text = svg.querySelector('text') ?? svg;
        return parseFloat(getComputedStyle(text).fontSize) * (svg.getScreenCTM()?.a ?? 0);
      });
      assert.ok(height > 11.9, `${height} px at ${width} px`);
    }
  },
);

test(
  'sums of an account without a currency have the sign of its country',
  withBrowser,
  async (t) => {
    const person = await furnishAccount(service);
    const key = await service.key(person.slug, 'all');
    const patch = (url: string, payload: object) =>
      service.send({ method: 'PATCH', url, key, headers: { 'if-match': '*' }, payload });
    await patch('/api/v1/organization', { defaultCurrency: null });
    const { body } = await service.send({ url: '/api/v1/stock/units?status=Reserved', key });
    await patch(`/api/v1/stock/units/${body.data[0].id}`, { currency: null });
    const { page } = await open(t, { person, path: `/a/${person.slug}/` });
    await page.getByText('$810,000', { exact: true }).first().waitFor();
  },
);
