import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PASSWORD } from '../support/people.ts';
import { until } from '../support/until.ts';
import { furnishAccount } from './account.ts';
import { withBrowser } from './chromium.ts';
import { serveConsole } from './console.ts';
import { readFocus } from './contact-list.ts';
import { checkFocus, tabBackTo, tabTo } from './keys.ts';

const { service, open } = await serveConsole();

/** The heading of the page that each letter opens after G. */
const PAGE_KEYS = {
  h: 'Home',
  c: 'Contacts',
  p: 'Pipeline',
  s: 'Stock',
  i: 'Import log',
  d: 'Duplicates',
};

test(
  'a person signs in, finds a contact, sets the stage, writes a note and signs out by keys alone',
  withBrowser,
  async (t) => {
    const person = await furnishAccount(service);
    const { page } = await open(t, { path: `/a/${person.slug}/sign-in` });
    const heading = (name: string | RegExp) =>
      page.getByRole('heading', { level: 1, name }).waitFor();
    await tabTo(page, page.getByLabel('Email'));
    await page.keyboard.type(person.email);
    await tabTo(page, page.getByLabel('Password', { exact: true }));
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press('Enter');
    await heading('Home');
    await checkFocus(page, 'signing in');

    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.type('Kaur 13');
    await page.getByRole('option', { name: /Ana Kaur 13/ }).waitFor();
    await page.keyboard.press('Enter');
    await heading('Ana Kaur 13');
    await checkFocus(page, 'the palette');

    await page.keyboard.press('s');
    await page.getByRole('menuitemradio', { name: 'Qualified' }).waitFor();
    await page.locator('.popup-panel :focus').waitFor();
    await page.keyboard.type('Qua');
    await page.keyboard.press('Enter');
    await page.getByText(/^Stage of .* changed to/).waitFor();
    await checkFocus(page, 'the stage');

    await page.keyboard.press('n');
    await page.keyboard.type('Wants a north-facing lot.');
    await page.keyboard.press('Control+Enter');
    await page.getByRole('listitem').getByText('Wants a north-facing lot.').waitFor();
    await checkFocus(page, 'the note');

    await tabTo(page, page.getByRole('button', { name: /account and profile$/ }));
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Sign out' }).waitFor();
    await page.locator('.popup-panel :focus').waitFor();
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await heading(/^Sign in/);
    await checkFocus(page, 'signing out');
  },
);

test(
  'a person moves a card on the board by keys alone, and a screen reader says where it is',
  withBrowser,
  async (t) => {
    const { slug, email } = await furnishAccount(service, { contactCount: 3 });
    const { page } = await open(t, { person: { slug, email }, path: `/a/${slug}/pipeline` });
    await tabTo(page, page.getByRole('button', { name: 'Move Ana Kaur 0', exact: true }));
    await page.keyboard.press('Enter');
    const card = page.getByRole('listitem').filter({ hasText: 'Ana Kaur 0' });
    const opacity = await card.evaluate((each) => getComputedStyle(each).opacity);
    assert.equal(opacity, '1', 'the text of the card that is moved has its full contrast');
    await tabTo(page, page.getByRole('group', { name: /^Qualified,/ }));
    // The page soon removes the text for screen readers, so begin to wait for it before the key is pressed.
    const announced = page.locator('[aria-live=assertive]').getByText('Drop complete.');
    const saved = page.getByRole('status').getByText('Ana Kaur 0 is at Qualified now');
    await Promise.all([
      announced.waitFor({ state: 'attached' }),
      saved.waitFor(),
      page.keyboard.press('Enter'),
    ]);
    const cards = page.getByRole('group', { name: /^Qualified,/ }).getByRole('listitem');
    await cards.filter({ hasText: 'Ana Kaur 0' }).waitFor();
    await checkFocus(page, 'moving the card');
    const read = { url: '/api/v1/contacts?q=Kaur+0', key: await service.key(slug, 'all') };
    await until(async () => (await service.send(read)).body.data[0].stage === 'Qualified');
  },
);

test('a person links a lot to a contact by keys alone', withBrowser, async (t) => {
  const person = await furnishAccount(service, { contactCount: 1 });
  const { page } = await open(t, { person, path: `/a/${person.slug}/contacts` });
  await page.getByRole('heading', { level: 1, name: 'Contacts' }).waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.type('Kaur 0');
  await page.getByRole('option', { name: /Ana Kaur 0/ }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Ana Kaur 0' }).waitFor();
  await tabTo(page, page.getByRole('button', { name: 'Link a project or unit' }));
  await page.keyboard.press('Enter');
  await page.keyboard.type('Townhouse 3');
  await page.getByRole('option', { name: /Townhouse 3/ }).waitFor();
  const linked = page.getByRole('status').getByText('Link added');
  await Promise.all([linked.waitFor(), page.keyboard.press('Enter')]);
  await page.getByRole('listitem').filter({ hasText: 'Townhouse 3, 2 bed' }).waitFor();
  await checkFocus(page, 'linking');
});

test(
  'a change of several contacts, and its message, never lose the focus of the keyboard',
  withBrowser,
  async (t) => {
    const person = await furnishAccount(service);
    const { page } = await open(t, { person, path: `/a/${person.slug}/contacts` });
    await tabTo(page, page.locator('[data-row="0"] > [data-cell="0"]'));
    await page.keyboard.press('Space');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Space');
    const setStage = page.getByRole('button', { name: 'Set stage' });
    await tabBackTo(page, setStage);
    await page.keyboard.press('Enter');
    await page.getByRole('combobox', { name: 'New stage' }).waitFor();
    await page.keyboard.press('Escape');
    await until(() => setStage.evaluate((button) => button === document.activeElement));
    await page.keyboard.press('Enter');
    const { promise: isSeen, resolve: goOn } = Promise.withResolvers<void>();
    await page.route('**/api/v1/contacts/bulk', async (route) => {
      await isSeen;
      await route.continue();
    });
    await page.getByRole('combobox', { name: 'New stage' }).waitFor();
    await page.keyboard.type('Viewing');
    await tabTo(page, page.getByRole('button', { name: 'Change 2 contacts' }));
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Stop' }).waitFor();
    await checkFocus(page, 'the start of the change');
    goOn();
    await page.getByText('2 contacts changed').waitFor();
    await until(async () => (await readFocus(page)) === '1/0');
    await tabTo(page, page.getByRole('button', { name: 'Close' }));
    await page.keyboard.press('Enter');
    await page.getByText('2 contacts changed').waitFor({ state: 'detached' });
    assert.equal(await readFocus(page), '1/0');
  },
);

test(
  'on a phone, the bar at the bottom never covers the control with the focus',
  withBrowser,
  async (t) => {
    const person = await furnishAccount(service);
    const { page } = await open(t, { person, device: 'phone', path: `/a/${person.slug}/profile` });
    await page.getByRole('button', { name: 'Turn on' }).waitFor();
    const bar = await page.getByRole('navigation').filter({ visible: true }).boundingBox();
    assert.ok(bar);
    const readBottom = () =>
      page.evaluate(() => {
        const control = document.activeElement;
        if (control === null || control === document.body || control.closest('nav')) return null;
        return control.getBoundingClientRect().bottom;
      });
    for (;;) {
      await page.keyboard.press('Tab');
      const bottom = await readBottom();
      if (bottom === null) break;
      assert.ok(bottom <= bar.y, `a control ends at ${bottom}, the bar begins at ${bar.y}`);
    }
  },
);

test(
  '"/" goes to the search of a page, and opens the palette on a page without one',
  withBrowser,
  async (t) => {
    const person = await furnishAccount(service, { contactCount: 1 });
    const { page } = await open(t, { person, path: `/a/${person.slug}/` });
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
    await page.keyboard.press('/');
    await page.getByRole('dialog').getByRole('combobox').waitFor();
    await page.keyboard.type('Contacts');
    await page
      .getByRole('option', { name: /^Contacts/ })
      .first()
      .waitFor();
    await page.keyboard.press('Enter');
    const search = page.getByRole('searchbox');
    await search.waitFor();
    await page.keyboard.press('/');
    assert.equal(await search.evaluate((field) => field === document.activeElement), true);
    assert.equal(await search.inputValue(), '');
  },
);

test('no letter is lost that is typed right after Ctrl K', withBrowser, async (t) => {
  const person = await furnishAccount(service, { contactCount: 1 });
  const { page } = await open(t, { person, path: `/a/${person.slug}/contacts` });
  // The page loads the palette after its data.
  await until(() =>
    page.evaluate(async () => {
      const urls = performance.getEntriesByType('resource').map(({ name }) => name);
      const script = urls.find((url) => url.includes('/palette-') && url.endsWith('.js'));
      if (script !== undefined) await import(script);
      return script !== undefined;
    }),
  );
  await page.keyboard.press('Control+k');
  await page.keyboard.type('ana kaur');
  const palette = page.getByRole('combobox', { name: 'Search' });
  assert.equal(await palette.inputValue(), 'ana kaur');
});

test('"G" and a letter open the pages', withBrowser, async (t) => {
  const person = await furnishAccount(service, { contactCount: 1 });
  const { page } = await open(t, { person, path: `/a/${person.slug}/profile` });
  const heading = (name: string) => page.getByRole('heading', { level: 1, name }).waitFor();
  await heading('Profile');
  for (const [key, name] of Object.entries(PAGE_KEYS)) {
    await page.keyboard.press('g');
    await page.keyboard.press(key);
    await heading(name);
    await checkFocus(page, `G ${key}`);
  }
  // In a list, S alone edits the stage.
  await page.keyboard.press('g');
  await page.keyboard.press('c');
  await page.locator('[data-row="0"] > [data-cell="1"]').focus();
  await page.keyboard.press('g');
  await page.keyboard.press('s');
  await heading('Stock');
  // In a field, they are text.
  await page.getByRole('searchbox').first().fill('');
  await page.keyboard.type('gh');
  assert.equal(await page.getByRole('searchbox').first().inputValue(), 'gh');
});

test(
  'the focus stays on the page when the button that had it goes, such as the cross of a filter',
  withBrowser,
  async (t) => {
    const person = await furnishAccount(service);
    const base = `/a/${person.slug}`;
    const { page } = await open(t, { person, path: `${base}/contacts?stage=New&source=Website` });
    const press = async (name: string, at = 0) => {
      const button = page.getByRole('button', { name }).nth(at);
      await button.press('Enter');
      await button.waitFor({ state: 'detached' });
      await checkFocus(page, name);
    };
    await press('Remove the filter Stage');
    await page.goto(`${base}/contacts?q=nobody+has+this`);
    await press('Clear filters');
    // The cross beside the filters, and the button of the empty list.
    for (const at of [0, 1]) {
      await page.goto(`${base}/stock?q=nothing+has+this`);
      await press('Clear filters', at);
    }
    await page.goto(`${base}/contacts?q=Kaur+3`);
    await page.getByRole('link', { name: 'Ana Kaur 3', exact: true }).click();
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Archive' }).click();
    await press('Restore');
  },
);
