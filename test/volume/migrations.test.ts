import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SCOPES } from '../../src/access/index.ts';
import { issueKey } from '../../src/keys/index.ts';
import {
  migrate,
  requireCurrentSchema,
  runInTransaction,
  type Pool,
} from '../../src/platform/database/index.ts';
import { instance } from '../support/instances.ts';
import { createOldDatabase } from '../support/old-database.ts';
import { run } from '../support/sql.ts';

/** The last migration of the release before people signed in and contacts were listed. */
const OLD_VERSION = 19;
const CONTACTS = 20_000;

const USER = '00000000-0000-7000-8000-000000000002';
const TAG = '00000000-0000-7000-8000-000000000003';
const PROJECT = '00000000-0000-7000-8000-000000000004';
const UNIT = '00000000-0000-7000-8000-000000000005';

/** SQL of the time of the nth contact, of its id (a UUIDv7 of that time; each tenth is random), and of its activity. */
const TIME = `timestamptz '2024-01-01Z' + n * interval '1 minute'`;
const HEX = `lpad(to_hex((extract(epoch from ${TIME}) * 1000)::bigint), 12, '0')`;
const SUFFIX = `lpad(n::text, 12, '0')`;
const ID = `case when n % 10 = 0 then '00000000-0000-4000-8000-' || ${SUFFIX}
  else left(${HEX}, 8) || '-' || right(${HEX}, 4) || '-7000-8000-' || ${SUFFIX} end::uuid`;
const ACTIVITY_ID = `('01000000-0000-7000-8000-' || ${SUFFIX})::uuid`;

/** Fills the account as the release before did: a third of the contacts has a note, a fifth a tag, a half a link. */
async function fill(old: Pool, accountId: string): Promise<void> {
  await run(old, `insert into users values ($1, $2, 'hana@x.nz', 'hana@x.nz', 'Hana', true)`, [
    accountId,
    USER,
  ]);
  await run(old, `insert into tags values ($1, $2, 'Hot', 'hot')`, [accountId, TAG]);
  await runInTransaction(old, async (tx) => {
    await run(tx, `set local session_replication_role = 'replica'`);
    const from = `from generate_series(1, ${CONTACTS}) n`;
    const statements = [
      `insert into contacts (account_id, id, email, email_key, name, phone_primary, company_name, stage, source, budget,
          imported_at, archived_at, created_at, assigned_account_user_id)
        select $1, ${ID}, 'Lead' || n || '@x.nz', 'lead' || n || '@x.nz', 'Tāne Number' || n,
          case when n % 2 = 0 then '021 ' || lpad(n::text, 7, '0') end, case when n % 7 = 0 then 'Company ' || n end,
          case when n % 3 = 0 then 'New' end, 'Website', to_jsonb(n), ${TIME}, case when n % 50 = 0 then ${TIME} end,
          case when n % 4 = 0 then ${TIME} - interval '1 year' end, case when n % 5 = 0 then '${USER}'::uuid end ${from}`,
      `insert into contact_tags (account_id, contact_id, tag_id, id) select $1, ${ID}, '${TAG}', ${ACTIVITY_ID} ${from} where n % 5 = 0`,
      `insert into contact_links (account_id, id, contact_id, project_id, unit_id)
        select $1, ${ACTIVITY_ID}, ${ID}, '${PROJECT}', case when n % 6 = 0 then '${UNIT}'::uuid end ${from} where n % 2 = 0`,
      `insert into activities (account_id, id, contact_id, type, body, occurred_at)
        select $1, ${ACTIVITY_ID}, ${ID}, 'note', 'Note ' || n, ${TIME} + interval '1 day' ${from} where n % 3 = 0`,
    ];
    for (const statement of statements) await run(tx, statement, [accountId]);
  });
}

/** The columns that the release before had, by table. */
const OLD_COLUMNS = {
  contacts: `id, email, email_key, name, phone_primary, company_name, stage, source, budget, imported_at, archived_at,
    assigned_account_user_id, version`,
  contact_tags: 'id, contact_id, tag_id',
  contact_links: 'id, contact_id, project_id, unit_id',
  activities: 'id, contact_id, type, body, occurred_at',
  tags: 'id, label',
  users: 'id, email, name, active, role',
};

/** Makes one text of all rows of each table, in these columns. */
async function digest(db: Pool) {
  const digests: Record<string, unknown> = {};
  for (const [table, columns] of Object.entries(OLD_COLUMNS)) {
    const { rows } = await run(
      db,
      `select count(*)::int as count, md5(string_agg(md5(row(${columns})::text), '' order by id)) as md5 from ${table}`,
    );
    digests[table] = rows[0];
  }
  return digests;
}

test(`a database of an older release with ${CONTACTS} contacts is migrated, keeps all, and lists and finds them`, async (t) => {
  const { old, accountId } = await createOldDatabase(t, OLD_VERSION);
  await fill(old, accountId);
  const before = await digest(old);
  assert.ok((await migrate(old)).length > 10);
  await requireCurrentSchema(old);
  assert.deepEqual(await digest(old), before);

  const { rows: times } = await run(
    old,
    `select count(*)::int as count from generate_series(1, ${CONTACTS}) n
      join contacts on contacts.account_id = $1 and contacts.id = ${ID}
      where created_at = case when n % 4 = 0 then ${TIME} - interval '1 year' else ${TIME} end
        and last_activity_at = case when n % 3 = 0 then ${TIME} + interval '1 day' else created_at end
        and updated_at = created_at and has_phone = (n % 2 = 0) and has_tag = (n % 5 = 0) and has_project = (n % 2 = 0)
        and has_unit = (n % 6 = 0)`,
    [accountId],
  );
  assert.deepEqual(times, [{ count: CONTACTS }]);

  const key = await issueKey(old, accountId, { name: 'all', scopes: SCOPES });
  const app = await instance(t, old);
  const ask = async (path: string, payload?: object) => {
    const headers = { authorization: `Bearer ${key}` };
    const url = `/api/v1${path}`;
    const response = await app.inject({
      url,
      headers,
      ...(payload && { method: 'POST', payload }),
    });
    assert.ok(response.statusCode < 300, response.payload);
    return response.json();
  };
  const { data, pagination } = await ask(
    '/contacts?archived=any&count=true&sort=-createdAt&limit=3',
  );
  assert.deepEqual([pagination.totalCount, pagination.totalCountIsExact], [10_000, false]);
  assert.deepEqual(
    data.map(({ email }: { email: string }) => email),
    [19_999, 19_998, 19_997].map((n) => `Lead${n}@x.nz`),
  );
  for (const q of ['lead7777@x.nz', 'number7777', 'company%207777', 'tane%20021%200007776']) {
    const found = await ask(`/contacts?q=${q}&archived=any`);
    const expected = q.endsWith('6') ? 'Lead7776@x.nz' : 'Lead7777@x.nz';
    assert.deepEqual(
      found.data.map(({ email }: { email: string }) => email),
      [expected],
      q,
    );
  }
  assert.equal((await ask('/tags')).data[0].contactCount, CONTACTS / 5 - CONTACTS / 50);

  const merged = await ask('/contacts', { email: 'LEAD999@x.nz', notes: 'Again.' });
  assert.equal(merged.action, 'merged');
  const { body } = (await ask(`/contacts/${merged.contactId}/activities`)).data[0];
  assert.equal(body, 'Again.');
  const { data: events } = await ask('/events');
  assert.equal(events[0].sequence, 1);
});
