import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, describe, test } from 'node:test';
import pg from 'pg';
import { uuidv7 } from 'uuidv7';
import { retryOnConflict, type Queryable } from '../src/platform/database/index.ts';
import { accountIdOf } from './support/accounts.ts';
import { isCitus } from './support/databases.ts';
import { developersOf, LIVE, OTHER_LIVE, UNIT, USER } from './support/developer.ts';
import { build } from './support/harness.ts';
import { listColumns } from './support/instances.ts';
import { idempotencyKey, sender } from './support/imports.ts';
import { neighbour, THEIRS } from './support/neighbours.ts';
import { addPerson, openSession } from './support/people.ts';
import { run } from './support/sql.ts';
import { invitePerson } from '../src/users/index.ts';
import { relateProjects } from './support/stock.ts';

/*
 * PostgreSQL itself refuses a row of one account that refers to a row of another. These tests read tables, columns and
 * foreign keys from the catalog, so that they cover each new one.
 */

const service = await build({ after });
const { db } = service;
const mine = await developersOf(service)();
const theirs = await neighbour(service);

const lead = { email: 'hana@example.com', tag: 'Hot', notes: 'Hello', assignedAccountUserId: USER };
for (const [developer, projectId, unitId] of [
  [mine, LIVE, UNIT],
  [theirs, THEIRS.project, THEIRS.unit],
] as const) {
  const account = { id: await accountIdOf(db, developer), slug: developer.slug };
  await relateProjects(db, account, projectId, [OTHER_LIVE]);
  const headers = idempotencyKey('wall');
  const { status } = await sender(service)(developer, { ...lead, projectId, unitId }, { headers });
  assert.equal(status, 201);
  // The account keeps the bytes of a refused lead.
  assert.equal((await sender(service)(developer, { email: 'x' })).status, 400);
}
// A person of this account signs in.
const person = await addPerson(service, { slug: mine.slug });
await openSession(service, person);
for (const text of [
  `insert into second_steps (account_id, user_id, last_step) values ($1, $2, 0)`,
  `insert into recovery_codes (account_id, user_id, code_sha256) values ($1, $2, 'x')`,
])
  await run(db, text, [person.accountId, person.id]);
await invitePerson(db, person.accountId, { email: person.email, role: 'agent' });
const myId = await accountIdOf(db, mine);
const theirId = await accountIdOf(db, theirs);

// A contact of this account has become another one.
await run(
  db,
  'insert into merged_contacts (account_id, id, into_id) select account_id, $2, id from contacts where account_id = $1',
  [myId, uuidv7()],
);

for (const accountId of [myId, theirId])
  await run(
    db,
    `insert into views (account_id, id, resource, name, name_key, filter, shared, owner_type, owner_id)
      values ($1, $2, 'contacts', 'x', 'x', '{}', true, 'key', $2)`,
    [accountId, uuidv7()],
  );

for (const accountId of [myId, theirId])
  await run(
    db,
    `insert into removed_projects (account_id, id, slug, removed_at) values ($1, $2, 'x', now())`,
    [accountId, uuidv7()],
  );

for (const accountId of [myId, theirId])
  await run(
    db,
    `insert into media (account_id, sha256, ext, bytes, width, height, created_at, created_by_type, created_by_id)
      values ($1, 'x', 'jpg', 1, 1, 1, now(), 'key', $2)`,
    [accountId, uuidv7()],
  );

for (const accountId of [myId, theirId])
  for (const text of [
    `insert into contact_files (account_id, id, name, media_format, status, created_at, actor_type, actor_id)
      values ($1, $2, 'x', 'csv', 'ready', now(), 'key', $2)`,
    `insert into contact_file_chunks (account_id, file_id, position, bytes) values ($1, $2, 0, '')`,
    `insert into contact_file_refusals (account_id, file_id, line, code, reason, text)
      values ($1, $2, 2, 'x', 'x', 'x')`,
  ])
    await run(db, text, [accountId, accountId]);

for (const accountId of [myId, theirId])
  for (const text of [
    `insert into webhooks (account_id, id, url, types, with_objects, bulk, ordered, header_names, secret, created_at,
        created_by_type, created_by_id, cursor, disabled_reason)
      values ($1, $2, 'x', '{*}', false, 'each', false, '{}', '', now(), 'key', $2, 0, 'turned_off')`,
    `insert into webhook_deliveries (account_id, webhook_id, sequence, type, subject, event_at, status, attempt, at)
      values ($1, $2, 1, 'x', $2, now(), 'failed', 1, now())`,
  ])
    await run(db, text, [accountId, accountId]);

type Row = Record<string, unknown>;

const rowsOf = async (text: string, values: unknown[] = [], on: Queryable = db): Promise<Row[]> =>
  (await run(on, text, values)).rows;

interface ForeignKey {
  name: string;
  table: string;
  columns: string[];
  to: string;
  toColumns: string[];
}

const columnsOf = (relation: string, keys: string): string =>
  `(select array_agg(attname::text order by place) from unnest(${keys}) with ordinality key(attnum, place)
    join pg_attribute using (attnum) where attrelid = ${relation})`;

const foreignKeys = (await rowsOf(
  `select conname as name, conrelid::regclass::text as table, ${columnsOf('conrelid', 'conkey')} as columns,
    confrelid::regclass::text as to, ${columnsOf('confrelid', 'confkey')} as "toColumns"
    from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace order by 2, 1`,
)) as unknown as ForeignKey[];

/** Columns that need no foreign key, and why. */
const WITHOUT = {
  'activities.actor_id': 'a person or a key, which the activity outlives',
  'api_keys.created_by_id': 'a person or a key, which the key outlives',
  'changes.actor_id': 'a person or a key, which the change outlives',
  'changes.import_id': 'a record of the import log, which the change outlives',
  'changes.request_id': 'the id of the request: it refers to nothing stored',
  'changes.subject': 'a row of any table, which the change outlives',
  'contact_files.actor_id': 'a person or a key, which the file outlives',
  'contact_files.lease': 'the token of a process: it refers to nothing stored',
  'contacts.project_ids': 'the projects of its links, whose own columns are in foreign keys',
  'events.actor_id': 'a person or a key, which the event outlives',
  'events.request_id': 'the id of the request: it refers to nothing stored',
  'events.subject': 'a row of any table, which the event outlives',
  'imports.api_key_id': 'the log outlives the key, and only its own account reads it',
  'imports.request_id': 'the id of the request in its answer: it refers to nothing stored',
  'imports.run_id': 'the log outlives its run, and only its own account reads it',
  'imports.settled_by':
    'the log outlives the run that settled it, and only its own account reads it',
  'idempotency_keys.api_key_id': 'the id of a key or of a person',
  'idempotency_keys.claim_id': 'the id of the claim itself: it refers to nothing',
  'media.created_by_id': 'a person or a key, which the picture outlives',
  'webhook_deliveries.contact_id': 'the contact of the event, which the delivery outlives',
  'webhook_deliveries.subject': 'a row of any table, which the delivery outlives',
  'webhooks.created_by_id': 'a person or a key, which the webhook outlives',
  'webhooks.lease': 'the token of a process: it refers to nothing stored',
  'views.owner_id': 'a person or a key, which the view outlives',
};

test('every column that refers to a row of a tenant is in a foreign key together with account_id', async () => {
  const columns =
    await rowsOf(`select relname || '.' || attname as name, relname as table, attname as column
    from pg_class join pg_attribute on attrelid = pg_class.oid
    where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace and attnum > 0 and not attisdropped
      and (atttypid = 'uuid'::regtype or attname ~ '_ids?$') and attname not in ('id', 'account_id')`);
  const loose = columns.filter(
    ({ table, column }) =>
      !foreignKeys.some(
        (key) => key.table === table && key.columns.slice(1).includes(String(column)),
      ),
  );
  assert.deepEqual(
    loose.map(({ name }) => String(name)).toSorted(),
    Object.keys(WITHOUT).toSorted(),
  );
  assert.ok(foreignKeys.length >= 17);
  for (const { name, columns: from, toColumns } of foreignKeys)
    assert.deepEqual([from[0], toColumns[0]], ['account_id', 'account_id'], name);
});

/** Runs a statement without the other foreign keys from and to its table. Returns its error, or null. The service looks for work meanwhile. */
const tryAlone = (key: ForeignKey, text: string, values: unknown[]) =>
  retryOnConflict(() => tryOnceAlone(key, text, values));

async function tryOnceAlone({ name, table }: ForeignKey, text: string, values: unknown[]) {
  const client = await db.connect();
  try {
    await run(client, 'begin');
    for (const other of foreignKeys)
      if (other.name !== name && (other.table === table || other.to === table))
        await run(client, `alter table ${other.table} drop constraint ${other.name}`);
    return await run(client, text, values).then(
      () => null,
      (error: unknown) => error,
    );
  } finally {
    await run(client, 'rollback');
    client.release();
  }
}

function assertRefused(error: unknown, { name }: ForeignKey): void {
  assert.ok(error instanceof pg.DatabaseError, `${name} accepts the row`);
  assert.deepEqual([error.code, error.constraint], ['23503', name], error.message);
}

/** Finds a row of an account with values in these columns that no row of the other account has. */
async function rowOf(
  table: string,
  accountId: string,
  columns: string[],
  otherId: string | null = null,
): Promise<Row> {
  const same = columns.slice(1).map((column) => `and other.${column} = t.${column}`);
  const [row] = await rowsOf(
    `select to_jsonb(t) as row from ${table} t
      where account_id = $1 and num_nulls(${columns.join(', ')}) = 0
        and not exists (select from ${table} other where other.account_id = $2 ${same.join(' ')})
      limit 1`,
    [accountId, otherId],
  );
  assert.ok(row, `${table} has no such row of the account: add one above`);
  return row['row'] as Row;
}

/** Citus drops no constraint for one transaction while the service reads the table. Its shards have the same foreign keys. */
const OF_CONSTRAINTS = { skip: isCitus() && 'Citus drops no constraint for one transaction' };

describe('a row of one account cannot refer to a row of another', OF_CONSTRAINTS, () => {
  for (const key of foreignKeys) {
    const { table, columns, to, toColumns } = key;
    const [, ...references] = columns;
    const isOfAccount = references.length === 0;
    test(`${table} (${columns.join(', ')}) → ${to}`, async () => {
      const own = await rowOf(table, myId, columns);
      const foreign = isOfAccount ? {} : await rowOf(to, theirId, toColumns, myId);
      // A foreign key of account_id alone refers to the account itself: use the id of no account.
      const crossing: Row = isOfAccount
        ? { account_id: uuidv7() }
        : Object.fromEntries(
            references.map((column, index) => [column, foreign[toColumns[index + 1] ?? '']]),
          );
      const inserted = {
        ...own,
        ...('id' in own && { id: uuidv7() }),
        ...('token_sha256' in own && { token_sha256: `\\x${randomBytes(32).toString('hex')}` }),
        ...crossing,
      };
      const names = (await listColumns(db, table)).join(', ');
      assertRefused(
        await tryAlone(
          key,
          `insert into ${table} (${names}) select ${names} from jsonb_populate_record(null::${table}, $1)`,
          [JSON.stringify(inserted)],
        ),
        key,
      );
      const changed = Object.keys(crossing).join(', ');
      assertRefused(
        await tryAlone(
          key,
          `update ${table} set (${changed}) =
            (select ${changed} from jsonb_populate_record(null::${table}, $2))
            where to_jsonb(${table}) = $1`,
          [JSON.stringify(own), JSON.stringify(crossing)],
        ),
        key,
      );
    });
  }
});
