import sql, { type Sql } from 'sql-template-tag';
import { query, type Queryable } from '../platform/database/index.ts';

/**
 * Raises the revision of an account: the time of the last change of its rows. A writer of users, stock or existing contacts
 * calls it after its last lock and read, right before its writes. From there to COMMIT these writers run one after another,
 * so revisions are unique and increase in commit order: an export has a row's change exactly when the row's revision is not
 * later than its own. An insert of contacts alone need not call it, since an older export does not have these contacts.
 */
export async function raiseRevision(tx: Queryable, accountId: string, now: Date): Promise<void> {
  await query(
    tx,
    'revision_raise',
    sql`insert into account_revisions (account_id, revision) values (${accountId}, ${now})
      on conflict (account_id) do update
        set revision = greatest(excluded.revision, account_revisions.revision + interval '1 millisecond')`,
  );
}

/** Builds the SQL of the revision of an account, for the rows that a statement writes. */
export function selectRevision(accountId: string): Sql {
  return sql`(select revision from account_revisions where account_id = ${accountId})`;
}

/** Gives a new account its first revision: that of the export which creates it, or the time of its creation. */
export async function startRevision(
  tx: Queryable,
  accountId: string,
  revision: Date,
): Promise<void> {
  await query(
    tx,
    'revision_start',
    sql`insert into account_revisions (account_id, revision) values (${accountId}, ${revision})`,
  );
}

/** Reads the revision of an account. An account without a stored one has the time of its creation. */
export async function readRevision(tx: Queryable, accountId: string): Promise<string> {
  const [row] = await query<{ revision: Date }>(
    tx,
    'revision_read',
    sql`select coalesce(account_revisions.revision, accounts.created_at) as revision
      from accounts left join account_revisions using (account_id)
      where accounts.account_id = ${accountId}`,
  );
  if (row === undefined) throw new Error(`no account ${accountId}`);
  return row.revision.toISOString();
}
