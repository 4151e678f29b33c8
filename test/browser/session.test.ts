import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import type { BrowserContext, Page, Route } from 'playwright-core';
import { PROJECT_ID } from '../support/accounts.ts';
import { addPerson, PASSWORD, type TestPerson } from '../support/people.ts';
import { readRows, run } from '../support/sql.ts';
import { codeOf } from '../support/totp.ts';
import { until } from '../support/until.ts';
import { furnishAccount } from './account.ts';
import { withBrowser } from './chromium.ts';
import { serveConsole } from './console.ts';

const { service, url, open, enter } = await serveConsole();
const { db } = service;

const REFUSED = JSON.stringify({ code: 'forbidden', status: 403, title: 'Forbidden' });

const heading = (page: Page, name: string | RegExp) =>
  page.getByRole('heading', { level: 1, name }).waitFor();

async function openProfile(t: Parameters<typeof open>[0], person: TestPerson) {
  const opened = await open(t, { person, path: `/a/${person.slug}/profile` });
  await heading(opened.page, 'Profile');
  return opened;
}

/** Ends the sessions of a person, without the browser hearing of it. */
async function endSessions(context: BrowserContext, { accountId, id }: TestPerson): Promise<void> {
  // The first answer of 401 to the page removes the cookie.
  const headers = await readCookie(context);
  await run(db, 'delete from sessions where account_id = $1 and user_id = $2', [accountId, id]);
  // The service looks sessions up again within 250 ms.
  await until(async () => (await service.send({ url: '/api/v1/me', headers })).status === 401);
}

/** Reads the cookie of the session, as the header of a request. */
async function readCookie(context: BrowserContext): Promise<{ cookie: string }> {
  const [{ name, value } = assert.fail('no cookie')] = await context.cookies();
  return { cookie: `${name}=${value}` };
}

/** Makes the sessions of a person older than a fresh password may be. */
async function ageSessions(context: BrowserContext, { accountId, id }: TestPerson): Promise<void> {
  await run(
    db,
    `update sessions set confirmed_at = now() - interval '20 minutes'
     where account_id = $1 and user_id = $2`,
    [accountId, id],
  );
  const headers = await readCookie(context);
  const url = '/api/v1/exports/contacts?format=ndjson';
  // The service looks sessions up again within 250 ms.
  await until(async () => (await service.send({ url, headers })).status === 403);
}

async function signInAgain(page: Page, password = PASSWORD): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
  await dialog.getByLabel('Password', { exact: true }).fill(password);
  await dialog.getByRole('button', { name: 'Sign in' }).click();
}

test(
  'when the session ends, the text stays, and the refused request goes on after signing in',
  withBrowser,
  async (t) => {
    const person = await addPerson(service, { role: 'agent' });
    const { page, context } = await openProfile(t, person);
    await page.getByLabel('Name').fill('Hana Parata');
    await endSessions(context, person);
    await page.getByRole('button', { name: 'Save' }).click();
    await signInAgain(page, 'not the password');
    await page.getByText('The email, the password or the code is wrong.').waitFor();
    await signInAgain(page);
    await page.getByText('Name saved').waitFor();
    assert.equal(await page.getByLabel('Name').inputValue(), 'Hana Parata');
    const [row] = await readRows(db, 'select name from users where id = $1', [person.id]);
    assert.deepEqual(row, { name: 'Hana Parata' });
  },
);

test(
  'a person who closes the dialog of an ended session reads why what they typed is not saved',
  withBrowser,
  async (t) => {
    const person = await addPerson(service, { role: 'agent' });
    const { page, context } = await openProfile(t, person);
    await page.getByLabel('Name').fill('Hana Parata');
    await context.clearCookies();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('alert').getByText('Your session has ended. Sign in again.').waitFor();
    assert.equal(await page.getByLabel('Name').inputValue(), 'Hana Parata');
  },
);

test(
  'a name that is typed and not saved outlives a reload, and is the stored one after saving',
  withBrowser,
  async (t) => {
    const { page } = await openProfile(t, await addPerson(service));
    const name = page.getByLabel('Name');
    await name.fill('Hana Parata');
    await page.reload();
    await heading(page, 'Profile');
    assert.equal(await name.inputValue(), 'Hana Parata');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Name saved').waitFor();
    const stored = await page.evaluate(() => JSON.stringify(sessionStorage));
    assert.doesNotMatch(stored, /Hana Parata/);
  },
);

test(
  'a refused request also goes on when the person has signed in in another tab',
  withBrowser,
  async (t) => {
    const person = await addPerson(service, { role: 'agent' });
    const { page, context } = await openProfile(t, person);
    await page.getByLabel('Name').fill('Hana Parata');
    await endSessions(context, person);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor();
    const { slug: account, email } = person;
    const data = { account, email, password: PASSWORD };
    assert.equal((await context.request.post('/api/v1/sign-in', { data })).status(), 200);
    await page.evaluate(() => dispatchEvent(new Event('focus')));
    await page.getByText('Name saved').waitFor();
  },
);

test(
  'signing out in another tab asks to sign in again, and the text stays',
  withBrowser,
  async (t) => {
    const person = await addPerson(service, { role: 'agent' });
    const { page, context } = await openProfile(t, person);
    await page.getByLabel('Name').fill('Hana Parata');
    const headers = { origin: url };
    assert.equal((await context.request.post('/api/v1/sign-out', { headers })).status(), 204);
    await page.getByRole('button', { name: 'Save' }).click();
    await signInAgain(page);
    await page.getByText('Name saved').waitFor();
  },
);

test('a change that needs a fresh password asks for it, and goes on', withBrowser, async (t) => {
  const person = await addPerson(service, { role: 'owner' });
  const { page, context } = await open(t, { person, path: `/a/${person.slug}/settings/keys` });
  await heading(page, 'API keys');
  await ageSessions(context, person);
  await page.reload();
  await heading(page, 'API keys');
  await page.getByRole('button', { name: 'Create a key' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('website');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Confirm your password' });
  await dialog.getByLabel('Password', { exact: true }).fill('not the password');
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await dialog.getByText('The password is wrong.').waitFor();
  await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await page.getByRole('dialog', { name: 'The key website' }).waitFor();
});

test('an export asks for a fresh password, and then downloads the file', withBrowser, async (t) => {
  const person = await furnishAccount(service, { contactCount: 3 });
  const { page, context } = await open(t, { person, path: `/a/${person.slug}/contacts` });
  await page.getByText('4 contacts', { exact: true }).waitFor();
  await ageSessions(context, person);
  await page.getByRole('button', { name: 'Export' }).click();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download the file' }).click();
  const dialog = page.getByRole('dialog', { name: 'Confirm your password' });
  await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  const text = await readFile(await (await download).path(), 'utf8');
  assert.match(text, /^\uFEFFid,/);
  assert.equal(text.trimEnd().split('\n').length, 1 + 4);
});

test(
  'a price list is downloaded after the person whose session has ended has signed in',
  withBrowser,
  async (t) => {
    const person = await furnishAccount(service);
    const path = `/a/${person.slug}/stock/projects/${PROJECT_ID}?tab=price-list`;
    const { page, context } = await open(t, { person, path });
    const link = page.getByRole('link', { name: 'Download as CSV' });
    await link.waitFor();
    await context.clearCookies();
    // A request of the page may have opened the dialog already. It covers the link, so that a real click would wait.
    await link.dispatchEvent('click');
    const [download] = await Promise.all([page.waitForEvent('download'), signInAgain(page)]);
    assert.match(await readFile(await download.path(), 'utf8'), /Townhouse 1/);
  },
);

test('too many wrong passwords say when to try again', withBrowser, async (t) => {
  const person = await addPerson(service);
  const { page } = await open(t, { path: `/a/${person.slug}/sign-in` });
  await page.getByLabel('Email').fill(person.email);
  await page.getByLabel('Password', { exact: true }).fill('not the password');
  for (let attempt = 0; attempt < 10; attempt += 1) {
    const answer = page.waitForResponse(/sign-in/);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await answer;
    await page.getByText('The email, the password or the code is wrong.').waitFor();
  }
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText(/That was too many tries\. Try again in 1[45] minutes\./).waitFor();
});

test(
  'after signing out nothing of the person is left, and the next one sees their own pages',
  withBrowser,
  async (t) => {
    const owner = await addPerson(service, { role: 'owner' });
    const viewer = await addPerson(service, { role: 'viewer', slug: owner.slug });
    const { page } = await openProfile(t, owner);
    await page.getByRole('button', { name: /account and profile$/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await heading(page, /^Sign in/);
    await page.getByLabel('Email').fill(viewer.email);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await heading(page, 'Home');
    assert.equal(await page.getByRole('link', { name: 'Audit' }).count(), 0);
    await page.getByRole('link', { name: 'Settings' }).click();
    await heading(page, 'Account');
    await page.getByText('Owners can change these settings.').waitFor();
    assert.equal(await page.getByRole('link', { name: 'API keys' }).count(), 0);
  },
);

test(
  'a change that is refused after signing out asks the next person nothing, and is not sent as theirs',
  withBrowser,
  async (t) => {
    const owner = await addPerson(service, { role: 'owner' });
    const viewer = await addPerson(service, { role: 'viewer', slug: owner.slug });
    const { page } = await openProfile(t, owner);
    const { promise: isLeft, resolve: leave } = Promise.withResolvers<void>();
    const isChange = (method: string) => method === 'PATCH';
    await page.route(/\/me$/, async (route) => {
      if (isChange(route.request().method())) await isLeft;
      await route.continue();
    });
    await page.getByLabel('Name').fill('Hana Parata');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: /account and profile$/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await heading(page, /^Sign in/);
    const refused = page.waitForResponse((answer) => isChange(answer.request().method()));
    leave();
    assert.equal((await refused).status(), 401);
    await page.getByLabel('Email').fill(viewer.email);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await heading(page, 'Home');
    await page.getByRole('link', { name: 'Settings' }).click();
    await heading(page, 'Account');
    assert.equal(await page.getByRole('dialog').count(), 0);
    const names = await readRows(db, 'select name from users where account_id = $1', [
      owner.accountId,
    ]);
    assert.deepEqual(names, [{ name: 'Hana' }, { name: 'Hana' }]);
  },
);

test(
  'a person who signs out while the page reads who is signed in stays signed out',
  withBrowser,
  async (t) => {
    const person = await addPerson(service, { role: 'owner' });
    const { page } = await openProfile(t, person);
    const { promise: isAnswered, resolve: answer } = Promise.withResolvers<void>();
    const { promise: isLeft, resolve: leave } = Promise.withResolvers<void>();
    await page.route(
      /\/me$/,
      async (route) => {
        const response = await route.fetch();
        answer();
        await isLeft;
        await route.fulfill({ response });
      },
      { times: 1 },
    );
    // After this event, the page reads the person again.
    const payload = { location: 'Whangārei' };
    const key = await service.key(person.slug, 'all');
    await service.send({ method: 'PATCH', url: '/api/v1/organization', key, payload });
    await isAnswered;
    await page.getByRole('button', { name: /account and profile$/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await heading(page, /^Sign in/);
    const late = page.waitForResponse(/\/me$/);
    leave();
    await late;
    // The page has read the late answer when it has that of a later request.
    await page.evaluate(async () => (await fetch('/livez')).text());
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(drawn)));
    assert.equal(await page.getByRole('button', { name: 'Sign in' }).count(), 1);
    assert.equal(await page.getByRole('navigation').count(), 0);
  },
);

test('/?choose asks a signed-in person for an account', withBrowser, async (t) => {
  const person = await addPerson(service);
  const { page } = await open(t, { person });
  await heading(page, 'Home');
  const session = page.waitForResponse(/\/api\/v1\/me$/);
  await page.goto('/?choose');
  await session;
  await heading(page, 'Which account?');
  await page.getByLabel('Account').fill(person.slug);
  await page.keyboard.press('Enter');
  await heading(page, 'Home');
});

test('other sessions are ended from the profile', withBrowser, async (t) => {
  const person = await addPerson(service);
  const phone = await enter(t, { person });
  const { page } = await openProfile(t, person);
  const sessions = page.getByRole('region', { name: 'Sessions' });
  await sessions.getByText('This one').waitFor();
  assert.equal(await sessions.getByRole('listitem').count(), 2);
  await sessions.getByRole('button', { name: 'End all others' }).click();
  await page.getByText('All other sessions ended').waitFor();
  assert.equal((await phone.context.request.get('/api/v1/me')).status(), 401);
  await until(async () => (await sessions.getByRole('listitem').count()) === 1);
});

test('one session of several is ended from the profile', withBrowser, async (t) => {
  const person = await addPerson(service);
  const phone = await enter(t, { person });
  const { page, context } = await openProfile(t, person);
  const sessions = page.getByRole('region', { name: 'Sessions' });
  const other = sessions.getByRole('listitem').filter({ hasNotText: 'This one' });
  await other.getByRole('button', { name: /^End/ }).click();
  await other.waitFor({ state: 'detached' });
  assert.equal((await phone.context.request.get('/api/v1/me')).status(), 401);
  assert.equal((await context.request.get('/api/v1/me')).status(), 200);
});

test('the profile shows a session that began since it was last open', withBrowser, async (t) => {
  const person = await addPerson(service);
  const { page } = await openProfile(t, person);
  const sessions = page.getByRole('region', { name: 'Sessions' }).getByRole('listitem');
  await sessions.filter({ hasText: 'This one' }).waitFor();
  assert.equal(await sessions.count(), 1);
  await page.getByRole('link', { name: 'Home' }).click();
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
  await enter(t, { person });
  await page.goBack();
  await until(async () => (await sessions.count()) === 2);
});

test('the password is changed with the one of now', withBrowser, async (t) => {
  const person = await addPerson(service);
  const { page } = await openProfile(t, person);
  const change = async (current: string): Promise<void> => {
    await page.getByLabel('Current password', { exact: true }).fill(current);
    await page.getByLabel('New password', { exact: true }).fill('a ruru calls at dusk');
    await page.getByRole('button', { name: 'Change the password' }).click();
  };
  await change('not the password');
  await page.getByText('This is not your password.').waitFor();
  await change(PASSWORD);
  await page.getByText('Password changed.').waitFor();
  const { page: other } = await open(t, { path: `/a/${person.slug}/sign-in` });
  await other.getByLabel('Email').fill(person.email);
  await other.getByLabel('Password', { exact: true }).fill('a ruru calls at dusk');
  await other.getByRole('button', { name: 'Sign in' }).click();
  await heading(other, 'Home');
});

test('the colours of the console are the same in another browser', withBrowser, async (t) => {
  const person = await addPerson(service);
  const { page } = await openProfile(t, person);
  const stored = page.waitForResponse((answer) => answer.request().method() === 'PATCH');
  await page.getByRole('radio', { name: 'Dark' }).check();
  await page.locator('html[data-theme=dark]').waitFor();
  await stored;
  const { page: other } = await openProfile(t, person);
  await other.locator('html[data-theme=dark]').waitFor();
});

test(
  'a choice of colours shows before it is stored, and a refusal takes it back',
  withBrowser,
  async (t) => {
    const { page } = await openProfile(t, await addPerson(service));
    const refusal = Promise.withResolvers<void>();
    await page.route(/\/me$/, async (route) => {
      await refusal.promise;
      await route.fulfill({ status: 403, contentType: 'application/problem+json', body: REFUSED });
    });
    const dark = page.getByRole('radio', { name: 'Dark' });
    await dark.check();
    await page.locator('html[data-theme=dark]').waitFor();
    refusal.resolve();
    await page.locator('html:not([data-theme])').waitFor();
    await until(async () => !(await dark.isChecked()));
  },
);

test(
  'the second step is turned on with a code of the app, and off again',
  withBrowser,
  async (t) => {
    const person = await addPerson(service);
    const { page } = await openProfile(t, person);
    await page.getByRole('link', { name: 'Contacts', exact: true }).click();
    await heading(page, 'Contacts');
    await page.goBack();
    const card = page.getByRole('region', { name: 'Second step' });
    const focused = card.locator(':focus');
    const turnOn = card.getByRole('button', { name: 'Turn on' });
    await turnOn.click();
    await card.getByRole('img', { name: 'QR code for an authenticator app' }).waitFor();
    await focused.filter({ hasText: /^Scan the code/ }).waitFor();
    await card.getByRole('button', { name: 'Cancel' }).click();
    await card.getByText('It is off.').waitFor();
    await turnOn.and(focused).waitFor();
    await turnOn.click();
    await card.getByRole('img', { name: 'QR code for an authenticator app' }).waitFor();
    const secret = (await card.locator('pre').innerText()).replaceAll(' ', '');
    await card.getByLabel('Code of the app').fill(codeOf(secret, 10));
    await card.getByRole('button', { name: 'Turn on' }).click();
    await card.getByText('This is not the code that the app shows now.').waitFor();
    await card.getByLabel('Code of the app').fill(codeOf(secret));
    await card.getByRole('button', { name: 'Turn on' }).click();
    const dialog = page.getByRole('dialog', { name: 'Recovery codes' });
    await page.locator('h3:focus').waitFor();
    const codes = page.getByRole('list', { name: 'Recovery codes' });
    await page.emulateMedia({ media: 'print' });
    assert.equal(await codes.isVisible(), true);
    assert.equal(await page.locator('h1').isVisible(), false);
    await page.emulateMedia({ media: 'screen' });
    await page.goForward();
    await heading(page, 'Contacts');
    await page.goBack();
    await heading(page, 'Profile');
    assert.equal(await codes.getByRole('listitem').count(), 10);
    await dialog.getByRole('button', { name: 'I have kept them' }).click();
    await card.getByText('It is on.').waitFor();
    const turnOff = card.getByRole('button', { name: 'Turn off' });
    assert.equal(await page.locator('body:focus').count(), 0);
    await turnOff.click();
    await page.getByRole('dialog').getByRole('button', { name: 'Turn off' }).click();
    await card.getByText('It is off.').waitFor();
  },
);

test(
  'the secret of a second step stays the one that was scanned when the page reads its data again',
  withBrowser,
  async (t) => {
    const { page } = await openProfile(t, await addPerson(service));
    const stream = Promise.withResolvers<Route>();
    await page.route('**/api/v1/events?*', (route) => stream.resolve(route), { times: 1 });
    await page.reload();
    const ended = await stream.promise;
    const card = page.getByRole('region', { name: 'Second step' });
    await card.getByRole('button', { name: 'Turn on' }).click();
    const secret = await card.locator('pre').innerText();
    const again = page.waitForResponse('**/api/v1/me/sessions*');
    await ended.fulfill({ status: 503 });
    await again;
    await card.getByLabel('Code of the app').fill(codeOf(secret.replaceAll(' ', '')));
    await card.getByRole('button', { name: 'Turn on' }).click();
    await page.getByRole('button', { name: 'I have kept them' }).waitFor();
  },
);

test(
  'a session that ends while another dialog is open asks to sign in once that is closed',
  withBrowser,
  async (t) => {
    const person = await addPerson(service, { role: 'owner' });
    const { page, context } = await open(t, { person, path: `/a/${person.slug}/settings/keys` });
    await heading(page, 'API keys');
    await ageSessions(context, person);
    await page.getByRole('button', { name: 'Create a key' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('website');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Confirm your password' });
    await dialog.waitFor();
    const problem = { code: 'session_ended', status: 401, title: 'Ended', detail: 'It ended.' };
    const refuse = { status: 401, json: problem, contentType: 'application/problem+json' };
    await page.route('**/api/v1/me', (route) => route.fulfill(refuse), { times: 1 });
    const refused = page.waitForResponse((response) => response.status() === 401);
    // After this event, the page reads the person again.
    const payload = { location: 'Whangārei' };
    const key = await service.key(person.slug, 'all');
    await service.send({ method: 'PATCH', url: '/api/v1/organization', key, payload });
    await refused;
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await signInAgain(page);
    await page.getByRole('textbox', { name: 'Name' }).waitFor();
    assert.equal(await page.getByRole('textbox', { name: 'Name' }).inputValue(), 'website');
  },
);

test(
  'a page stays, with what is typed in it, when the person cannot be read again',
  withBrowser,
  async (t) => {
    const person = await addPerson(service, { role: 'owner' });
    const { page, watch } = await open(t, { person, path: `/a/${person.slug}/profile` });
    await page.getByLabel('Current password', { exact: true }).fill('half typed');
    watch.allow(/500/);
    let failed = 0;
    await page.route('**/api/v1/me', async (route) => {
      failed += 1;
      await route.fulfill({ status: 500, body: '' });
    });
    const key = await service.key(person.slug, 'all');
    const payload = { displayName: 'Rātā Heights' };
    await service.send({ method: 'PATCH', url: '/api/v1/organization', key, payload });
    await until(async () => failed >= 3);
    await page.unroute('**/api/v1/me');
    await page.getByRole('button', { name: /Rātā Heights/ }).waitFor();
    assert.equal(
      await page.getByLabel('Current password', { exact: true }).inputValue(),
      'half typed',
    );
  },
);
