import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { build, databaseUrl } from '../support/harness.ts';
import { addPerson, signIn } from '../support/people.ts';
import { createCommand } from '../support/process.ts';
import { expireLookUps } from '../support/clock.ts';
import { readRows } from '../support/sql.ts';

const service = await build({ after });
const { db } = service;
const offplan = createCommand({
  DATABASE_URL: await databaseUrl(db),
  LOG_LEVEL: 'error',
  PUBLIC_URL: 'https://crm.example.com',
});

const PASSWORD = 'a ruru calls at dusk';
const accept = (link: string) =>
  service.send({
    method: 'POST',
    url: '/api/v1/links/accept',
    payload: { token: link.trim().split('#')[1], password: PASSWORD },
  });

test('offplan users invite adds a person, and prints the link alone on stdout', async () => {
  const { slug } = await addPerson(service);
  const email = 'mele@people.example';
  const invited = await offplan(
    'users',
    'invite',
    slug,
    email,
    '--role',
    'manager',
    '--name',
    'Mele',
  );
  assert.deepEqual(
    [invited.code, invited.stderr.split(':')[0]],
    [
      0,
      'Give this link to the person alone. It works once, until ' +
        /until (\d{4}-\d\d-\d\dT\d\d)/.exec(invited.stderr)?.[1],
    ],
  );
  assert.match(
    invited.stdout,
    new RegExp(`^https://crm\\.example\\.com/a/${slug}/invite#offplan_link_\\w{54}\\n$`),
  );
  const { body, text } = await accept(invited.stdout);
  assert.deepEqual(
    [body.user?.name, body.role, body.user?.email],
    ['Mele', 'manager', email],
    text,
  );
  // A known person gets the role, and keeps the name.
  assert.equal((await offplan('users', 'invite', slug, ` <${email}>`, '--role', 'viewer')).code, 0);
  const listed = await offplan('users', 'list', slug, '--json');
  const people = JSON.parse(listed.stdout) as { email: string; name: string; role: string }[];
  const found = people.find((each) => each.email === email);
  assert.deepEqual([people.length, found?.name, found?.role], [2, 'Mele', 'viewer']);
});

test('offplan users reset prints a link by which a person chooses another password', async () => {
  const person = await addPerson(service);
  const cookie = await signIn(service, person);
  const { code, stdout } = await offplan('users', 'reset', person.slug, person.email.toUpperCase());
  assert.equal(code, 0);
  assert.match(stdout, new RegExp(`/a/${person.slug}/reset#offplan_link_\\w{54}\\n$`));
  assert.equal((await accept(stdout)).status, 200);
  expireLookUps();
  const { status } = await service.send({ url: '/api/v1/me', headers: { cookie } });
  assert.equal(status, 401);
});

test("offplan users deactivate ends the sessions of a person, and their contacts are nobody's", async () => {
  const person = await addPerson(service);
  const cookie = await signIn(service, person);
  const key = await service.key(person.slug, 'read-write');
  const payload = { email: 'aroha@example.com', assignedAccountUserId: person.id };
  await service.send({ method: 'POST', url: '/api/v1/contacts', key, payload });
  const contact = async () =>
    (
      await readRows<{ assigned: string | null; version: number }>(
        db,
        'select assigned_account_user_id as assigned, version from contacts where account_id = $1',
        [person.accountId],
      )
    )[0];
  assert.deepEqual(await contact(), { assigned: person.id, version: 1 });
  assert.equal((await offplan('users', 'deactivate', person.slug, person.email)).code, 0);
  assert.deepEqual(await contact(), { assigned: null, version: 2 });
  expireLookUps();
  const { status } = await service.send({ url: '/api/v1/me', headers: { cookie } });
  assert.equal(status, 401);
  assert.match((await offplan('users', 'list', person.slug)).stdout, / Hana +agent +no /);
  // Once more changes nothing.
  assert.equal((await offplan('users', 'deactivate', person.slug, person.email)).code, 0);
});

test('offplan users activate lets a deactivated person sign in again, and the other commands name it', async () => {
  const person = await addPerson(service);
  await signIn(service, person);
  await offplan('users', 'deactivate', person.slug, person.email);
  const remedy = `offplan users activate ${person.slug} ${person.email} lets them sign in again`;
  for (const args of [
    ['reset', person.slug, person.email],
    ['invite', person.slug, person.email, '--role', 'agent'],
  ]) {
    const { code, stderr } = await offplan('users', ...args);
    const line = `offplan: the person is not active in this account; ${remedy}\n`;
    assert.deepEqual([code, stderr], [1, line]);
  }
  const activated = await offplan('users', 'activate', person.slug, person.email.toUpperCase());
  assert.deepEqual([activated.code, activated.stderr], [0, 'Activated. They can sign in again.\n']);
  assert.ok(await signIn(service, person));
});

test('offplan users activate names the command that lets a person choose a first password', async () => {
  const { slug } = await addPerson(service, { role: 'owner' });
  const email = 'tui@people.example';
  await offplan('users', 'invite', slug, email, '--role', 'agent');
  await offplan('users', 'deactivate', slug, email);
  const { code, stderr } = await offplan('users', 'activate', slug, email);
  const reset = `offplan users reset ${slug} ${email}`;
  const line = `Activated. They have no password yet: ${reset} prints a link to choose one.\n`;
  assert.deepEqual([code, stderr], [0, line]);
  assert.match((await offplan('users', 'reset', slug, email)).stdout, /#/);
});

test('a command of people prints one line when it cannot do what it is asked for', async () => {
  const owner = await addPerson(service, { role: 'owner' });
  for (const [args, line] of [
    [['deactivate', owner.slug, owner.email], /keeps one active owner/],
    [['invite', owner.slug, owner.email, '--role', 'agent'], /keeps one active owner/],
    [['invite', owner.slug, 'nobody', '--role', 'agent'], /not one address/],
    [['reset', owner.slug, 'nobody@people.example'], /no person with this email/],
    [['deactivate', owner.slug, 'nobody@people.example'], /no person with this email/],
    [['activate', owner.slug, 'nobody@people.example'], /no person with this email/],
    [['list', 'nobody'], /no account "nobody"/],
    [['invite', 'nobody', 'a@people.example', '--role', 'agent'], /no account "nobody"/],
    [['invite', owner.slug, 'a@people.example'], /--role/],
    [['invite', owner.slug, 'a@people.example', '--role', 'boss'], /owner, manager, agent, viewer/],
  ] as const) {
    const { code, stdout, stderr } = await offplan('users', ...args);
    assert.ok(code !== 0 && stdout === '', args.join(' '));
    assert.match(stderr, line);
    assert.equal(stderr.trimEnd().split('\n').length, 1, stderr);
  }
});
