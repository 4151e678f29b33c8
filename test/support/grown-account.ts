import { runInTransaction, type Pool, type Queryable } from '../../src/platform/database/index.ts';
import { listColumns } from './instances.ts';
import { run } from './sql.ts';
import type { Account } from './stock.ts';

// The SQL of the id of row `n`, in each table.
const ID = `('01000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid`;
const OTHER_ID = `('01000000-0000-7000-8001-' || lpad(n::text, 12, '0'))::uuid`;

/** For each table, the columns in which row `n` differs from the row that it copies. */
const GROWN: [table: string, columns: Record<string, string>][] = [
  [
    'projects',
    { id: ID, slug: 'n', updated_at: `timestamptz '2026-01-01Z' + n * interval '1 ms'` },
  ],
  ['units', { id: ID, project_id: ID }],
  ['related_projects', { project_id: ID, related_project_id: ID }],
  ['users', { id: ID, email_key: 'n' }],
  ['api_keys', { id: ID, key_sha256: 'sha256(n::text::bytea)::text' }],
  ['tags', { id: ID, label_key: 'n' }],
  ['contacts', { id: ID, email_key: 'n' }],
  ['email_locks', { email_sha256: 'sha256(n::text::bytea)::text' }],
  ['contact_tags', { id: ID, contact_id: ID, tag_id: ID }],
  ['contact_links', { id: ID, contact_id: ID, project_id: ID, unit_id: ID }],
  ['activities', { id: ID, contact_id: ID }],
  // All of these belong to one contact.
  ['activities', { id: OTHER_ID }],
  ['imports', { id: ID }],
  ['idempotency_keys', { key: 'n' }],
];

const OTHER_ACCOUNTS = 1_000;

/**
 * Adds the rows with the numbers `from` + 1 to `to` to the account. The first call also adds other accounts with one row each.
 */
export async function growAccount(
  db: Pool,
  account: Account,
  from: number,
  to: number,
): Promise<void> {
  await runInTransaction(db, async (tx) => {
    // Turn the checks of foreign keys off: they would take most of the time.
    await run(tx, `set local session_replication_role = 'replica'`);
    if (from === 0) await copy(tx, 'accounts', {}, account, OF_OTHER_ACCOUNTS);
    for (const [table, columns] of GROWN) {
      if (from === 0) await copy(tx, table, columns, account, OF_OTHER_ACCOUNTS);
      await copy(
        tx,
        table,
        columns,
        account,
        `select '${account.id}'::uuid, generate_series(${from + 1}, ${to})`,
      );
    }
  });
}

const OF_OTHER_ACCOUNTS = `select gen_random_uuid(), generate_series(1, ${OTHER_ACCOUNTS})`;

/** Copies a row of the account once for each account and number that `numbered` selects. */
async function copy(
  tx: Queryable,
  table: string,
  columns: Record<string, string>,
  account: Account,
  numbered: string,
): Promise<void> {
  const changes = Object.entries(columns).map(([name, value]) => `, '${name}', ${value}`);
  const names = await listColumns(tx, table);
  await run(
    tx,
    `insert into ${table} (${names.join(', ')}) select ${names.map((name) => `made.${name}`).join(', ')}
      from (select t as one from ${table} as t where account_id = $1 limit 1) as like_it,
        (${numbered}) as numbered(account_id, n),
        jsonb_populate_record(one, jsonb_build_object('account_id', numbered.account_id${changes.join('')})) as made`,
    [account.id],
  );
}
