import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import type { Role } from '../../src/access/index.ts';
import { PROJECT_ID } from '../support/accounts.ts';
import { addPerson } from '../support/people.ts';
import { run } from '../support/sql.ts';
import { until } from '../support/until.ts';
import { furnishAccount } from './account.ts';
import { withBrowser } from './chromium.ts';
import { serveConsole } from './console.ts';
import { DEVICE_NAMES, showInEachLook, type Device } from './looks.ts';
import type { Watch } from './watch.ts';

const { service, enter } = await serveConsole();

type Test = Parameters<typeof enter>[0];

/**
 * Opens the page of Ana Kaur 0 in an account of its own, in as many browsers as are asked for, each of another person. The page
 * takes keys once its heading has the focus.
 */
async function openContact(
  t: Test,
  {
    role = 'owner',
    browsers = 1,
    device = 'desktop',
  }: { role?: Role; browsers?: number; device?: Device } = {},
) {
  const person = await furnishAccount(service, { role });
  const key = await service.key(person.slug, 'all');
  const url = `/api/v1/contacts?q=${encodeURIComponent('ana.0@leads.example')}&include=links`;
  const read = async () => (await service.send({ url, key })).body.data[0];
  const { id } = await read();
  const change = async (payload: object) =>
    service.send({ method: 'PATCH', url: `/api/v1/contacts/${id}`, key, payload });
  const tabs: { page: Page; watch: Watch }[] = [];
  for (let count = 0; count < browsers; count += 1) {
    const visitor = count === 0 ? person : await addPerson(service, { role, slug: person.slug });
    const session = await enter(t, { person: visitor, device });
    const tab = await session.open(t, `/a/${person.slug}/contacts/${id}`);
    const heading = tab.page.getByRole('heading', { level: 1, name: 'Ana Kaur 0' });
    await heading.and(tab.page.locator(':focus')).waitFor();
    tabs.push(tab);
  }
  const [tab = assert.fail('no tab'), { page: other } = tab] = tabs;
  return { person, key, id: id as string, read, change, ...tab, other };
}

const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const element = document.activeElement;
    return element?.getAttribute('aria-label') ?? element?.textContent ?? '';
  });

const untilFocused = (page: Page, name: string): Promise<void> =>
  until(async () => (await focused(page)) === name);

/** Waits until the page of a contact from a list shows its place there, and takes keys. */
async function untilAt(page: Page, place: string): Promise<void> {
  await page.getByText(place, { exact: true }).waitFor();
  await page.locator('h1:focus').waitFor();
}

const value = (page: Page, label: string) => page.getByRole('button', { name: `Edit ${label}:` });

test('a contact is called, noted, moved on and linked by keys alone', withBrowser, async (t) => {
  const { page, read, id, key } = await openContact(t);
  await page.keyboard.press('n');
  assert.equal(await page.evaluate(() => document.activeElement?.tagName), 'TEXTAREA');
  await page.keyboard.type('Wants to see the north-facing lots.');
  await page.keyboard.press('Control+Enter');
  await page.getByText('Note saved').waitFor();
  await page.getByRole('listitem').filter({ hasText: 'wrote a note' }).first().waitFor();
  assert.equal(await page.evaluate(() => document.activeElement?.tagName), 'TEXTAREA');

  await page.getByRole('radio', { name: 'Call' }).focus();
  await page.keyboard.press('Space');
  await page.getByLabel('Outcome').fill('No answer');
  await page.keyboard.press('Control+Enter');
  await page.getByText('called · No answer').waitFor();

  await page.keyboard.press('Escape');
  await page.keyboard.press('s');
  await page.getByRole('menuitemradio', { name: 'Contacted' }).waitFor();
  await page.locator('.popup-panel :focus').waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await until(async () => (await read()).stage === 'Contacted');
  await page.waitForFunction(() => document.activeElement?.ariaLabel === 'Stage: Contacted');

  await page.keyboard.press('t');
  await page.keyboard.type('North-facing');
  await page.getByRole('option', { name: 'Make the tag “North-facing”' }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByText('Tag North-facing added').waitFor();
  assert.equal(await focused(page), 'Add a tag');
  await page.keyboard.press('t');
  await page.keyboard.type('north-facing');
  await page.getByText('This contact has the tag.').waitFor();
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: 'Link a project or unit' }).focus();
  await page.keyboard.press('Enter');
  await page.keyboard.type('Townhouse 2');
  await page.getByRole('option', { name: /Townhouse 2/ }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByText('Link added').waitFor();
  await page.getByText('$805,000').waitFor();
  assert.equal(await focused(page), 'Link a project or unit');
  const [link] = (await read()).links;
  const unit = await service.send({ url: `/api/v1/stock/units/${link.unitId}`, key });
  assert.equal(unit.body.name, 'Townhouse 2');
  const made = await service.send({ url: `/api/v1/contacts/${id}/activities`, key });
  assert.deepEqual(
    made.body.data.map((each: { type: string; outcome: string }) => [each.type, each.outcome]),
    [
      ['call', 'No answer'],
      ['note', null],
    ],
  );
});

test(
  'a contact that is reserved on its page or in the list is asked for its unit, as on the board',
  withBrowser,
  async (t) => {
    const { page, person, key, read, watch } = await openContact(t);
    const readUnit = async (name: string) =>
      (await service.send({ url: `/api/v1/stock/units?q=${name}`, key })).body.data[0];
    const dialog = page.getByRole('dialog', { name: 'Which unit is Reserved?' });
    async function reserve(unit: string): Promise<void> {
      await page.keyboard.press('s');
      await page.getByRole('menuitemradio', { name: 'Reserved' }).press('Enter');
      // No key that follows another one is lost, since the page has loaded the scripts of the menu and the dialog already.
      await page.keyboard.type(unit);
      await page.keyboard.press('Enter');
      await dialog.getByRole('checkbox', { name: `Also set ${unit} to Reserved` }).waitFor();
      await page.keyboard.press('Enter');
      await dialog.waitFor({ state: 'detached' });
    }

    await until(() =>
      page.evaluate(async () => {
        const urls = performance.getEntriesByType('resource').map(({ name }) => name);
        const scripts = urls.filter((url) =>
          /\/(ask-unit|popup-panel|menu-list)-.*\.js$/.test(url),
        );
        await Promise.all(scripts.map((script) => import(script)));
        return scripts.length === 3;
      }),
    );
    watch.allow(/ERR_FAILED/);
    await page.route('**/assets/*.js', async (route) => route.abort());
    await reserve('Townhouse 1');
    await page.unroute('**/assets/*.js');
    await page.getByText('Stage of Ana Kaur 0 changed to Reserved').waitFor();
    await page.getByRole('listitem').filter({ hasText: 'Townhouse 1' }).first().waitFor();
    assert.equal(await focused(page), 'Stage: Reserved');
    assert.equal((await read()).links[0].unitId, (await readUnit('Townhouse 1')).id);
    assert.equal((await readUnit('Townhouse 1')).status, 'Reserved');
    // A contact with a unit is not asked again.
    await page.keyboard.press('s');
    await page.getByRole('menuitemradio', { name: 'Settled' }).press('Enter');
    await page.getByText('Stage of Ana Kaur 0 changed to Settled').waitFor();

    await page.goto(`/a/${person.slug}/contacts?q=ana.7@leads.example`);
    const row = page.getByRole('row').filter({ hasText: 'Ana Kaur 7' });
    await row.getByRole('gridcell').nth(1).click();
    await page.keyboard.press('s');
    await page.getByRole('menuitemradio', { name: 'Reserved' }).press('Enter');
    await dialog.waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await row.getByText('New', { exact: true }).waitFor();
    await reserve('Townhouse 2');
    await row.getByText('Reserved', { exact: true }).waitFor();
    await row.getByText('Townhouse 2').waitFor();
    assert.equal((await readUnit('Townhouse 2')).status, 'Reserved');
  },
);

test(
  'lots to link are those of the project that the contact asked about, then those for sale, then the sold ones',
  withBrowser,
  async (t) => {
    const { page, id, key } = await openContact(t);
    const send = async (url: string, payload: object) =>
      (await service.send({ method: 'POST', url: `/api/v1${url}`, key, payload })).body;
    const addUnits = (projectId: string, units: [name: string, status: string][]) =>
      send(`/stock/projects/${projectId}/units`, {
        units: units.map(([name, status]) => ({ name, lotNumber: 'Lot 12', status })),
      });
    const aro = await send('/stock/projects', { slug: 'aro', name: 'Aro Lofts' });
    // More sold lots than a list of options has, before the others in the order of the stock.
    const sold = Array.from({ length: 25 }, (_, n): [string, string] => [`Gone ${n}`, 'Settled']);
    await addUnits(aro.id, [...sold, ['Loft B', 'Under Contract'], ['Loft A', 'Available']]);
    await addUnits(PROJECT_ID, [
      ['House B', 'Settled'],
      ['House A', 'On Hold'],
    ]);
    await send(`/contacts/${id}/links`, { projectId: PROJECT_ID });
    await page.reload();
    await page.getByRole('link', { name: 'Tūī Ridge' }).waitFor();
    await page.getByRole('button', { name: 'Link a project or unit' }).press('Enter');
    await page.keyboard.type('lot 12');
    const options = page.getByRole('listbox').last().getByRole('option');
    await options.filter({ hasText: 'Gone' }).first().waitFor();
    await options.filter({ hasText: 'Townhouse' }).first().waitFor({ state: 'detached' });
    const shown = (await options.allInnerTexts()).map((option) => option.split('\n').slice(0, 2));
    assert.deepEqual(shown.slice(0, 5), [
      ['House A, Lot 12 · Tūī Ridge', 'On Hold'],
      ['House B, Lot 12 · Tūī Ridge', 'Settled'],
      ['Loft A, Lot 12 · Aro Lofts', 'Available'],
      ['Loft B, Lot 12 · Aro Lofts', 'Under Contract'],
      ['Gone 0, Lot 12 · Aro Lofts', 'Settled'],
    ]);
  },
);

test(
  'any lot of a project with thousands of units is found by its number, and named with it',
  withBrowser,
  async (t) => {
    const { page, key } = await openContact(t);
    const send = async (url: string, payload: object) =>
      (await service.send({ method: 'POST', url: `/api/v1${url}`, key, payload })).body;
    // The name of the project has a number, too.
    const aro = await send('/stock/projects', { slug: 'aro', name: 'Aro Lofts 1' });
    // Each name begins with 10, and the lots are in the opposite order of the names.
    const units = Array.from({ length: 2_000 }, (_, n) => ({
      name: `10 Aro Street, Apartment ${100 + n}`,
      lotNumber: 2_000 - n,
      status: 'Available',
    }));
    await send(`/stock/projects/${aro.id}/units`, { units: units.slice(0, 1_000) });
    await send(`/stock/projects/${aro.id}/units`, { units: units.slice(1_000) });
    await page.getByRole('button', { name: 'Link a project or unit' }).press('Enter');
    const field = page.getByRole('combobox', { name: 'Project, unit or lot' });
    const found = page.getByRole('option').filter({ hasText: '·' });
    const findUnit = async (text: string, expected: string): Promise<void> => {
      await field.fill(text);
      await found.first().filter({ hasText: expected }).waitFor();
    };
    await findUnit('10', '10 Aro Street, Apartment 2090, Lot 10 · Aro Lofts 1');
    await findUnit('aro 1', '10 Aro Street, Apartment 2099, Lot 1 · Aro Lofts 1');
    await findUnit('lot 7', '10 Aro Street, Apartment 2093, Lot 7 · Aro Lofts 1');
    await findUnit('apartment 101', '10 Aro Street, Apartment 101, Lot 1999 · Aro Lofts 1');
    let requests = 0;
    page.on('request', (request) => {
      if (request.url().includes('/stock/units?')) requests += 1;
    });
    await findUnit('lot 1985', '10 Aro Street, Apartment 115, Lot 1985 · Aro Lofts 1');
    assert.equal(requests, 1);
  },
);

test('the units to link are in view when their field is at the bottom', withBrowser, async (t) => {
  const { page } = await openContact(t);
  await page.setViewportSize({ width: 1280, height: 480 });
  const button = page.getByRole('button', { name: 'Link a project or unit' });
  await button.evaluate((element) => element.scrollIntoView({ block: 'end' }));
  await button.press('Enter');
  await page.keyboard.type('Townhouse');
  await page.getByRole('option', { name: /Townhouse 2/ }).waitFor();
  await until(async () => {
    const list = await page.getByRole('listbox').boundingBox();
    return list !== null && list.height > 100 && list.y + list.height <= 480;
  });
});

test(
  'a field is edited where it stands, and Undo brings the old value back',
  withBrowser,
  async (t) => {
    const { page, read } = await openContact(t);
    await value(page, 'company').click();
    await page.getByRole('textbox', { name: 'Company' }).fill('Kauri Ltd');
    await page.keyboard.press('Enter');
    await page.getByText('Company of Ana Kaur 0 changed to Kauri Ltd').waitFor();
    assert.equal(await focused(page), 'Edit company: Kauri Ltd');
    await page.getByRole('button', { name: /^Hana, .*History of company/ }).waitFor();
    await until(async () => (await read()).companyName === 'Kauri Ltd');
    await page.keyboard.press('Control+z');
    await page.getByText('Company of Ana Kaur 0 removed').waitFor();
    await until(async () => (await read()).companyName === null);
    await page.keyboard.press('F2');
    await page.keyboard.type('Typed by mistake');
    await page.keyboard.press('Escape');
    assert.match(await focused(page), /^Edit company: Not known/);
  },
);

test('Undo of a new tag removes it, and says so', withBrowser, async (t) => {
  const { page, read } = await openContact(t);
  const tags = async () => (await read()).tags.map(({ label }: { label: string }) => label);
  const before = await tags();
  await page.keyboard.press('t');
  await page.keyboard.type('North-facing');
  await page.getByRole('option', { name: 'Make the tag “North-facing”' }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByText('Tag North-facing added').waitFor();
  await page.keyboard.press('Control+z');
  await page.getByText('Tag North-facing removed').waitFor();
  assert.deepEqual(await tags(), before);
});

test(
  'a tag and an interest that are being saved stay on the screen when the contact is read again',
  withBrowser,
  async (t) => {
    const { page, read, change } = await openContact(t);
    const save = Promise.withResolvers<void>();
    await page.route(/\/contacts\/[^/]+\/(tags|links)/, async (route) => {
      await save.promise;
      await route.continue();
    });
    await page.keyboard.press('t');
    await page.keyboard.type('North-facing');
    await page.getByRole('option', { name: 'Make the tag “North-facing”' }).waitFor();
    await page.keyboard.press('Enter');
    const tag = page.getByRole('button', { name: 'Remove the tag North-facing' });
    await tag.waitFor();
    await page.getByRole('button', { name: 'Link a project or unit' }).press('Enter');
    await page.keyboard.type('Townhouse 2');
    await page.getByRole('option', { name: /Townhouse 2/ }).waitFor();
    await page.keyboard.press('Enter');
    const interest = page.getByRole('button', { name: 'Unlink Townhouse 2' });
    await interest.waitFor();
    await change({ cityName: 'Taupō' });
    await value(page, 'city').getByText('Taupō').waitFor();
    assert.deepEqual([await tag.count(), await interest.count()], [1, 1]);
    save.resolve();
    await page.getByText('Tag North-facing added').waitFor();
    await page.getByText('Link added').waitFor();
    const { tags, links } = await read();
    assert.ok(tags.some(({ label }: { label: string }) => label === 'North-facing'));
    assert.equal(links.length, 1);
  },
);

test(
  'a new tag that could not be sent is named with the reason, and Try again adds it',
  withBrowser,
  async (t) => {
    const { page, watch, read } = await openContact(t);
    watch.allow(/ERR_INTERNET_DISCONNECTED/);
    await page.route('**/tags', (route) => route.abort('internetdisconnected'), { times: 1 });
    await page.keyboard.press('t');
    await page.keyboard.type('North-facing');
    await page.getByRole('option', { name: 'Make the tag “North-facing”' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('North-facing: The service could not be reached.').waitFor();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('Tag North-facing added').waitFor();
    const { tags } = await read();
    assert.ok(tags.some(({ label }: { label: string }) => label === 'North-facing'));
  },
);

test(
  'a time in the history stands whole after a name from right to left',
  withBrowser,
  async (t) => {
    const { page, change } = await openContact(t);
    await change({ companyName: 'مريم بنت يوسف' });
    const time = page.locator('.timeline-line', { hasText: 'مريم' }).locator('time');
    // The positions of the dot, the first digit and the last letter of "· 10:09 am".
    const [dot = 0, digit = 0, letter = 0] = await time.evaluate((element) => {
      const range = document.createRange();
      const texts = [...element.childNodes].map((node) => ({ node, text: node.textContent ?? '' }));
      return [/·/, /\d/, /m$/].map((pattern) => {
        const found = texts.find(({ text }) => pattern.test(text));
        const at = found?.text.search(pattern) ?? 0;
        range.setStart(found?.node ?? element, at);
        range.setEnd(found?.node ?? element, at + 1);
        return range.getBoundingClientRect().x;
      });
    });
    assert.ok(dot < digit && digit < letter, `${dot}, ${digit}, ${letter}`);
  },
);

test('a refused value stays in its field, with the reason', withBrowser, async (t) => {
  const { page, read } = await openContact(t);
  await value(page, 'email').click();
  const field = page.getByRole('textbox', { name: 'Email', exact: true });
  await field.fill('ana@@leads');
  await field.press('Enter');
  await page
    .getByRole('alert')
    .getByText(/^Email must be an email address/)
    .waitFor();
  await field.fill('ana.1@leads.example');
  await field.press('Enter');
  await page.getByRole('alert').getByText('Another contact has this email').waitFor();
  assert.equal(await field.inputValue(), 'ana.1@leads.example');
  await untilFocused(page, 'Email');
  await field.fill('');
  await field.press('Enter');
  await page
    .getByRole('alert')
    .getByText(/^Email must be an email address/)
    .waitFor();
  assert.equal((await read()).email, 'ana.0@leads.example');
});

test(
  'a value that was stored although its answer was lost is saved by Save without a question, and Undo brings the old one',
  withBrowser,
  async (t) => {
    const { page, watch, read } = await openContact(t);
    watch.allow(/ERR_INTERNET_DISCONNECTED/);
    let isLost = false;
    await page.route('**/api/v1/contacts/*', async (route) => {
      // The page may also read the contact again meanwhile.
      if (isLost || route.request().method() !== 'PATCH') return route.continue();
      isLost = true;
      await route.fetch();
      await route.abort('internetdisconnected');
    });
    await value(page, 'company').click();
    const field = page.getByRole('textbox', { name: 'Company' });
    await field.fill('Kauri & Co');
    await field.press('Enter');
    await page.getByText('so this is not saved. Save it again.').waitFor();
    assert.equal((await read()).companyName, 'Kauri & Co');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Company of Ana Kaur 0 changed to Kauri & Co').waitFor();
    assert.equal(await page.getByRole('dialog').count(), 0);
    await page.getByRole('button', { name: 'Undo' }).click();
    await until(async () => (await read()).companyName === null);
  },
);

test(
  'a first whole name that is refused stays in its field, with the reason',
  withBrowser,
  async (t) => {
    const { page } = await openContact(t);
    await page.route('**/api/v1/contacts/*', async (route) => {
      if (route.request().method() !== 'PATCH') return route.continue();
      const problem = { status: 403, code: 'insufficient_scope', title: 'No' };
      return route.fulfill({ status: 403, json: problem, contentType: 'application/problem+json' });
    });
    await page.getByText('More details').click();
    await value(page, 'name').click();
    const field = page.getByRole('textbox', { name: 'Name', exact: true });
    await field.fill('Ana of the Kauri');
    await field.press('Enter');
    await page.getByRole('alert').first().waitFor();
    assert.equal(await field.inputValue(), 'Ana of the Kauri');
  },
);

test(
  'a first whole name that is saved stays in its place, and the focus on it',
  withBrowser,
  async (t) => {
    const { page, read } = await openContact(t);
    await page.getByText('More details').click();
    await value(page, 'name').click();
    const field = page.getByRole('textbox', { name: 'Name', exact: true });
    await field.fill('Ana of the Kauri');
    await field.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Ana of the Kauri' }).waitFor();
    await until(async () => (await read()).name === 'Ana of the Kauri');
    assert.equal(await focused(page), 'Edit name: Ana of the Kauri');
  },
);

test(
  'a phone with text of 200 % shows the buttons and the values of a contact in its width',
  withBrowser,
  async (t) => {
    const { page } = await openContact(t, { device: 'phone' });
    const email = page.locator('[data-field=email] > dd');
    await showInEachLook(page, async (look) => {
      await until(
        async () => (await page.evaluate(() => document.documentElement.scrollWidth)) === 390,
      );
      const box = await email.boundingBox();
      assert.ok(box !== null && box.width >= 120, `${look}: ${box?.width} px for the email`);
    });
  },
);

test('a tablet shows a viewer the source of each value below it', withBrowser, async (t) => {
  const { page } = await openContact(t, { role: 'viewer', device: 'phone' });
  await page.setViewportSize({ width: 820, height: 1180 });
  const isBelow = await page.getByRole('button', { name: / History of / }).evaluateAll((sources) =>
    sources.map((each) => {
      const { left } = each.getBoundingClientRect();
      return left === each.closest('dd')?.getBoundingClientRect().left;
    }),
  );
  assert.ok(isBelow.length > 3 && isBelow.every(Boolean), JSON.stringify(isBelow));
});

test(
  'a tablet, where the activity is below the details, has a button Note',
  withBrowser,
  async (t) => {
    const { page } = await openContact(t, { device: 'phone' });
    await page.setViewportSize({ width: 820, height: 1180 });
    await page.getByRole('button', { name: 'Note', exact: true }).click();
    assert.equal(await page.evaluate(() => document.activeElement?.tagName), 'TEXTAREA');
  },
);

test(
  'a phone shows Edit and Delete of an activity beside its text, in targets of 24 px',
  withBrowser,
  async (t) => {
    const { page } = await openContact(t, { device: 'phone' });
    await page.getByLabel('Write a note').fill('Wants a car park.');
    await page.getByRole('button', { name: 'Save note' }).click();
    const entry = page.getByRole('listitem').filter({ hasText: 'Wants a car park.' });
    const line = await entry.locator('.timeline-line > p').boundingBox();
    assert.ok(line);
    for (const name of ['Edit this note', 'Delete this note']) {
      const box = await entry.getByRole('button', { name }).boundingBox();
      assert.ok(box && box.width >= 24 && box.height >= 24, `${name}: ${JSON.stringify(box)}`);
      assert.ok(box.x >= line.x + line.width && box.y < line.y, `${name} is below the text`);
    }
  },
);

test(
  'a message stays until both the pointer and the focus have left it for ten seconds',
  withBrowser,
  async (t) => {
    const { page } = await openContact(t);
    await page.clock.install();
    await page.getByRole('button', { name: 'Link a project or unit' }).click();
    await page.locator('.picker-option').first().click();
    const message = page.locator('.toast');
    await message.hover();
    await message.getByRole('button', { name: 'Undo' }).focus();
    await page.mouse.move(0, 0);
    await page.clock.fastForward(11_000);
    assert.equal(await message.count(), 1);
    await message.getByRole('button', { name: 'Undo' }).blur();
    await page.clock.fastForward(9_000);
    assert.equal(await message.count(), 1);
    await page.clock.fastForward(2_000);
    await message.waitFor({ state: 'detached' });
  },
);

for (const device of DEVICE_NAMES)
  test(
    `the end of a contact and of an open list can be scrolled above the messages on a ${device}`,
    withBrowser,
    async (t) => {
      const { page } = await openContact(t, { device });
      const link = page.getByRole('button', { name: 'Link a project or unit' });
      await link.click();
      await page.locator('.picker-option').first().click();
      // The message stays while the pointer is on it.
      await page.locator('.toast').hover();
      await link.press('Enter');
      await page.locator('.picker-option').nth(3).waitFor();
      await until(() =>
        page.evaluate(() => {
          scrollTo(0, document.documentElement.scrollHeight);
          const ends = [...document.querySelectorAll('.card, .picker-list')].map(
            (part) => part.getBoundingClientRect().bottom,
          );
          const message = document.querySelector('.toast')?.getBoundingClientRect();
          return message !== undefined && Math.max(...ends) <= message.top;
        }),
      );
    },
  );

test(
  'a contact without a number has a button that opens the phone, in place of Call',
  withBrowser,
  async (t) => {
    const { page, read, change } = await openContact(t, { device: 'phone' });
    await change({ phone: null, mobilePhone: null });
    await page.getByRole('button', { name: 'Add a phone' }).click();
    await page.locator('[data-field=phone] input').fill('021 555 0142');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Call' }).waitFor();
    await until(async () => (await read()).phone === '021 555 0142');
  },
);

test(
  'two people change a field: the second sees both values and chooses',
  withBrowser,
  async (t) => {
    const { page, other, read } = await openContact(t, { browsers: 2 });
    await value(page, 'company').click();
    await page.getByRole('textbox', { name: 'Company' }).fill('Mine');
    await value(other, 'company').click();
    await other.getByRole('textbox', { name: 'Company' }).fill('Theirs');
    await other.keyboard.press('Enter');
    await until(async () => (await read()).companyName === 'Theirs');
    // The change of the other person comes in, and replaces nothing in the open field.
    await page.getByRole('button', { name: /^Hana, .*History of company/ }).waitFor();
    assert.equal(await page.getByRole('textbox', { name: 'Company' }).inputValue(), 'Mine');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Somebody else changed this' });
    await dialog.getByRole('cell', { name: 'Theirs' }).waitFor();
    await dialog.getByRole('cell', { name: 'Mine' }).waitFor();
    assert.equal((await read()).companyName, 'Theirs');
    await dialog.getByRole('button', { name: 'Use mine' }).click();
    await until(async () => (await read()).companyName === 'Mine');
  },
);

test(
  'Undo of the older of two edits says that the person has changed it since, and asks',
  withBrowser,
  async (t) => {
    const { page, read } = await openContact(t);
    const messages = page.getByRole('status', { name: 'Messages' });
    for (const phone of ['021 555 0001', '021 555 0002']) {
      await value(page, 'phone').click();
      await page.getByRole('textbox', { name: 'Phone' }).fill(phone);
      await page.keyboard.press('Enter');
      await messages.getByText(`Phone of Ana Kaur 0 changed to ${phone}`).waitFor();
    }
    const { phone: typed } = await read();
    assert.equal(typed, '021 555 0002');
    await messages.getByRole('button', { name: 'Undo' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'You changed this since' });
    await dialog.getByText(/^You changed it .+, here or in another tab/).waitFor();
    await dialog.getByRole('row', { name: /^Phone 021 555 0002/ }).waitFor();
    await dialog.getByRole('button', { name: 'Undo anyway' }).click();
    await until(async () => ![typed, '021 555 0001'].includes((await read()).phone));
  },
);

test(
  'Escape in the dialog of a conflict leads back to the typed text, and the source of the other value is shown',
  withBrowser,
  async (t) => {
    const { page, read, change } = await openContact(t);
    await value(page, 'company').click();
    const field = page.getByRole('textbox', { name: 'Company' });
    await field.fill('Mine');
    await change({ companyName: 'Theirs' });
    await field.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Somebody else changed this' });
    await dialog.getByRole('cell', { name: 'Theirs' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('This was changed meanwhile, so nothing is done.').waitFor();
    assert.equal(await field.inputValue(), 'Mine');
    await untilFocused(page, 'Company');
    await page.getByRole('button', { name: /History of company$/ }).waitFor();
    await page.keyboard.press('Enter');
    await dialog.getByRole('button', { name: 'Keep theirs' }).click();
    await value(page, 'company').getByText('Theirs').waitFor();
    await page.getByRole('button', { name: /History of company$/ }).waitFor();
    assert.equal((await read()).companyName, 'Theirs');
  },
);

test(
  'a change of another field meanwhile is no conflict, and shows by itself',
  withBrowser,
  async (t) => {
    const { page, read, change } = await openContact(t);
    await value(page, 'company').click();
    await page.getByRole('textbox', { name: 'Company' }).fill('Mine');
    await change({ cityName: 'Taupō' });
    await value(page, 'city').getByText('Taupō').waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('Company of Ana Kaur 0 changed to Mine').waitFor();
    const { companyName, cityName } = await read();
    assert.deepEqual([companyName, cityName], ['Mine', 'Taupō']);
  },
);

test(
  'a value that is not saved without a network says so in its field when the network is back, until Save or Escape',
  withBrowser,
  async (t) => {
    const { page, watch, person, id, read } = await openContact(t);
    // The page may still be loading what a button opens.
    watch.allow(/ERR_INTERNET_DISCONNECTED/);
    const before = await read();
    const field = page.getByRole('textbox', { name: 'Phone', exact: true });
    const reason = page
      .getByRole('alert')
      .getByText('The service could not be reached, so this is not saved.');
    await page.context().setOffline(true);
    await value(page, 'phone').click();
    await field.fill('021 555 0199');
    await field.press('Enter');
    await reason.waitFor();
    await page.context().setOffline(false);
    await page.getByRole('link', { name: 'Pipeline' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'Pipeline' }).waitFor();
    await page.goBack();
    await reason.waitFor();
    assert.equal(await field.inputValue(), '021 555 0199');
    assert.equal((await read()).phone, before.phone);
    await page.reload();
    await reason.waitFor();
    await untilFocused(page, 'Ana Kaur 0');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await until(async () => (await read()).phone === '021 555 0199');
    await reason.waitFor({ state: 'detached' });
    // The page has the answer, too, before the network goes.
    await page.getByRole('button', { name: 'Undo', exact: true }).waitFor();
    await page.context().setOffline(true);
    await value(page, 'phone').click();
    await field.fill('021 555 0100');
    await field.press('Enter');
    await reason.waitFor();
    await page.context().setOffline(false);
    // The field stays while the person types the stored value on the way to another one.
    await field.fill(before.phone ?? '');
    await reason.waitFor({ state: 'detached' });
    assert.equal(await field.inputValue(), before.phone ?? '');
    await field.press('Escape');
    await value(page, 'phone').waitFor();
    await page.goto(`/a/${person.slug}/contacts/${id}`);
    await value(page, 'phone').waitFor();
  },
);

test(
  'a value that is refused after the person has left the page has a message that opens it again',
  withBrowser,
  async (t) => {
    const { page, read } = await openContact(t);
    const { promise: isLeft, resolve: leave } = Promise.withResolvers<void>();
    await page.route('**/api/v1/contacts/*', async (route) => {
      if (route.request().method() !== 'PATCH') return route.continue();
      await isLeft;
      const problem = { status: 403, code: 'insufficient_access', title: 'No' };
      return route.fulfill({ status: 403, json: problem, contentType: 'application/problem+json' });
    });
    await value(page, 'company').click();
    await page.getByRole('textbox', { name: 'Company' }).fill('Kauri Homes');
    await page.getByRole('link', { name: 'Pipeline' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'Pipeline' }).waitFor();
    leave();
    await page.getByText('Company of Ana Kaur 0 was not changed.').waitFor();
    await page.getByRole('button', { name: 'Open', exact: true }).click();
    const field = page.getByRole('textbox', { name: 'Company' });
    await field.waitFor();
    assert.equal(await field.inputValue(), 'Kauri Homes');
    await page.unroute('**/api/v1/contacts/*');
    await field.press('Enter');
    await until(async () => (await read()).companyName === 'Kauri Homes');
    await page.reload();
    await value(page, 'company').getByText('Kauri Homes').waitFor();
  },
);

test(
  'a value that is typed and not saved yet outlives a reload, also below More details, and keeps the version it was typed over',
  withBrowser,
  async (t) => {
    const { page, read, change } = await openContact(t);
    await page.getByText('More details').click();
    await value(page, 'suburb').click();
    const field = page.getByRole('textbox', { name: 'Suburb' });
    await field.fill('Mine');
    await page.reload();
    await page.getByText('This is not saved yet').waitFor();
    assert.equal(await field.inputValue(), 'Mine');
    await change({ suburbName: 'Theirs' });
    await field.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Somebody else changed this' });
    await dialog.getByRole('cell', { name: 'Theirs' }).waitFor();
    await dialog.getByRole('button', { name: 'Use mine' }).click();
    await until(async () => (await read()).suburbName === 'Mine');
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Ana Kaur 0' }).waitFor();
    await page.getByText('More details').click();
    await value(page, 'suburb').getByText('Mine').waitFor();
  },
);

test(
  'a value that the service stored while the page was loaded again does not come back after a later change',
  withBrowser,
  async (t) => {
    const { page, read, change } = await openContact(t);
    await page.route('**/api/v1/contacts/*', async (route) => {
      if (route.request().method() !== 'PATCH') return route.continue();
      // Hold the answer back, for ever.
      await route.fetch();
    });
    await value(page, 'company').click();
    await page.getByRole('textbox', { name: 'Company' }).fill('Kauri Homes');
    await page.keyboard.press('Enter');
    await until(async () => (await read()).companyName === 'Kauri Homes');
    await page.reload();
    await value(page, 'company').getByText('Kauri Homes').waitFor();
    await change({ companyName: 'Theirs' });
    await value(page, 'company').getByText('Theirs').waitFor();
    assert.equal(await page.getByText('This is not saved yet').count(), 0);
  },
);

test('a note that is not saved outlives a reload', withBrowser, async (t) => {
  const { page } = await openContact(t);
  const note = page.getByLabel('Write a note');
  await note.fill('Half a note');
  await page.reload();
  await page.getByRole('heading', { level: 1, name: 'Ana Kaur 0' }).waitFor();
  assert.equal(await note.inputValue(), 'Half a note');
  await page.getByRole('button', { name: 'Save note' }).click();
  await page.getByRole('button', { name: 'Edit this note' }).click();
  await note.last().fill('A better');
  await page.reload();
  await until(async () => (await note.count()) === 2 && (await note.last().inputValue()) !== '');
  assert.equal(await note.last().inputValue(), 'A better');
  await untilFocused(page, 'Ana Kaur 0');
  await note.last().press('Control+Enter');
  await page.getByText('Note changed').waitFor();
  await page.reload();
  await page.getByRole('button', { name: 'Edit this note' }).waitFor();
});

/** Opens a contact and saves a note there. The service stores it, its answer is lost, and then this time passes. */
async function loseAnswer(t: Test, note: string, passedMs: number) {
  const opened = await openContact(t);
  const { page, watch } = opened;
  watch.allow(/ERR_INTERNET_DISCONNECTED/);
  await page.route('**/api/v1/contacts/*/activities', async (route) => {
    if (route.request().method() === 'POST') await route.fetch();
    await route.abort('internetdisconnected');
  });
  await page.getByLabel('Write a note').fill(note);
  await page.getByRole('button', { name: 'Save note' }).click();
  await page.getByText('The service could not be reached. Check your connection').waitFor();
  await page.unroute('**/api/v1/contacts/*/activities');
  await page.clock.setFixedTime(Date.now() + passedMs);
  return opened;
}

test(
  'a note whose answer was lost is written once, also when it is saved again after a reload',
  withBrowser,
  async (t) => {
    const { page, key, id } = await loseAnswer(t, 'Wants the corner lot', 50 * 60_000);
    await page.reload();
    await page.getByRole('button', { name: 'Save note' }).click();
    await page.getByText('Note saved').waitFor();
    const { body } = await service.send({ url: `/api/v1/contacts/${id}/activities`, key });
    assert.deepEqual(
      body.data.map((note: { body: string }) => note.body),
      ['Wants the corner lot'],
    );
    // The same text is a note of its own the next time.
    await page.getByLabel('Write a note').fill('Wants the corner lot');
    await page.getByRole('button', { name: 'Save note' }).click();
    await until(async () => {
      const again = await service.send({ url: `/api/v1/contacts/${id}/activities`, key });
      return again.body.data.length === 2;
    });
  },
);

test(
  'a note with the words of one whose answer was lost over an hour ago is a note of its own',
  withBrowser,
  async (t) => {
    const { page, key, id } = await loseAnswer(t, 'Called, no answer', 70 * 60_000);
    await page.getByRole('button', { name: 'Save note' }).click();
    await page.getByText('Note saved').waitFor();
    const { body } = await service.send({ url: `/api/v1/contacts/${id}/activities`, key });
    assert.equal(body.data.length, 2);
  },
);

test(
  'the reason why a note was not saved goes when the person types on, and is not beside the note of another contact',
  withBrowser,
  async (t) => {
    const person = await furnishAccount(service);
    const session = await enter(t, { person });
    const { page } = await session.open(t, `/a/${person.slug}/contacts?sort=name`);
    await page.getByRole('rowheader').first().click();
    await untilAt(page, '1 of 31');
    await page.keyboard.press('j');
    await untilAt(page, '2 of 31');
    await page.route('**/activities', async (route) =>
      route.request().method() === 'POST' ? route.abort() : route.continue(),
    );
    const note = page.getByLabel('Write a note');
    const reason = page.getByRole('alert').filter({ hasText: 'could not be reached' });
    await note.fill('Wants the corner lot');
    await note.press('Control+Enter');
    await reason.waitFor();
    await note.press('Escape');
    await page.keyboard.press('k');
    await untilAt(page, '1 of 31');
    assert.equal(await reason.count(), 0);
    await page.keyboard.press('j');
    await untilAt(page, '2 of 31');
    assert.equal(await note.inputValue(), 'Wants the corner lot');
    await note.press('Control+Enter');
    await reason.waitFor();
    await note.press('End');
    await page.keyboard.type(' or the next');
    await reason.waitFor({ state: 'detached' });
  },
);

/** Opens a contact, types a note and holds its request until `release` is called. */
async function holdNote(t: Test) {
  const opened = await openContact(t);
  const { promise: isReleased, resolve: release } = Promise.withResolvers<boolean>();
  await opened.page.route('**/activities', async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    return (await isReleased) ? route.continue() : route.abort();
  });
  const note = opened.page.getByLabel('Write a note');
  await note.fill('Wants the corner lot');
  await note.press('Control+Enter');
  return { ...opened, note, release };
}

test(
  'a note that is not saved after the person has left the contact has a message that opens it again',
  withBrowser,
  async (t) => {
    const { page, note, release } = await holdNote(t);
    await page.getByRole('link', { name: 'Pipeline' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'Pipeline' }).waitFor();
    release(false);
    await page.getByText('Note for Ana Kaur 0 was not saved. The service could not').waitFor();
    await page.getByRole('button', { name: 'Open', exact: true }).click();
    await note.waitFor();
    assert.equal(await note.inputValue(), 'Wants the corner lot');
  },
);

test('what is typed while a note is saved stays in its field', withBrowser, async (t) => {
  const { page, note, release } = await holdNote(t);
  await page.keyboard.type(' or the next');
  release(true);
  await page.getByText('Note saved').waitFor();
  assert.equal(await note.inputValue(), 'Wants the corner lot or the next');
});

test(
  'a phone number that is typed while a note is saved keeps the focus, and is saved as a whole',
  withBrowser,
  async (t) => {
    const { page, note, release, read } = await holdNote(t);
    await value(page, 'phone').click();
    await page.keyboard.type('021 555');
    release(true);
    await page.getByText('Note saved').waitFor();
    await page.keyboard.type(' 123');
    await page.keyboard.press('Enter');
    await value(page, 'phone').getByText('021 555 123').waitFor();
    await until(async () => (await read()).phone === '021 555 123');
    assert.equal(await note.inputValue(), '');
  },
);

test(
  'a note has the time at which it is saved, also when a time was typed for a call before',
  withBrowser,
  async (t) => {
    const { page, key, id } = await openContact(t);
    await page.locator('.activity-type').getByText('Call').click();
    await page.getByLabel('When').fill('2025-01-05T10:00');
    await page.locator('.activity-type').getByText('Note').click();
    await page.getByLabel('Write a note').fill('Wants the corner lot');
    await page.getByRole('button', { name: 'Save note' }).click();
    await page.getByText('Note saved').waitFor();
    const { body } = await service.send({ url: `/api/v1/contacts/${id}/activities`, key });
    const [{ occurredAt, createdAt }] = body.data;
    assert.equal(occurredAt.slice(0, 10), createdAt.slice(0, 10));
  },
);

test(
  'a budget that can be read in two ways stays as it was typed, and one with thousands is a number',
  withBrowser,
  async (t) => {
    const { page, read } = await openContact(t);
    for (const [typed, budget] of [
      ['850.000', '850.000'],
      ['1,4', '1,4'],
      ['$850,000', 850_000],
    ] as const) {
      await value(page, 'budget').click();
      await page.getByLabel('Budget', { exact: true }).fill(typed);
      await page.keyboard.press('Enter');
      await value(page, 'budget').getByText(typed).waitFor();
      await until(async () => (await read()).budget === budget);
    }
  },
);

test(
  'a contact is not assigned to Nobody while the list of people is read',
  withBrowser,
  async (t) => {
    const { page, person, change } = await openContact(t);
    const { id } = await addPerson(service, { slug: person.slug });
    await change({ assignedAccountUserId: id });
    const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
    await page.route(/\/api\/v1\/users(\?|$)/, async (route) => {
      await isReleased;
      return route.continue();
    });
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Ana Kaur 0' }).waitFor();
    await page.getByRole('button', { name: /^Assigned to/ }).waitFor();
    assert.equal(await page.getByText('Nobody').count(), 0);
    release();
    await page.getByRole('button', { name: 'Assigned to Hana' }).waitFor();
  },
);

test('what is typed while a note is changed stays in its field', withBrowser, async (t) => {
  const { page, key, id } = await openContact(t);
  await page.getByLabel('Write a note').fill('Wants a lot');
  await page.getByRole('button', { name: 'Save note' }).click();
  await page.getByRole('button', { name: 'Edit this note' }).click();
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/activities/*', async (route) => {
    await isReleased;
    return route.continue();
  });
  const note = page.getByLabel('Write a note').last();
  await note.fill('Wants the corner lot');
  await note.press('Control+Enter');
  await page.keyboard.type(' or the next');
  release();
  await page.getByText('Note changed').waitFor();
  assert.equal(await note.inputValue(), 'Wants the corner lot or the next');
  await note.press('Control+Enter');
  await page.getByRole('button', { name: 'Edit this note' }).waitFor();
  const { body } = await service.send({ url: `/api/v1/contacts/${id}/activities`, key });
  assert.equal(body.data[0].body, 'Wants the corner lot or the next');
});

test('the day before is yesterday also when the clocks change', withBrowser, async (t) => {
  const { page, person, id, key } = await openContact(t);
  await run(service.db, 'update accounts set time_zone = $1 where account_id = $2', [
    'Pacific/Auckland',
    person.accountId,
  ]);
  // The clocks went back on 6 April 2025, and forward on 28 September: an evening of 25 hours, and the night after 23.
  for (const [occurredAt, now] of [
    ['2025-04-05T00:00:00Z', '2025-04-06T11:30:00Z'],
    ['2025-09-28T00:00:00Z', '2025-09-28T11:30:00Z'],
  ] as const) {
    const url = `/api/v1/contacts/${id}/activities`;
    const payload = { type: 'call', body: `Called at ${occurredAt}`, occurredAt };
    await service.send({ method: 'POST', url, key, payload });
    await page.clock.setFixedTime(now);
    await page.reload();
    const day = page.locator('section').filter({ hasText: payload.body }).last();
    assert.equal(await day.getByRole('heading').textContent(), 'Yesterday');
  }
});

test('a note is edited and deleted, and the focus stays on the page', withBrowser, async (t) => {
  const { page } = await openContact(t);
  await page.getByLabel('Write a note').fill('First words');
  await page.getByRole('button', { name: 'Save note' }).click();
  await page.getByRole('button', { name: 'Edit this note' }).click();
  await page.getByLabel('Write a note').last().fill('Better words');
  await page.keyboard.press('Control+Enter');
  await page.getByText('Better words').waitFor();
  await page.waitForFunction(() => document.activeElement?.textContent === 'Edit this note');
  await page.getByRole('button', { name: 'Delete this note' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('Note deleted').waitFor();
  await page.getByText('Better words').waitFor({ state: 'detached' });
  assert.notEqual(await page.evaluate(() => document.activeElement?.tagName), 'BODY');
});

test(
  'a viewing in the future or in the year 26 is refused at its time, which has the focus',
  withBrowser,
  async (t) => {
    const { page } = await openContact(t);
    await page.getByRole('group', { name: 'Kind of activity' }).getByText('Viewing').click();
    await page.getByLabel('About the viewing').fill('Both of them');
    const when = page.getByLabel('When');
    await when.fill('2120-11-30T10:00');
    await page.keyboard.press('Control+Enter');
    await page.getByText('When must not be in the future').waitFor();
    assert.equal(await when.evaluate((each) => each === document.activeElement), true);
    await when.fill('0026-11-30T10:00');
    await page.getByLabel('About the viewing').focus();
    await page.keyboard.press('Control+Enter');
    assert.equal(await when.evaluate((each) => each === document.activeElement), true);
    await when.fill('2024-11-30T10:00');
    await page.keyboard.press('Control+Enter');
    await page.getByText('Viewing saved').waitFor();
  },
);

test('Undo of a note keeps what somebody else has written into it', withBrowser, async (t) => {
  const { page, id, key } = await openContact(t);
  await page.getByLabel('Write a note').fill('First words');
  await page.getByRole('button', { name: 'Save note' }).click();
  const undo = page.getByRole('status', { name: 'Messages' }).getByRole('button', { name: 'Undo' });
  await undo.waitFor();
  const list = { url: `/api/v1/contacts/${id}/activities`, key };
  const [note] = (await service.send(list)).body.data;
  const url = `/api/v1/activities/${note.id}`;
  await service.send({ method: 'PATCH', url, key, payload: { body: 'Better words' } });
  await undo.click();
  await page.getByText('This was changed meanwhile, so nothing is done.').waitFor();
  const bodies = (await service.send(list)).body.data.map(({ body }: { body: string }) => body);
  assert.ok(bodies.includes('Better words'), bodies.join());
  await page.getByRole('listitem').getByText('Better words').waitFor();
});

test('a value that an enquiry brought is taken over by a button', withBrowser, async (t) => {
  const { page, read, change, key } = await openContact(t);
  await change({ phone: '+64 21 555 0001' });
  await service.send({
    method: 'POST',
    url: '/api/v1/contacts',
    key,
    payload: { email: 'ana.0@leads.example', phone: '+64 21 555 0002' },
  });
  await page.getByRole('button', { name: 'Use this phone' }).click();
  await until(async () => (await read()).phone === '+64 21 555 0002');
  await page.getByText('in use').waitFor();
});

test('a person is erased after their email is typed, and is gone', withBrowser, async (t) => {
  const { page, id, key } = await openContact(t);
  const address = page.url();
  const countStored = () =>
    page.evaluate((part) => JSON.stringify(sessionStorage).split(part).length - 1, id);
  await page.getByLabel('Write a note').fill('Her phone is 021 555 0100');
  assert.ok((await countStored()) > 0, 'the tab keeps the note');
  // Everything of a session that was just signed in is confirmed.
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Erase this person' }).click();
  const dialog = page.getByRole('dialog', { name: 'Erase this person?' });
  await dialog.getByLabel(/^Type ana.0/).fill('another@leads.example');
  await dialog.getByRole('button', { name: 'Erase this person' }).click();
  await dialog.getByText('This is not the email of the contact.').waitFor();
  await dialog.getByLabel(/^Type ana.0/).fill('ana.0@leads.example');
  await dialog.getByRole('button', { name: 'Erase this person' }).click();
  await page.getByText('Person erased').waitFor();
  assert.equal(await countStored(), 0);
  const answer = await service.send({ url: `/api/v1/contacts/${id}`, key });
  assert.equal(answer.status, 404);
  await page.goto(address);
  await page.getByRole('heading', { level: 1, name: 'Contact not found' }).waitFor();
});

test('all that the service has of a person is a file', withBrowser, async (t) => {
  const { page, id } = await openContact(t);
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Download the person’s data' }).click();
  const file = await download;
  assert.equal(file.suggestedFilename(), 'ana.0@leads.example.json');
  const data = JSON.parse(await readFile(await file.path(), 'utf8'));
  assert.equal(data.contact.id, id);
});

test('a contact is archived, restored, and archived again by Undo', withBrowser, async (t) => {
  const { page, read, id, key } = await openContact(t);
  const isArchived = async () =>
    (await service.send({ url: `/api/v1/contacts/${id}`, key })).body.archivedAt !== null;
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Archive' }).click();
  await page.getByText('Ana Kaur 0 archived').waitFor();
  assert.equal(await read(), undefined);
  await page.getByRole('button', { name: 'Restore' }).click();
  await page.getByText('Ana Kaur 0 restored').waitFor();
  await until(async () => !(await isArchived()));
  await page.getByRole('heading', { level: 1 }).focus();
  await page.keyboard.press('Control+z');
  await page.getByText(/^Archived on/).waitFor();
  await until(isArchived);
});

test('the history calls tags that one request adds tags, not fields', withBrowser, async (t) => {
  const { page, key, id } = await openContact(t);
  const url = `/api/v1/contacts/${id}/tags`;
  await service.send({ method: 'POST', url, key, payload: { add: ['North', 'Garage'] } });
  await page.locator('.timeline-line', { hasText: 'changed tags' }).waitFor();
  assert.equal(await page.getByText(/changed \d fields/).count(), 0);
});

test(
  'a person who becomes a viewer while they edit keeps the focus on the page',
  withBrowser,
  async (t) => {
    const { page, person, key } = await openContact(t);
    await addPerson(service, { role: 'owner', slug: person.slug });
    await page.getByRole('button', { name: /^Edit email/ }).click();
    const editor = page.getByRole('textbox', { name: 'Email' });
    await editor.fill('ana@other.example');
    const url = `/api/v1/users/${person.id}`;
    const payload = { role: 'viewer' };
    const changed = await service.send({ method: 'PATCH', url, key, payload });
    assert.equal(changed.status, 200, changed.text);
    await editor.waitFor({ state: 'detached' });
    await page.locator('h1:focus').waitFor();
  },
);

test('the history of a field names each value, who gave it and when', withBrowser, async (t) => {
  const { page, change } = await openContact(t);
  await change({ stage: 'Qualified' });
  await page.getByRole('button', { name: /History of stage/ }).click();
  const dialog = page.getByRole('dialog', { name: 'History of stage' });
  await dialog.getByText('New → Qualified').waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  assert.match(await focused(page), /History of stage$/);

  await page.getByRole('button', { name: /History of source/ }).click();
  const close = page.getByRole('dialog', { name: 'History of source' }).getByRole('button');
  assert.ok(await close.locator('svg').isVisible(), 'the mark of Close shows without a pointer');
  await close.click();
});

test('the history of a field goes on below its latest 50 changes', withBrowser, async (t) => {
  const { page, change } = await openContact(t);
  for (let count = 1; count <= 60; count += 1) await change({ cityName: `City ${count}` });
  await page.getByText('More details').click();
  await page.getByRole('button', { name: /History of city/ }).click();
  const dialog = page.getByRole('dialog', { name: 'History of city' });
  const changes = dialog.getByRole('listitem');
  await changes.nth(49).waitFor();
  assert.equal(await changes.count(), 50);
  await dialog.getByRole('button', { name: 'Load more' }).click();
  await dialog.getByText('City 1', { exact: true }).waitFor();
  assert.equal(await changes.count(), 60);
  assert.equal(await dialog.getByRole('button', { name: 'Load more' }).count(), 0);
});

test('a viewer sees a contact, and no action that changes it', withBrowser, async (t) => {
  const { page } = await openContact(t, { role: 'viewer' });
  await page.getByText('Assigned to Nobody').waitFor();
  assert.deepEqual(
    await page
      .getByRole('button', { name: /^(Edit|Save|Add a tag|Link|Remove|Stage:|Assigned)/ })
      .all(),
    [],
  );
  for (const key of ['n', 't', 'e', 's', 'a']) await page.keyboard.press(key);
  assert.equal(await page.getByRole('textbox').count(), 0);
});

test('an agent assigns a contact to themselves or to nobody', withBrowser, async (t) => {
  const { page, read, person } = await openContact(t, { role: 'agent' });
  await page.keyboard.press('a');
  await page.getByRole('menuitemradio', { name: 'Hana (you)' }).waitFor();
  const names = await page.getByRole('menuitemradio').allTextContents();
  assert.deepEqual(names, ['Hana (you)', 'Nobody']);
  await page.getByRole('menuitemradio', { name: 'Hana (you)' }).click();
  await until(async () => (await read()).assignedAccountUserId === person.id);
});

test('a script in the fields of a contact stays text', withBrowser, async (t) => {
  const { page, change } = await openContact(t);
  const script = '<img src=x onerror="document.title=`run`"><script>document.title=`run`</script>';
  await change({ name: script, companyName: script, notes: script, phone: 'javascript:alert(1)' });
  await page.getByRole('heading', { level: 1, name: '<img src=x' }).waitFor();
  await value(page, 'company').getByText('<script>').waitFor();
  await until(async () => (await page.title()).startsWith('<img src=x'));
  assert.match(
    (await page.getByRole('link', { name: 'Call' }).getAttribute('href')) ?? '',
    /^tel:/,
  );
});

test(
  'Call dials the number without its extension, and a text without digits offers to add one',
  withBrowser,
  async (t) => {
    const { page, change } = await openContact(t);
    const call = page.getByRole('link', { name: 'Call' });
    await change({ phone: '+64 21 555 0199 ext 4', mobilePhone: null });
    await until(async () => (await call.getAttribute('href')) === 'tel:+64215550199');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Copy the phone' }).click();
    await page.getByText('Phone copied').waitFor();
    assert.equal(
      await page.evaluate(() => navigator.clipboard.readText()),
      '+64 21 555 0199 ext 4',
    );
    await change({ phone: 'unlisted' });
    await page.getByRole('button', { name: 'Add a phone' }).waitFor();
    assert.equal(await call.count(), 0);
    await change({ mobilePhone: '021 555 0175' });
    await until(async () => (await call.getAttribute('href')) === 'tel:0215550175');
  },
);

test(
  'J and K go through the list that the person came from, also after a reload',
  withBrowser,
  async (t) => {
    const person = await furnishAccount(service);
    const session = await enter(t, { person });
    const { page } = await session.open(t, `/a/${person.slug}/contacts?sort=name`);
    await page.getByRole('rowheader').first().click();
    await untilAt(page, '1 of 31');
    const heading = page.getByRole('heading', { level: 1 });
    const first = await heading.innerText();
    await page.keyboard.press('j');
    await untilAt(page, '2 of 31');
    await heading.filter({ hasNotText: first }).waitFor();
    const second = await heading.innerText();
    await page.reload();
    await untilAt(page, '2 of 31');
    await page.keyboard.press('k');
    await heading.filter({ hasText: first }).waitFor();
    await page.keyboard.press('j');
    await heading.filter({ hasText: second }).waitFor();
  },
);

test(
  'a message names its contact, also when the person is at the next one by now',
  withBrowser,
  async (t) => {
    const person = await furnishAccount(service);
    const session = await enter(t, { person });
    const { page } = await session.open(t, `/a/${person.slug}/contacts?sort=name`);
    await page.getByRole('rowheader').first().click();
    await untilAt(page, '1 of 31');
    const first = await page.getByRole('heading', { level: 1 }).innerText();
    const messages = page.getByRole('status', { name: 'Messages' });
    await page.keyboard.press('s');
    await page.getByRole('menuitemradio', { name: 'Qualified' }).click();
    await messages.getByText(`Stage of ${first} changed to Qualified`).waitFor();
    await page.keyboard.press('n');
    await page.keyboard.type('Called twice');
    await page.keyboard.press('Control+Enter');
    await messages.getByText(`Note saved for ${first}`).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('j');
    await untilAt(page, '2 of 31');
    await page.route('**/activities/*', async (route) => route.abort());
    await page.keyboard.press('Control+z');
    await messages.getByText(`${first}: The service could not be reached`).waitFor();
    await page.keyboard.press('Control+z');
    await messages.getByText(`Stage of ${first} is New again`).waitFor();
  },
);

/** Opens the first of 400 contacts from their list. `openLast` goes to the last contact that the list has loaded. */
async function openLongList(t: Test) {
  const person = await furnishAccount(service);
  const key = await service.key(person.slug, 'all');
  const nameOf = (index: number): string => `Zed ${String(index).padStart(3, '0')}`;
  const contacts = Array.from({ length: 400 }, (_, index) => ({
    name: nameOf(index),
    email: `zed.${index}@leads.example`,
  }));
  await service.send({ method: 'POST', url: '/api/v1/contacts/batch', key, payload: { contacts } });
  const session = await enter(t, { person });
  const { page } = await session.open(t, `/a/${person.slug}/contacts?sort=name&q=zed`);
  // The list reads two pages ahead, each of 100 rows.
  const loaded = 300;
  await page.waitForFunction(() => {
    const urls = performance.getEntriesByType('resource').map(({ name }) => new URL(name));
    const reads = urls.filter(({ search }) => search.includes('q=zed'));
    return new Set(reads.map(({ searchParams }) => searchParams.get('cursor'))).size === 3;
  });
  await page.getByRole('rowheader').first().click();
  await page.getByText('1 of 400', { exact: true }).waitFor();
  const heading = (index: number) =>
    page.getByRole('heading', { level: 1, name: nameOf(index) }).waitFor();
  async function openLast(): Promise<void> {
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search' }).fill(nameOf(loaded - 1));
    await page.getByRole('option', { name: new RegExp(nameOf(loaded - 1)) }).waitFor();
    await page.keyboard.press('Enter');
    await heading(loaded - 1);
  }
  return { page, loaded, heading, openLast };
}

test(
  'the button to the next contact goes on past the rows that the list has loaded',
  withBrowser,
  async (t) => {
    const { page, loaded, heading, openLast } = await openLongList(t);
    await openLast();
    await page.getByText(`${loaded} of 400`, { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Next', disabled: false }).waitFor();
    await page.keyboard.press('j');
    await heading(loaded);
  },
);

test(
  'the button to the next contact says why the list could not load more, and tries again',
  withBrowser,
  async (t) => {
    const { page, loaded, heading, openLast } = await openLongList(t);
    const more = /\/api\/v1\/contacts\?.*cursor=/;
    await page.route(more, async (route) => route.abort());
    await openLast();
    const next = page.getByRole('button', { name: 'Next', disabled: false });
    await next.click();
    await page.getByText('The service could not be reached. Check your connection').waitFor();
    await heading(loaded - 1);
    await page.unroute(more);
    await next.click();
    await heading(loaded);
  },
);

test(
  'a phone has targets for a finger on a contact, and names no keys that it has not got',
  withBrowser,
  async (t) => {
    const { page, change } = await openContact(t, { device: 'phone' });
    await change({ stage: 'Under Contract' });
    await page.getByRole('button', { name: 'Stage: Under Contract' }).waitFor();
    const rows = [/^Stage: /, /^Assigned to /, 'More actions'].map(async (name) => {
      const box = await page.getByRole('button', { name }).boundingBox();
      return box?.y;
    });
    assert.equal(new Set(await Promise.all(rows)).size, 1, 'the menus share a row');
    const isCut = await page
      .getByRole('button', { name: /^(Stage|Assigned to)/ })
      .evaluateAll((buttons) => buttons.map((each) => each.scrollWidth > each.clientWidth));
    assert.deepEqual(isCut, [false, false]);
    for (const name of [/^Edit email: /, /^Copy /, / History of /]) {
      const box = await page.getByRole('button', { name }).first().boundingBox();
      assert.ok(box !== null && box.height >= 44, `${name}: ${box?.height} px`);
    }
    const hint = page.getByText('Ctrl Enter saves');
    await hint.waitFor({ state: 'attached' });
    assert.equal(await hint.isVisible(), false);
  },
);

test(
  'a note that is being written when the contact is assigned to somebody else can be copied',
  withBrowser,
  async (t) => {
    const person = await furnishAccount(service, { role: 'agent' });
    const key = await service.key(person.slug, 'all');
    const send = async (method: 'PATCH', path: string, payload: object) => {
      const url = `/api/v1/${path}`;
      const answer = await service.send({
        method,
        url,
        key,
        headers: { 'if-match': '*' },
        payload,
      });
      assert.equal(answer.status, 200, answer.text);
    };
    const found = await service.send({ url: '/api/v1/contacts?sort=name&limit=1', key });
    const { id } = found.body.data[0];
    await send('PATCH', 'organization', { agentsSee: 'own' });
    await send('PATCH', `contacts/${id}`, { assignedAccountUserId: person.id });
    const session = await enter(t, { person });
    const { page, watch } = await session.open(t, `/a/${person.slug}/contacts/${id}`);
    await page.getByLabel('Write a note').fill('Wants the corner lot');
    const manager = await addPerson(service, { role: 'manager', slug: person.slug });
    watch.allow(/404/);
    await send('PATCH', `contacts/${id}`, { assignedAccountUserId: manager.id });
    await page.getByRole('heading', { level: 1, name: 'Contact not found' }).waitFor();
    await page.getByText('Wants the corner lot').waitFor();
    await page.getByRole('button', { name: 'Copy' }).waitFor();
  },
);

test('a filter of the timeline that does not exist is left out', withBrowser, async (t) => {
  const { page, id, person } = await openContact(t);
  await page.goto(`/a/${person.slug}/contacts/${id}?show=constructor`);
  await page.getByRole('heading', { level: 3 }).first().waitFor();
});
