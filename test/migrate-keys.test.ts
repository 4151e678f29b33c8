import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { listDuplicates } from '../src/contacts/index.ts';
import { migrate, openPool, SchemaError } from '../src/platform/database/index.ts';
import { accountIdOf } from './support/accounts.ts';
import { OTHER_USER, USER, developersOf, type Developer } from './support/developer.ts';
import { build, databaseUrl } from './support/harness.ts';
import { instance } from './support/instances.ts';
import { someoneWaits } from './support/locks.ts';
import { createOldDatabase } from './support/old-database.ts';
import { run } from './support/sql.ts';

const service = await build({ after });
const { db } = service;
const makeDeveloper = developersOf(service);
const FOLD_KEYS = '0010_fold_keys.sql';

/** Makes the database one of the release before: `change` gives rows the keys that it gave them. */
async function asBefore(
  developer: Developer,
  change: (accountId: string) => Promise<unknown>,
): Promise<string> {
  const accountId = await accountIdOf(db, developer);
  await change(accountId);
  await run(db, 'delete from schema_migrations where name = $1', [FOLD_KEYS]);
  return accountId;
}

const setEmail = (accountId: string, from: string, to: string, key: string) =>
  run(db, 'update contacts set email = $3, email_key = $4 where account_id = $1 and email = $2', [
    accountId,
    from,
    to,
    key,
  ]);

test('contacts of an older release that become equal are duplicates, which refuse the next lead', async () => {
  const developer = await makeDeveloper([
    { email: 'aroha@example.com' },
    { email: 'b@example.com' },
    { email: 'c@example.com' },
  ]);
  const accountId = await asBefore(developer, async (account) => {
    await setEmail(account, 'b@example.com', '<aroha@example.com>', '<aroha@example.com>');
    await setEmail(account, 'c@example.com', 'Straße@xn--mori-qsa.nz', 'straße@xn--mori-qsa.nz');
  });
  assert.deepEqual(await migrate(db), [FOLD_KEYS]);
  const duplicates = await listDuplicates(db, accountId);
  assert.deepEqual(
    duplicates.map(({ email, contacts }) => [email, contacts.map((each) => each.email)]),
    [['aroha@example.com', ['aroha@example.com', '<aroha@example.com>']]],
  );
  await developer.refused({ email: 'aroha@example.com' }, 'duplicate_contacts');
  const { body } = await developer.post({ email: 'STRASSE@māori.nz' });
  assert.deepEqual([body.action, body.email], ['merged', 'Straße@xn--mori-qsa.nz']);
});

test('tags of an older release that become equal are one, with the contacts of all', async () => {
  const developer = await makeDeveloper([
    { email: 'a@x.nz', tags: ['VIP', 'Other'] },
    { email: 'b@x.nz', tags: ['Second'] },
    { email: 'c@x.nz', tags: ['VIP', 'Second', 'Third'] },
  ]);
  const accountId = await asBefore(developer, async (account) => {
    for (const [from, to] of [
      ['Second', 'vi\u200Bp'],
      ['Third', 'VIP\u2069'],
    ])
      await run(
        db,
        'update tags set label = $3, label_key = lower($3) where account_id = $1 and label = $2',
        [account, from, to],
      );
  });
  await migrate(db);
  assert.deepEqual((await developer.contact('a@x.nz')).tags, ['VIP', 'Other']);
  for (const email of ['b@x.nz', 'c@x.nz'])
    assert.deepEqual((await developer.contact(email)).tags, ['VIP']);
  const { body } = await developer.post({ email: 'b@x.nz', tag: 'V\u200BIP' });
  assert.deepEqual(body.filledFields.includes('contact_tags'), false);
  const { rows } = await run(db, 'select from tags where account_id = $1', [accountId]);
  assert.equal(rows.length, 2);
});

test('filters find the places of an older release', async (t) => {
  const developer = await makeDeveloper();
  const { projects } = await developer.exported();
  const [{ id }] = projects;
  await service.load({
    format: 'offplan-account/1',
    account: { slug: developer.slug },
    projects: [{ id, cityName: 'Hawke\u2019s Bay' }],
  });
  await asBefore(developer, (account) =>
    run(db, `update projects set city_key = 'hawke\u2019s bay' where account_id = $1 and id = $2`, [
      account,
      id,
    ]),
  );
  await migrate(db);
  const app = await instance(t, db);
  const url = `/api/v1/stocklist?city=${encodeURIComponent("hawke's bay")}`;
  const headers = { authorization: `Bearer ${developer.key}` };
  const { projects: found } = (await app.inject({ url, headers })).json();
  assert.deepEqual(
    found.map((each: { id: string }) => each.id),
    [id],
  );
});

test('two users who become equal stop the migration before it changes anything, and the second is named', async () => {
  const developer = await makeDeveloper([{ email: 'a@x.nz' }]);
  const accountId = await asBefore(developer, async (account) => {
    await setEmail(account, 'a@x.nz', '<a@x.nz>', '<a@x.nz>');
    await run(
      db,
      `update users set email = '<hana@developer.example>', email_key = '<hana@developer.example>' where account_id = $1 and id = $2`,
      [account, OTHER_USER],
    );
  });
  const message = `user ${OTHER_USER} of account "${developer.slug}" has the email of user ${USER}.`;
  await assert.rejects(
    migrate(db),
    (error) => error instanceof SchemaError && error.message.includes(message),
  );
  const { rows } = await run(db, 'select email_key from contacts where account_id = $1', [
    accountId,
  ]);
  assert.equal(rows[0]?.['email_key'], '<a@x.nz>');
  await run(
    db,
    `update users set email = 'mele@developer.example' where account_id = $1 and id = $2`,
    [accountId, OTHER_USER],
  );
  assert.deepEqual(await migrate(db), [FOLD_KEYS]);
  assert.equal((await developer.post({ email: 'a@x.nz' })).body.action, 'merged');
});

test('a migration that stopped halfway goes on, in pages, with the rows that are left', async () => {
  const developer = await makeDeveloper();
  const accountId = await asBefore(developer, (account) =>
    run(
      db,
      `insert into contacts (account_id, id, email, email_key, created_at, search_text, has_phone)
        select $1, gen_random_uuid(), format('<%s@x.nz>', n), format('<%s@x.nz>', n), now(), '', false from generate_series(1, 2500) n`,
      [account],
    ),
  );
  await run(
    db,
    `update contacts set email_key = trim(both '<>' from email_key) where account_id = $1 and id < '80000000-0000-0000-0000-000000000000'`,
    [accountId],
  );
  assert.deepEqual(await migrate(db), [FOLD_KEYS]);
  const { rows } = await run(
    db,
    `select count(*)::int as count from contacts where account_id = $1 and email_key = trim(both '<>' from email)`,
    [accountId],
  );
  assert.equal(rows[0]?.['count'], 2500);
  assert.deepEqual(await migrate(db), []);
});

const OLD_VERSION = 5;

const APOSTROPHES = '0052_apostrophes.sql';

test('a contact of an older release whose name has an apostrophe is found without it', async () => {
  const developer = await makeDeveloper([{ email: 'a@x.nz', name: "Sinéad O'Rourke" }]);
  const accountId = await accountIdOf(db, developer);
  await run(
    db,
    `update contacts set search_text = ' a@x.nz o''rourke rourke sinead x.nz' where account_id = $1`,
    [accountId],
  );
  await run(db, 'delete from schema_migrations where name = $1', [APOSTROPHES]);
  const key = await service.key(developer.slug, 'all');
  const find = async () => {
    const { body } = await service.send({ url: '/api/v1/contacts?q=orourke', key });
    return body.data.map(({ email }: { email: string }) => email);
  };
  assert.deepEqual(await find(), []);
  assert.deepEqual(await migrate(db), [APOSTROPHES]);
  assert.deepEqual(await find(), ['a@x.nz']);
});

test('two users who become equal leave the whole schema as it was, for the release that can rename one', async (t) => {
  const { old, accountId } = await createOldDatabase(t, OLD_VERSION);
  for (const [id, email] of [
    [USER, 'hana@developer.example'],
    [OTHER_USER, 'hana@developer.example.'],
  ])
    await run(old, `insert into users values ($1, $2, $3, $3, '', true)`, [accountId, id, email]);
  await assert.rejects(
    migrate(old),
    (error) => error instanceof SchemaError && error.message.includes(`user ${OTHER_USER} of`),
  );
  const { rows } = await run(old, 'select max(version) as version from schema_migrations');
  assert.equal(rows[0]?.['version'], OLD_VERSION);
  await run(old, `update users set email = 'mele@developer.example' where id = $1`, [OTHER_USER]);
  assert.ok((await migrate(old)).includes(FOLD_KEYS));
});

test('a migration goes on after a deadlock with a service that still runs', async () => {
  const developer = await makeDeveloper([{ email: 'a@x.nz' }, { email: 'b@x.nz' }]);
  const accountId = await asBefore(developer, (account) =>
    run(db, `update contacts set email_key = '<' || email where account_id = $1`, [account]),
  );
  const { rows } = await run(
    db,
    'select id, current_database() as name from contacts where account_id = $1 order by id',
    [accountId],
  );
  const [first, second] = rows;
  // PostgreSQL ends the transaction whose wait reaches its time first: that of the migration.
  await run(db, `alter database ${first?.['name']} set deadlock_timeout = '2s'`);
  const pool = openPool(await databaseUrl(db), () => undefined);
  const blocker = await db.connect();
  const lock = (id: unknown) =>
    blocker.query(`update contacts set notes = 'x' where id = '${String(id)}'`);
  let migrated: Promise<string[]> | undefined;
  try {
    await blocker.query(`begin; set deadlock_timeout = '1min'`);
    await lock(second?.['id']);
    migrated = migrate(pool);
    await someoneWaits(db);
    await lock(first?.['id']);
    await blocker.query('commit');
  } finally {
    blocker.release(true);
    await migrated?.catch(() => undefined);
    await pool.end();
  }
  assert.ok((await migrated).includes(FOLD_KEYS));
  assert.equal((await developer.post({ email: 'b@x.nz' })).body.action, 'merged');
});
