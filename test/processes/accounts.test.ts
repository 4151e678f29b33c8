import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { findAccountBySlug } from '../../src/accounts/index.ts';
import { runInTransaction } from '../../src/platform/database/index.ts';
import { loadAccount } from '../../src/portability/index.ts';
import { C2, fullFile, newSlug, organization, portability } from '../support/account-files.ts';
import { accountIdOf } from '../support/accounts.ts';
import { createDatabase, databaseUrl } from '../support/harness.ts';
import { BATCH, sendTo } from '../support/imports.ts';
import { instance } from '../support/instances.ts';
import { someoneWaits } from '../support/locks.ts';
import { offplan } from '../support/process.ts';
import { run as query } from '../support/sql.ts';

const { db, exported, exportText } = await portability();
const environment = { DATABASE_URL: await databaseUrl(db), LOG_LEVEL: 'error' };
const run = (args: string[], input = '') => offplan(args, environment, input);
const app = await instance({ after }, db);

async function loadFull(): Promise<string> {
  const slug = newSlug();
  await loadAccount(db, fullFile(slug));
  return slug;
}

async function createKey(slug: string): Promise<string> {
  const scopes = 'leads:import settings:read';
  const { stdout } = await run(['keys', 'create', slug, '--scopes', scopes, '--name', 'x']);
  return stdout.trim();
}

/** Counts the rows of an account in every table. */
async function countRows(accountId: string): Promise<Record<string, number>> {
  const { rows: tables } = await query(
    db,
    `select relname as name from pg_class join pg_attribute on attrelid = pg_class.oid
      where relkind = 'r' and relnamespace = 'public'::regnamespace and attname = 'account_id'`,
  );
  const counts: Record<string, number> = {};
  for (const { name } of tables) {
    const { rows } = await query(db, `select from ${name} where account_id = $1`, [accountId]);
    counts[String(name)] = rows.length;
  }
  return counts;
}

const createArgs = (slug: string, ...more: string[]) => {
  const required = ['--name', 'Rimu Rise', '--email', 'hello@rimu.example', '--location', 'Nelson'];
  return ['accounts', 'create', slug, ...required, '--website', 'https://rimu.example', ...more];
};

test('accounts list shows when an account was created, also on a database with another DateStyle', async (t) => {
  const other = await createDatabase(t);
  const [{ name } = assert.fail()] = (await query(other, 'select current_database() as name')).rows;
  await query(other, `alter database "${String(name)}" set datestyle = 'SQL, DMY'`);
  const settings = { DATABASE_URL: await databaseUrl(other), LOG_LEVEL: 'error' };
  assert.equal((await offplan(createArgs(newSlug()), settings)).code, 0);
  const { stdout, stderr } = await offplan(['accounts', 'list', '--json'], settings);
  assert.equal(stderr, '');
  assert.match(stdout, /"createdAt": ?"\d{4}-\d\d-\d\dT[\d:.]+Z"/);
});

test('accounts create makes an account, and prints a link by which its owner signs in', async () => {
  const slug = newSlug();
  const more = ['--time-zone', 'Pacific/Auckland', '--owner', 'moana@rimu.example'];
  const created = await run(createArgs(slug, ...more));
  assert.deepEqual([created.code, created.stderr.includes('UTC')], [0, false], created.stderr);
  const [first, link = ''] = created.stdout.split('\n');
  assert.equal(first, `Account "${slug}" created.`);
  const [, token] = /[#?&=/]([\w-]{20,}[.\w-]*)$/.exec(link) ?? [];
  const accepted = await app.inject({
    method: 'POST',
    url: '/api/v1/links/accept',
    payload: { token, password: 'a long enough password', name: 'Moana' },
  });
  assert.deepEqual(
    [accepted.statusCode, accepted.json().user?.role],
    [200, 'owner'],
    accepted.body,
  );
  const { account, users } = await exported(slug);
  assert.deepEqual(account.organization, {
    ...account.organization,
    companyName: 'Rimu Rise',
    displayName: 'Rimu Rise',
    email: 'hello@rimu.example',
    location: 'Nelson',
    websiteUrl: 'https://rimu.example',
    timeZone: 'Pacific/Auckland',
  });
  assert.deepEqual(
    users.map(({ email, role }: { email: string; role: string }) => [email, role]),
    [['moana@rimu.example', 'owner']],
  );
});

test('accounts create says that the days are in UTC, and without an owner how to invite one', async () => {
  const slug = newSlug();
  const { code, stdout, stderr } = await run(createArgs(slug));
  assert.deepEqual([code, stdout], [0, `Account "${slug}" created.\n`]);
  assert.equal(
    stderr,
    `Its days and figures are in UTC: Settings › Account in the console has the time zone.
Nobody can sign in to it yet: offplan users invite ${slug} EMAIL --role owner prints a link.\n`,
  );
});

test('accounts create refuses an account that exists, and names each option with a fault', async () => {
  const slug = await loadFull();
  const before = await exportText(slug);
  const taken = await run(createArgs(slug, '--owner', 'moana@rimu.example'));
  assert.deepEqual(
    [taken.code, taken.stdout, taken.stderr],
    [1, '', `offplan: "${slug}" is the slug of an account already; nothing was created\n`],
  );
  assert.equal(await exportText(slug), before);
  const faults = ['--website', 'rimu', '--email', 'hello', '--time-zone', 'Mars'];
  const other = newSlug();
  const invalid = await run(createArgs(other, ...faults));
  assert.equal(invalid.code, 1);
  assert.match(invalid.stderr, /--email must be .*; --time-zone must be .*; --website must be/);
  const owner = await run(createArgs(other, '--owner', 'moana'));
  assert.match(owner.stderr, /^offplan: --owner is not one email address, such as/);
  assert.equal(await findAccountBySlug(db, other), undefined);
});

test('accounts rename gives an account another slug, its keys stay valid, and the organization has another ETag', async () => {
  const slug = await loadFull();
  const key = await createKey(slug);
  const readOrganization = (headers = {}) =>
    app.inject({
      url: '/api/v1/organization',
      headers: { authorization: `Bearer ${key}`, ...headers },
    });
  const { etag } = (await readOrganization()).headers;
  const before = await exported(slug);
  const renamed = await run(['accounts', 'rename', slug, `${slug}-new`]);
  assert.deepEqual(
    [renamed.code, renamed.stdout],
    [0, `Account "${slug}" is now "${slug}-new". Its API keys stay valid.\n`],
  );
  before.account.slug = `${slug}-new`;
  assert.deepEqual(await exported(`${slug}-new`), before);
  assert.equal(await findAccountBySlug(db, slug), undefined);
  const organization = await readOrganization({ 'if-none-match': etag });
  assert.deepEqual([organization.statusCode, organization.json().slug], [200, `${slug}-new`]);
  const { status } = await sendTo(app, { key }, { email: 'new@example.com' });
  assert.equal(status, 201);
});

test('accounts rename refuses a slug that is taken or not valid, and an account that does not exist', async () => {
  const [slug, other] = [await loadFull(), await loadFull()];
  const taken = await run(['accounts', 'rename', slug, other]);
  assert.deepEqual(
    [taken.code, taken.stderr],
    [1, `offplan: there is an account "${other}" already; nothing was changed\n`],
  );
  const unknown = await run(['accounts', 'rename', 'nobody', 'somebody']);
  assert.deepEqual([unknown.code, /no account "nobody"/.test(unknown.stderr)], [1, true]);
  const invalid = await run(['accounts', 'rename', slug, 'New Name']);
  assert.deepEqual([invalid.code, /must be a slug/.test(invalid.stderr)], [2, true]);
  assert.notEqual(await findAccountBySlug(db, slug), undefined);
});

test('accounts delete asks for the slug again, and deletes every row of the account and no other', async () => {
  const [slug, other] = [await loadFull(), await loadFull()];
  const kept = await exportText(other);
  const key = await createKey(slug);
  const leads = { contacts: [{ email: 'new@example.com', notes: 'Hi' }, { email: 'none' }] };
  await sendTo(app, { key }, leads, { url: BATCH, headers: { 'idempotency-key': 'one' } });
  const accountId = await accountIdOf(db, { slug });
  const before = await countRows(accountId);
  assert.deepEqual([before['imports'], before['idempotency_keys'], before['contacts']], [2, 1, 4]);
  for (const answer of ['', 'no\n', `${other}\n`]) {
    const refused = await run(['accounts', 'delete', slug], answer);
    assert.equal(refused.code, 1);
    assert.match(
      refused.stderr,
      /4 contacts, 2 projects[^]*not entered again; nothing was deleted/,
    );
  }
  assert.deepEqual(await countRows(accountId), before);
  const deleted = await run(['accounts', 'delete', slug], `${slug}\n`);
  assert.deepEqual([deleted.code, deleted.stdout], [0, `Account "${slug}" deleted.\n`]);
  const counts = await countRows(accountId);
  assert.deepEqual(counts, Object.fromEntries(Object.keys(before).map((table) => [table, 0])));
  assert.equal(await exportText(other), kept);
  const { status } = await sendTo(app, { key }, { email: 'late@example.com' });
  assert.equal(status, 401);
});

test('accounts delete deletes an account to which a person adds a contact meanwhile', async () => {
  const slug = await loadFull();
  const invite = ['users', 'invite', slug, 'moana@rimu.example', '--role', 'owner'];
  const { stdout } = await run(invite);
  const payload = { token: /#(.+)/.exec(stdout)?.[1], password: 'a long enough password' };
  const url = '/api/v1/links/accept';
  const accepted = await app.inject({ method: 'POST', url, payload });
  const accountId = await accountIdOf(db, { slug });
  const { projects } = await exported(slug);
  const live = projects.find((each: { publication: string }) => each.publication === 'live');
  const { deleting } = await runInTransaction(db, async (tx) => {
    // The command waits for the slug when it has deleted the contacts.
    const lockSlug = 'select from account_slugs where slug = $1 for update';
    await tx.query({ name: '', text: lockSlug, values: [slug] });
    const command = run(['accounts', 'delete', slug], `${slug}\n`);
    await someoneWaits(db);
    const added = app.inject({
      method: 'POST',
      url: '/api/v1/contacts',
      headers: {
        cookie: String(accepted.headers['set-cookie']).split(';', 1)[0],
        'sec-fetch-site': 'same-origin',
      },
      payload: { email: 'late@example.com', projectId: live.id, unitId: live.units[0].id },
    });
    await Promise.race([added, someoneWaits(db, 2)]);
    return { deleting: command };
  });
  const { code, stderr } = await deleting;
  assert.equal(code, 0, stderr);
  const counts = Object.values(await countRows(accountId));
  assert.ok(counts.every((count) => count === 0));
});

test('accounts delete says that the account is gone and which folder is left when its pictures cannot be removed', async () => {
  const slug = await loadFull();
  const accountId = await accountIdOf(db, { slug });
  // A file stands for a folder that cannot be written.
  const settings = { ...environment, OFFPLAN_MEDIA_DIR: import.meta.filename };
  const { code, stdout, stderr } = await offplan(
    ['accounts', 'delete', slug],
    settings,
    `${slug}\n`,
  );
  assert.deepEqual([code, stdout], [1, '']);
  const line = `offplan: account "${slug}" is deleted, but its pictures are not: ${import.meta.filename}/${accountId} cannot be written: its folder is a file; remove that folder`;
  assert.equal(stderr.split('\n').at(-2), line);
  assert.equal(await findAccountBySlug(db, slug), undefined);
});

test('load --dry-run says what a load would do, and a load names what it removed', async () => {
  const slug = await loadFull();
  const file = await exported(slug);
  file.projects[0].units.shift();
  file.projects[1].units[0].price = 839_000;
  Object.assign(file.contacts[1], { phone: '021\u001b[31m', companyName: 'x'.repeat(100) });
  const input = JSON.stringify(file);
  const dry = await run(['load', '-', '--dry-run'], input);
  assert.equal(dry.code, 0, dry.stderr);
  const shown = dry.stdout.split('\n');
  assert.equal(shown[0], `Account "${slug}" would be brought up to date.`);
  assert.deepEqual(shown.slice(-5), [
    'Would remove unit "ridge-road/1B".',
    'Would change unit "matai-lane/1A": price empty to 839000.',
    `Would change contact "mele@example.com": phone empty to "021\\u001b[31m"; companyName empty to "${'x'.repeat(59)}….`,
    'Nothing was changed.',
    '',
  ]);
  const real = await run(['load', '-'], input);
  assert.equal(real.stdout.split('\n').at(-2), 'Removed unit "ridge-road/1B".');
  const stale = await run(['load', '-', '--dry-run'], input.replace('839000', '1'));
  assert.equal(stale.code, 1);
  assert.match(
    stale.stderr,
    /^offplan: the account has changed since this file was exported: export it again .* --force; nothing was changed\noffplan: \/projects\/1\/units\/0: unit /,
  );
});

test('export --only stock prints the stock, and any other part is wrong usage', async () => {
  const slug = await loadFull();
  const { stdout } = await run(['export', slug, '--only', 'stock']);
  assert.deepEqual(Object.keys(JSON.parse(stdout)), ['format', 'revision', 'account', 'projects']);
  assert.ok(!stdout.includes(C2));
  assert.equal((await run(['export', slug, '--only', 'contacts'])).code, 2);
});

test('a load whose slug is unknown creates the account in its first line, or is refused with --existing', async () => {
  const slug = newSlug();
  const input = JSON.stringify({ format: 'offplan-account/1', account: { slug, organization } });
  const refused = await run(['load', '-', '--existing'], input);
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /^offplan: \/account\/slug: is the slug of no account/m);
  const created = await run(['load', '-'], input);
  assert.equal(created.stdout.split('\n')[0], `Account "${slug}" created.`);
});
