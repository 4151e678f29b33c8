import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { invitePerson } from '../../src/users/index.ts';
import { addPerson, PASSWORD } from '../support/people.ts';
import { readRows, run } from '../support/sql.ts';
import { until } from '../support/until.ts';
import { addAgents } from './account.ts';
import { withBrowser } from './chromium.ts';
import { serveConsole, signIn } from './console.ts';

const runCommand = promisify(execFile);
const { service, open } = await serveConsole();

const heading = (page: Page, name: string | RegExp) =>
  page.getByRole('heading', { level: 1, name }).waitFor();

/** Opens a page of the settings, as a new person with this role. */
async function openSettings(
  t: Parameters<typeof open>[0],
  section: 'account' | 'people' | 'keys',
  role: 'owner' | 'manager' | 'viewer' = 'owner',
) {
  const person = await addPerson(service, { role });
  const opened = await open(t, { person, path: `/a/${person.slug}/settings/${section}` });
  return { ...opened, person };
}

test(
  'a person is invited, joins in another browser with their role, and is deactivated',
  withBrowser,
  async (t) => {
    const { page } = await openSettings(t, 'people');
    const giveTo = page.getByLabel('Give their contacts to');
    await page.getByRole('button', { name: 'Invite a person' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Tui Rangi');
    await page.getByRole('textbox', { name: 'Email' }).fill('tui@people.example');
    await page.getByRole('radio', { name: 'Manager' }).check();
    await page.reload();
    await page.getByRole('button', { name: 'Invite a person' }).click();
    assert.equal(await page.getByRole('textbox', { name: 'Name' }).inputValue(), 'Tui Rangi');
    assert.equal(await page.getByRole('radio', { name: 'Manager' }).isChecked(), true);
    await page.getByRole('radio', { name: 'Agent' }).check();
    await page.getByRole('button', { name: 'Invite', exact: true }).click();
    const shown = page.getByRole('dialog', { name: 'Invitation for Tui Rangi' });
    const link = await shown.locator('pre').innerText();
    await shown.getByRole('button', { name: 'Done' }).click();
    const row = page.getByRole('row', { name: /Tui Rangi/ });
    await row.getByText(/^Invited, until \d+ \w+ \d{4}$/).waitFor();

    const { page: other } = await open(t, { path: link });
    await other.getByText('Tui Rangi, tui@people.example').waitFor();
    await other.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await other.getByRole('button', { name: 'Join' }).click();
    await heading(other, 'Home');
    assert.equal(await other.getByRole('link', { name: 'Import log' }).count(), 0);

    await row.getByRole('button', { name: 'Change: Tui Rangi' }).click();
    await page.getByRole('menuitem', { name: 'Deactivate' }).click();
    await giveTo.selectOption({ label: 'Hana' });
    const dialog = page.getByRole('dialog', { name: 'Deactivate Tui Rangi?' });
    await dialog.getByText('No contact is assigned to Tui Rangi.').waitFor();
    await dialog.getByRole('button', { name: 'Deactivate' }).click();
    await page.getByText('Tui Rangi is deactivated').waitFor();
    await other.reload();
    await heading(other, /^Sign in/);
  },
);

test(
  'a person is deactivated, activated again, and signs in with a new password by the link of a reset',
  withBrowser,
  async (t) => {
    const { page, person } = await openSettings(t, 'people');
    const agent = await addPerson(service, { role: 'agent', slug: person.slug });
    await open(t, { person: agent });
    await page.reload();
    const row = page.getByRole('row', { name: agent.email });
    const act = async (action: string, button: string): Promise<void> => {
      await row.getByRole('button', { name: 'Change: Hana' }).click();
      await page.getByRole('menuitem', { name: action }).click();
      await page.getByRole('dialog').getByRole('button', { name: button }).click();
    };
    await act('Deactivate', 'Deactivate');
    await page.getByText('Hana is deactivated').waitFor();
    await row.waitFor({ state: 'detached' });
    await page.getByLabel('Show').selectOption({ label: 'Deactivated people' });
    await act('Activate', 'Activate');
    await page.getByText('Hana is active again').waitFor();
    await page.getByLabel('Show').selectOption({ label: 'Active people' });
    await act('Reset link', 'Make a reset link');
    const link = await page.getByRole('dialog').locator('pre').innerText();
    const { page: other } = await open(t, { path: link });
    await other.getByLabel('Password', { exact: true }).fill('another password of Hana');
    await other
      .getByRole('button', { name: /password/i })
      .last()
      .click();
    await heading(other, 'Home');
  },
);

test(
  'Activate says that a person without a password needs the invitation again',
  withBrowser,
  async (t) => {
    const { page, person } = await openSettings(t, 'people');
    const key = await service.key(person.slug, 'all');
    const payload = { name: 'Tui Rangi', email: 'tui@people.example', role: 'agent' };
    const made = await service.send({ method: 'POST', url: '/api/v1/users', key, payload });
    const url = `/api/v1/users/${made.body.id}/deactivate`;
    await service.send({ method: 'POST', url, key, payload: { reassignTo: null } });
    await page.getByLabel('Show').selectOption({ label: 'Deactivated people' });
    const change = page.getByRole('button', { name: 'Change: Tui Rangi' });
    await change.click();
    await page.getByRole('menuitem', { name: 'Activate' }).click();
    const dialog = page.getByRole('dialog', { name: 'Activate Tui Rangi?' });
    await dialog.getByText('They have no password yet. Send the invitation again').waitFor();
    await dialog.getByRole('button', { name: 'Activate' }).click();
    await page.getByText('Tui Rangi is active again').waitFor();
    await page.getByLabel('Show').selectOption({ label: 'Active people' });
    await change.click();
    await page.getByRole('menuitem', { name: 'Send the invitation again' }).waitFor();
  },
);

test('a person who is invited without a name is asked for it', withBrowser, async (t) => {
  const owner = await addPerson(service, { role: 'owner' });
  const person = { email: 'tui@people.example', role: 'agent' } as const;
  const { token } = await invitePerson(service.db, owner.accountId, person);
  const { page } = await open(t, { path: `/a/${owner.slug}/invite#${token}` });
  await page.getByText('tui@people.example', { exact: true }).waitFor();
  await page.getByRole('textbox', { name: 'Name' }).fill('Tui Rangi');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Join' }).click();
  await heading(page, 'Home');
  assert.deepEqual(
    await readRows(service.db, 'select name from users where account_id = $1 and email = $2', [
      owner.accountId,
      person.email,
    ]),
    [{ name: 'Tui Rangi' }],
  );
});

test(
  'an invitation that has expired says so, and is sent again with a link to copy',
  withBrowser,
  async (t) => {
    const { page, person } = await openSettings(t, 'people');
    const key = await service.key(person.slug, 'all');
    const payload = { name: 'Tui Rangi', email: 'tui@people.example', role: 'agent' };
    await service.send({ method: 'POST', url: '/api/v1/users', key, payload });
    await run(
      service.db,
      `update sign_in_links set expires_at = '2026-01-05T00:00:00Z' where account_id = $1`,
      [person.accountId],
    );
    await page.reload();
    const row = page.getByRole('row', { name: /Tui Rangi/ });
    await row.getByText('Invitation expired on 5 Jan 2026').waitFor();
    await row.getByRole('button', { name: 'Change: Tui Rangi' }).click();
    await page.getByRole('menuitem', { name: 'Send the invitation again' }).click();
    await page.getByRole('button', { name: 'Make a new link' }).click();
    const shown = page.getByRole('dialog', { name: 'Invitation for Tui Rangi' });
    await shown.getByRole('button', { name: 'Copy the link' }).waitFor();
    const link = await shown.locator('pre').innerText();
    await shown.getByRole('button', { name: 'Done' }).click();
    await row.getByText(/^Invited, until/).waitFor();
    const { page: other } = await open(t, { path: link });
    await other.getByText('Tui Rangi, tui@people.example').waitFor();
  },
);

test('two who change the same person see both values', withBrowser, async (t) => {
  const { page, person } = await openSettings(t, 'people');
  await addPerson(service, { role: 'agent', slug: person.slug });
  await page.reload();
  const rows = page.getByRole('row', { name: /Hana/ });
  const own = page.getByRole('row', { name: /\(you\)/ });
  await rows.nth(1).waitFor();
  const agent = rows.filter({ hasNot: own }).filter({ hasText: 'Agent' });
  await agent.getByRole('button', { name: 'Change: Hana' }).click();
  await page.getByRole('menuitem', { name: 'Name, email, role' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Mine');
  const key = await service.key(person.slug, 'all');
  const { body } = await service.send({ url: '/api/v1/users?role=agent', key });
  const [theirs] = body.data as { id: string }[];
  const url = `/api/v1/users/${theirs?.id}`;
  await service.send({ method: 'PATCH', url, key, payload: { name: 'Theirs' } });
  await page.getByRole('button', { name: 'Save' }).click();
  const conflict = page.getByRole('dialog', { name: 'This has changed since' });
  await conflict.getByRole('cell', { name: 'Theirs' }).waitFor();
  await conflict.getByRole('button', { name: 'Use mine' }).click();
  await page.getByRole('row', { name: /Mine/ }).waitFor();
});

test(
  'a change of a person that is typed and not saved outlives a reload, and keeps the version it was typed over',
  withBrowser,
  async (t) => {
    const { page, person } = await openSettings(t, 'people');
    const key = await service.key(person.slug, 'all');
    const payload = { name: 'Tui Rangi', email: 'tui@people.example', role: 'agent' };
    const { body } = await service.send({ method: 'POST', url: '/api/v1/users', key, payload });
    const change = (changes: object) =>
      service.send({ method: 'PATCH', url: `/api/v1/users/${body.id}`, key, payload: changes });
    const open = async (): Promise<void> => {
      await page.getByRole('button', { name: /^Change: Tui/ }).click();
      await page.getByRole('menuitem', { name: 'Name, email, role' }).click();
    };
    const name = page.getByRole('textbox', { name: 'Name' });
    const manager = page.getByRole('radio', { name: 'Manager' });
    await page.reload();
    await open();
    await name.fill('Tui Mine');
    await manager.check();
    await change({ name: 'Tui Theirs', email: 'tui.theirs@people.example' });
    await page.reload();
    await open();
    assert.equal(await name.inputValue(), 'Tui Mine');
    assert.equal(await manager.isChecked(), true);
    await page.getByRole('button', { name: 'Save' }).click();
    const conflict = page.getByRole('dialog', { name: 'This has changed since' });
    await conflict.getByRole('cell', { name: 'Tui Theirs' }).waitFor();
    await conflict.getByRole('button', { name: 'Use mine' }).click();
    const row = page.getByRole('row', { name: /Tui Mine.*Manager/ });
    await row.getByText('tui.theirs@people.example').waitFor();
    await open();
    await name.fill('Tui Dropped');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await open();
    assert.equal(await name.inputValue(), 'Tui Mine');
  },
);

test(
  'the email of another person is refused at its field, which has the focus',
  withBrowser,
  async (t) => {
    const { page, person } = await openSettings(t, 'people');
    await page.getByRole('button', { name: 'Invite a person' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Tui Rangi');
    const email = page.getByRole('textbox', { name: 'Email' });
    await email.fill(person.email);
    await page.getByRole('button', { name: 'Invite', exact: true }).click();
    await page.getByText('Email belongs to another person of the account.').waitFor();
    assert.equal(await email.evaluate((each) => each === document.activeElement), true);
  },
);

test('a manager manages agents and viewers only', withBrowser, async (t) => {
  const { page, person } = await openSettings(t, 'people', 'manager');
  await addPerson(service, { role: 'owner', slug: person.slug });
  await page.reload();
  const owner = page.getByRole('row', { name: /Owner/ });
  await owner.waitFor();
  assert.equal(await owner.getByRole('button').count(), 0);
  await page.getByRole('button', { name: 'Invite a person' }).click();
  const roles = page.getByRole('dialog').getByRole('radio');
  await roles.first().waitFor();
  assert.equal(await roles.count(), 2);
});

for (const preset of ['Website reads', 'Website sends leads'])
  test(
    `a key for "${preset}" has a command that works, and is found by its text`,
    withBrowser,
    async (t) => {
      const { page } = await openSettings(t, 'keys');
      await page.getByRole('button', { name: 'Create a key' }).click();
      await page.getByRole('textbox', { name: 'Name' }).fill('website');
      await page.reload();
      await page.getByRole('button', { name: 'Create a key' }).click();
      await page.getByRole('radio', { name: preset }).check();
      await page.reload();
      await page.getByRole('button', { name: 'Create a key' }).click();
      assert.equal(await page.getByRole('radio', { name: preset }).isChecked(), true);
      await page.getByRole('button', { name: 'Create', exact: true }).click();
      const shown = page.getByRole('dialog', { name: 'The key website' });
      await shown.getByText('It is shown only now').waitFor();
      const [text = '', command = ''] = await shown.locator('pre').allInnerTexts();
      const { stdout } = await runCommand('sh', ['-c', `${command} --silent --fail`]);
      assert.ok('pagination' in JSON.parse(stdout) || 'action' in JSON.parse(stdout), stdout);
      await shown.getByRole('button', { name: 'Done' }).click();
      await page.getByRole('button', { name: 'Find a key' }).click();
      await page.getByLabel('Text of the key').fill(text);
      await page.getByRole('button', { name: 'Find', exact: true }).click();
      await page.getByText('This is the key website.').waitFor();
    },
  );

test(
  'a key that is typed and not created or not changed outlives a reload, with its scopes, its expiry and its limits',
  withBrowser,
  async (t) => {
    const { page, person } = await openSettings(t, 'keys');
    const contacts = page.getByRole('checkbox', { name: 'read contacts', exact: true });
    const own = page.getByRole('radio', { name: 'Something else' });
    const expires = page.getByLabel('Expires');
    const reads = page.getByLabel('Reads', { exact: true });
    const create = () => page.getByRole('button', { name: 'Create a key' }).click();
    await create();
    await own.check();
    await contacts.check();
    await expires.fill('2099-01-31');
    await page.getByText('Limits of its own').click();
    await reads.fill('1200');
    await page.reload();
    await create();
    assert.equal(await own.isChecked(), true);
    assert.equal(await contacts.isChecked(), true);
    assert.equal(await expires.inputValue(), '2099-01-31');
    assert.equal(await reads.inputValue(), '1200');
    assert.equal(await reads.isVisible(), true);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await create();
    assert.equal(await own.isChecked(), false);
    await page.getByRole('button', { name: 'Cancel' }).click();

    await service.key(person.slug, 'read');
    await page.reload();
    const change = async (action: string): Promise<void> => {
      await page.getByRole('button', { name: /^Change: / }).click();
      await page.getByRole('menuitem', { name: action }).click();
    };
    await change('Name, expiry');
    await page.getByRole('textbox', { name: 'Name' }).fill('Renamed');
    await page.reload();
    await change('Name, expiry');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('row', { name: /Renamed/ }).waitFor();
  },
);

const ONCE = {
  'the text of a new key': {
    section: 'keys',
    open: async (page: Page) => {
      await page.getByRole('button', { name: 'Create a key' }).click();
      await page.getByRole('textbox', { name: 'Name' }).fill('Website');
      return page.getByRole('button', { name: 'Create', exact: true });
    },
  },
  'the link of an invitation': {
    section: 'people',
    open: async (page: Page) => {
      await page.getByRole('button', { name: 'Invite a person' }).click();
      await page.getByRole('textbox', { name: 'Name' }).fill('Tui');
      await page.getByRole('textbox', { name: 'Email' }).fill('tui.rangi@people.example');
      return page.getByRole('button', { name: 'Invite', exact: true });
    },
  },
} as const;

for (const [what, { section, open: openDialog }] of Object.entries(ONCE))
  test(
    `${what} is shown, although its dialog was to be closed while it was sent`,
    withBrowser,
    async (t) => {
      const { page } = await openSettings(t, section);
      const submit = await openDialog(page);
      const sent = Promise.withResolvers<void>();
      await page.route(/\/(keys|users)$/, async (route) => {
        await sent.promise;
        return route.continue();
      });
      await submit.click();
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Cancel' }).click();
      await page.getByRole('button', { name: 'Close' }).click();
      await page.getByRole('dialog').waitFor();
      sent.resolve();
      await page.getByRole('dialog').locator('pre').first().waitFor();
      await page.getByRole('button', { name: 'Done' }).click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    },
  );

for (const [what, { section, open: openDialog }] of Object.entries(ONCE))
  test(
    `${what} waits for the person who has left the page while it was sent, and the browser asks before it is lost`,
    withBrowser,
    async (t) => {
      const { page } = await openSettings(t, section);
      await page.getByRole('link', { name: 'Contacts', exact: true }).click();
      await heading(page, 'Contacts');
      await page.goBack();
      const submit = await openDialog(page);
      const sent = Promise.withResolvers<void>();
      await page.route(/\/(keys|users)$/, async (route) => {
        await sent.promise;
        return route.continue();
      });
      const answer = page.waitForResponse((each) => each.request().method() === 'POST');
      const canLeave = () =>
        page.evaluate(() => dispatchEvent(new Event('beforeunload', { cancelable: true })));
      assert.equal(await canLeave(), true);
      await submit.click();
      await until(async () => !(await canLeave()));
      await page.goForward();
      await heading(page, 'Contacts');
      assert.equal(await canLeave(), false);
      sent.resolve();
      await answer;
      await page.goBack();
      await page.getByRole('dialog').locator('pre').first().waitFor();
      assert.equal(await canLeave(), false);
      await page.getByRole('button', { name: 'Done' }).click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      assert.equal(await canLeave(), true);
    },
  );

test(
  'a key gets a last day and limits of its own, and loses them again',
  withBrowser,
  async (t) => {
    const { page, person } = await openSettings(t, 'keys');
    await service.key(person.slug, 'read');
    const all = await service.key(person.slug, 'all');
    await page.reload();
    const expires = page.getByLabel('Expires');
    const reads = page.getByLabel('Reads', { exact: true });
    const row = page.getByRole('row').filter({ hasText: 'offplan_' }).first();
    const readKeys = async () =>
      (await service.send({ url: '/api/v1/keys', key: all })).body.data as {
        expiresAt: string | null;
        rateLimits: Record<string, number | null>;
      }[];
    const isChanged = async () => {
      const keys = await readKeys();
      return keys.some(
        ({ expiresAt, rateLimits }) => expiresAt !== null && rateLimits['reads'] === 1200,
      );
    };
    const openDialog = async (): Promise<void> => {
      await row.getByRole('button', { name: /^Change: / }).click();
      await page.getByRole('menuitem', { name: 'Name, expiry' }).click();
    };
    await openDialog();
    await expires.fill('2099-01-31');
    await page.getByText('Limits of its own').click();
    await reads.fill('1200');
    await page.getByRole('button', { name: 'Save' }).click();
    await until(isChanged);
    await row.getByText('31 Jan 2099').waitFor();
    await openDialog();
    assert.equal(await expires.inputValue(), '2099-01-31');
    assert.equal(await reads.inputValue(), '1200');
    await expires.fill('');
    await reads.fill('');
    await page.getByRole('button', { name: 'Save' }).click();
    await until(async () => !(await isChanged()));
  },
);

test('a rotated key has a new text, and a revoked one works no longer', withBrowser, async (t) => {
  const { page, person } = await openSettings(t, 'keys');
  const key = await service.key(person.slug, 'read');
  const read = async (): Promise<number> =>
    (await service.send({ url: '/api/v1/stocklist', key })).status;
  await page.reload();
  const change = page.getByRole('button', { name: /^Change: / });
  await change.click();
  await page.getByRole('menuitem', { name: 'Rotate' }).click();
  await page.getByLabel('The old text works for').selectOption('One hour');
  await page.getByRole('button', { name: 'Rotate', exact: true }).click();
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByText(/the old text works until/).waitFor();
  assert.equal(await read(), 200);
  await change.click();
  await page.getByRole('menuitem', { name: 'Revoke' }).click();
  await page.getByRole('button', { name: 'Revoke', exact: true }).click();
  await page.getByText('is revoked').waitFor();
  await until(async () => (await read()) === 401);
});

test(
  'a setting that is typed survives a reload and an ended session, and two who change it see both values',
  withBrowser,
  async (t) => {
    const { page, person, context } = await openSettings(t, 'account');
    await page.getByLabel('Location').fill('Whangārei');
    await page.reload();
    await heading(page, 'Account');
    assert.equal(await page.getByLabel('Location').inputValue(), 'Whangārei');
    await context.clearCookies();
    await page.reload();
    await signIn(page, person);
    await heading(page, 'Account');
    assert.equal(await page.getByLabel('Location').inputValue(), 'Whangārei');
    const key = await service.key(person.slug, 'all');
    const send = (payload: object) =>
      service.send({ method: 'PATCH', url: '/api/v1/organization', key, payload });
    // Another setting is no conflict, and shows beside the text.
    await send({ location: 'Wānaka', phone: '+64 9 555 0199' });
    await until(async () => (await page.getByLabel('Phone').inputValue()) === '+64 9 555 0199');
    assert.equal(await page.getByLabel('Location').inputValue(), 'Whangārei');
    const section = page.getByRole('region', { name: 'Shown on your website' });
    await section.getByRole('button', { name: 'Save' }).click();
    const conflict = page.getByRole('dialog', { name: 'Somebody else changed this' });
    await conflict.getByRole('cell', { name: 'Wānaka' }).waitFor();
    await conflict.getByRole('button', { name: 'Keep theirs' }).click();
    await until(async () => (await page.getByLabel('Location').inputValue()) === 'Wānaka');
  },
);

test('the address of the settings opens those of the account', withBrowser, async (t) => {
  const person = await addPerson(service, { role: 'owner' });
  const { page } = await open(t, { person, path: `/a/${person.slug}/settings` });
  await heading(page, 'Account');
  await page.waitForURL(/\/settings\/account$/);
});

test('the audit names the contacts of a page by one request', withBrowser, async (t) => {
  const { page, person } = await openSettings(t, 'account');
  const key = await service.key(person.slug, 'all');
  const add = async (firstName: string) => {
    const payload = { email: `${firstName}@leads.example`, firstName };
    await service.send({ method: 'POST', url: '/api/v1/contacts', key, payload });
  };
  await add('Aroha');
  await add('Rewi');
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  await page.goto(`/a/${person.slug}/audit?type=contact`);
  await page.getByRole('gridcell', { name: 'Contact Aroha' }).first().waitFor();
  await page.getByRole('gridcell', { name: 'Contact Rewi' }).first().waitFor();
  assert.equal(requests.filter((url) => url.includes('/api/v1/contacts?')).length, 1);
});

test('the pages that are hidden from a viewer name whom to ask', withBrowser, async (t) => {
  const { page, person } = await openSettings(t, 'keys', 'viewer');
  await page.getByText('Ask an owner for access to API keys.').waitFor();
  await page.goto(`/a/${person.slug}/audit`);
  await page.getByText('Ask an owner for access to Audit.').waitFor();
  await page.goto(`/a/${person.slug}/settings/account`);
  await heading(page, 'Account');
  assert.equal(await page.getByRole('button', { name: 'Save' }).count(), 0);
  assert.equal(await page.getByLabel('Location').isDisabled(), true);
});

test(
  'the audit finds the changes of a person, and leads to what changed',
  withBrowser,
  async (t) => {
    const { page, person } = await openSettings(t, 'account');
    await page.getByLabel('Location').fill('Whangārei');
    await page
      .getByRole('region', { name: 'Shown on your website' })
      .getByRole('button', { name: 'Save' })
      .click();
    await page.getByText('Location changed to Whangārei').waitFor();
    await page.goto(`/a/${person.slug}/audit`);
    await page.getByLabel('Kind').selectOption('Account');
    await page.getByLabel('Who').selectOption('Hana');
    await page.getByText('1 change', { exact: true }).waitFor();
    await page.getByRole('gridcell', { name: /→ Whangārei/ }).waitFor();
    await page.getByRole('grid').getByRole('row').nth(1).getByRole('rowheader').click();
    await heading(page, 'Account');
    await page.goBack();
    await heading(page, 'Audit');
    assert.equal(await page.getByLabel('Kind').inputValue(), 'organization');
  },
);

test(
  'the two days of the audit stand beside each other in a narrow window',
  withBrowser,
  async (t) => {
    const { page } = await openSettings(t, 'account');
    await page.goto(page.url().replace('settings/account', 'audit'));
    await page.getByLabel('Kind').waitFor();
    const topOf = async (name: string) =>
      (await page.getByLabel(name, { exact: true }).boundingBox())?.y;
    for (const width of [740, 640, 390]) {
      await page.setViewportSize({ width, height: 800 });
      assert.equal(await topOf('From'), await topOf('To'), `${width} px`);
      assert.equal(await topOf('Kind'), await topOf('Who'), `${width} px`);
    }
  },
);

test(
  'the person of the audit is found among many by a part of the name',
  withBrowser,
  async (t) => {
    const { page, person } = await openSettings(t, 'account');
    await addAgents(service, person.slug);
    const key = await service.key(person.slug, 'all');
    const payload = { email: 'aroha@leads.example', firstName: 'Aroha' };
    await service.send({ method: 'POST', url: '/api/v1/contacts', key, payload });
    const byKey = page.getByRole('gridcell', { name: 'Contact Aroha' }).first();
    await page.goto(`/a/${person.slug}/audit`);
    await byKey.waitFor();
    await page.getByRole('button', { name: 'Who: Everybody' }).click();
    await page.getByRole('combobox', { name: 'Who' }).fill('han');
    await page.getByRole('option', { name: 'Hana' }).waitFor();
    await page.keyboard.press('Enter');
    await byKey.waitFor({ state: 'detached' });
    assert.equal(new URL(page.url()).searchParams.get('actor'), person.id);
    await page.getByRole('button', { name: 'Who: Hana' }).waitFor();
  },
);

test(
  'a person of the account is found by a part of the name or the email',
  withBrowser,
  async (t) => {
    const { page, person } = await openSettings(t, 'people');
    await addAgents(service, person.slug);
    await page.reload();
    await page.getByText('13 people', { exact: true }).waitFor();
    await page.getByRole('searchbox').fill('people agent.7');
    await page.getByText('1 person', { exact: true }).waitFor();
    await page.getByRole('row', { name: /Agent 7/ }).waitFor();
  },
);

test(
  'the audit names scopes and settings as the pages of the settings do',
  withBrowser,
  async (t) => {
    const { page, person } = await openSettings(t, 'account');
    const key = await service.key(person.slug, 'all');
    await service.send({
      method: 'POST',
      url: '/api/v1/keys',
      key,
      payload: {
        name: 'Website',
        scopes: ['stock:read', 'leads:import'],
        rateLimits: { reads: 1_200 },
      },
    });
    await service.send({
      method: 'PATCH',
      url: '/api/v1/organization',
      key,
      headers: { 'if-match': '*' },
      payload: { agentsSee: 'own' },
    });
    await page.goto(`/a/${person.slug}/audit?type=key`);
    const row = (text: string | RegExp) => page.getByRole('row').filter({ hasText: text });
    await row('empty → read published stock, send leads').getByText('Allows').waitFor();
    await row('empty → Reads 1,200').getByText('Limits of its own').waitFor();
    await page.goto(`/a/${person.slug}/audit?type=organization`);
    await row('All contacts → Their own contacts, and those assigned to nobody')
      .getByText('Agents see')
      .waitFor();
    const fields = page.getByRole('combobox', { name: 'Field' }).getByRole('option');
    assert.ok((await fields.allInnerTexts()).includes('A second step is needed by'));
  },
);

test('a filter of the audit that does not exist is left out', withBrowser, async (t) => {
  const { page, person } = await openSettings(t, 'account');
  const key = await service.key(person.slug, 'all');
  const payload = { email: 'aroha@leads.example', firstName: 'Aroha' };
  await service.send({ method: 'POST', url: '/api/v1/contacts', key, payload });
  await page.goto(`/a/${person.slug}/audit?type=constructor`);
  await page.getByRole('gridcell', { name: 'Contact Aroha' }).first().waitFor();
});

test('a setting that is typed while another one is saved stays', withBrowser, async (t) => {
  const { page, person } = await openSettings(t, 'account');
  const save = Promise.withResolvers<void>();
  await page.route('**/api/v1/organization', async (route) => {
    if (route.request().method() === 'PATCH') await save.promise;
    await route.continue();
  });
  await page.getByLabel('Location').fill('Whangārei');
  await page.getByLabel('Location').press('Enter');
  await page.getByLabel('Phone').fill('+64 9 555 0100');
  save.resolve();
  await page.getByText('Location changed to Whangārei').waitFor();
  assert.equal(await page.getByLabel('Phone').inputValue(), '+64 9 555 0100');
  await page.getByLabel('Phone').press('Enter');
  await page.getByText('Phone changed to +64 9 555 0100').waitFor();
  const key = await service.key(person.slug, 'all');
  const { body } = await service.send({ url: '/api/v1/organization', key });
  assert.deepEqual([body.location, body.phone], ['Whangārei', '+64 9 555 0100']);
});
