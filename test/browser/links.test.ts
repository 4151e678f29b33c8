import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { runInTransaction } from '../../src/platform/database/index.ts';
import { createLink, formatLink, invitePerson, resetPerson } from '../../src/users/index.ts';
import { accountFile, accountIdOf } from '../support/accounts.ts';
import { addPerson, PASSWORD } from '../support/people.ts';
import { run } from '../support/sql.ts';
import { codeOf } from '../support/totp.ts';
import { withBrowser } from './chromium.ts';
import { serveConsole } from './console.ts';

const NEXT = 'a ruru calls at dusk';

const { service, url, open, enter } = await serveConsole();
const { db } = service;

const heading = (page: Page, name: string | RegExp) =>
  page.getByRole('heading', { level: 1, name }).waitFor();
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

/** Makes a start link: for the owner of the demo, or for the first owner of an account. */
async function makeStartLink(slug: string, accountId: string, userId: string | null) {
  const { token } = await runInTransaction(db, (tx) => createLink(tx, accountId, 'start', userId));
  return formatLink(url, slug, 'start', token);
}

async function makeEmptyAccount(): Promise<{ slug: string; accountId: string }> {
  const slug = `empty-${randomBytes(6).toString('hex')}`;
  await service.load(accountFile(slug));
  return { slug, accountId: await accountIdOf(db, { slug }) };
}

test(
  'the link of the demo signs its owner in once, and leaves the address bar',
  withBrowser,
  async (t) => {
    const { slug, accountId, id } = await addPerson(service, { role: 'owner' });
    const link = await makeStartLink(slug, accountId, id);
    const { page } = await open(t, { path: link });
    await heading(page, 'Start with Tūī Ridge');
    await page.waitForURL(`${url}/a/${slug}/start`);
    await page.reload();
    await heading(page, 'Start with Tūī Ridge');
    await press(page, 'Sign in');
    await heading(page, 'Home');
    const { page: other } = await open(t, { path: link });
    await heading(other, 'This link does not work any more');
    // A new link that is pasted into the same tab differs only after the #.
    await other.goto(await makeStartLink(slug, accountId, id));
    await heading(other, 'Start with Tūī Ridge');
  },
);

test('a start link makes the first owner of an account', withBrowser, async (t) => {
  const { slug, accountId } = await makeEmptyAccount();
  const link = await makeStartLink(slug, accountId, null);
  const { page } = await open(t, { path: link });
  await page.getByLabel('Name').fill('Hana Parata');
  await page.getByLabel('Email').fill('hana@people.example');
  await page.getByLabel('Password', { exact: true }).fill(NEXT);
  await press(page, 'Start');
  await heading(page, 'Home');
  const { page: other } = await open(t, { path: link });
  await heading(other, 'This link does not work any more');
  await other.getByText(`users invite ${slug} you@example.com --role owner`).waitFor();
});

test('a link whose page cannot be loaded says so, and opens by Reload', withBrowser, async (t) => {
  const { slug, accountId } = await makeEmptyAccount();
  const link = await makeStartLink(slug, accountId, null);
  const { page, watch } = await open(t);
  watch.allow(/\/assets\/|dynamically imported module/);
  await page.route('**/assets/open-link-*.js', async (route) => route.fulfill({ status: 404 }));
  await page.goto(link);
  await heading(page, 'A new version is ready');
  await page.unroute('**/assets/open-link-*.js');
  await press(page, 'Reload');
  await heading(page, 'Start with Tūī Ridge');
});

test('an expired link says who can make a new one', withBrowser, async (t) => {
  const { slug, accountId, email } = await addPerson(service);
  const { token } = await invitePerson(db, accountId, { email, role: 'agent' });
  await run(
    db,
    `update sign_in_links set expires_at = now() - interval '1 second' where account_id = $1`,
    [accountId],
  );
  const { page } = await open(t, { path: formatLink(url, slug, 'invite', token) });
  await heading(page, 'This link does not work any more');
  await page.getByText('Ask an owner or manager for a new one.').waitFor();
});

for (const kind of ['invite', 'reset'] as const)
  test(`a link of the kind ${kind} sets a password, which signs in`, withBrowser, async (t) => {
    const person = await addPerson(service, { role: 'manager' });
    const { slug, accountId, email } = person;
    const made =
      kind === 'invite'
        ? await invitePerson(db, accountId, { email, role: 'manager' })
        : await resetPerson(db, accountId, email);
    const { page } = await open(t, { path: formatLink(url, slug, kind, made?.token ?? '') });
    await page.getByLabel('Password', { exact: true }).fill(NEXT);
    await press(page, kind === 'invite' ? 'Join' : 'Set the password');
    await heading(page, 'Home');
    const { page: other } = await open(t, { path: `/a/${slug}/` });
    await other.getByLabel('Email').fill(email);
    await other.getByLabel('Password', { exact: true }).fill(NEXT);
    await press(other, 'Sign in');
    await heading(other, 'Home');
  });

test(
  'a weak password is refused under its field, and the link stays usable',
  withBrowser,
  async (t) => {
    const { slug, accountId, email } = await addPerson(service);
    const { token } = await invitePerson(db, accountId, { email, role: 'agent' });
    const { page } = await open(t, { path: formatLink(url, slug, 'invite', token) });
    const field = page.getByLabel('Password', { exact: true });
    await field.fill('passwordpassword');
    await press(page, 'Join');
    await page.locator('[aria-invalid=true]').waitFor();
    assert.equal(await field.inputValue(), 'passwordpassword');
    await field.fill(NEXT);
    await press(page, 'Join');
    await heading(page, 'Home');
  },
);

test(
  'the second step is set up when the account asks for it, and a recovery code signs in once',
  withBrowser,
  async (t) => {
    const person = await addPerson(service, { role: 'owner' });
    await run(db, `update accounts set second_step_for = 'everybody' where account_id = $1`, [
      person.accountId,
    ]);
    const { page } = await open(t, { person, path: `/a/${person.slug}/` });
    await heading(page, 'Turn your second step on');
    await page.locator('h1:focus').waitFor();
    await page.route('**/sign-out', (route) => route.fulfill({ status: 502, body: '' }));
    await press(page, 'Sign out');
    await page.getByText('The service could not be reached. Check your').waitFor();
    const secret = (await page.locator('.copy-text pre').innerText()).replaceAll(' ', '');
    await page.getByLabel('Code of the app').fill(codeOf(secret));
    await press(page, 'Turn on');
    const codes = page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem');
    const code = await codes.first().innerText();
    // The heading of the codes.
    await page.locator('h3:focus').waitFor();
    await press(page, 'I have kept them');
    await heading(page, 'Home');

    async function signIn(text: string): Promise<Page> {
      const { page: other } = await open(t, { path: `/a/${person.slug}/` });
      await other.getByLabel('Email').fill(person.email);
      await other.getByLabel('Password', { exact: true }).fill(PASSWORD);
      await press(other, 'Sign in');
      await other.getByLabel('Code').fill(text);
      await press(other, 'Sign in');
      return other;
    }
    await heading(await signIn(code), 'Home');
    await (await signIn(code)).getByRole('alert').waitFor();
    // The code of the app that turned it on is used up.
    await heading(await signIn(codeOf(secret, 1)), 'Home');
  },
);

test(
  'a session that was ended elsewhere asks to sign in again, over the page',
  withBrowser,
  async (t) => {
    const person = await addPerson(service, { role: 'owner' });
    const { context, page } = await open(t, { person, path: `/a/${person.slug}/` });
    await heading(page, 'Home');
    const { context: other } = await enter(t, { person });
    const ended = await other.request.delete('/api/v1/me/sessions', { headers: { origin: url } });
    assert.equal(ended.status(), 204, await ended.text());
    await page.reload();
    await heading(page, /^Sign in/);
    assert.equal((await context.request.get('/api/v1/me')).status(), 401);
  },
);
