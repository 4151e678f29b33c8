import sql from 'sql-template-tag';
import { selectRevision } from '../accounts/index.ts';
import { buildRowSql, query, queryStoredRows, type Queryable } from '../platform/database/index.ts';
import { deriveColumns } from '../platform/fields/index.ts';
import { toEmailKey } from '../platform/text/index.ts';
import { UserFields, type User } from './schemas.ts';

const userRow = buildRowSql(
  {
    id: ['id', 'uuid'],
    emailKey: ['email_key', 'text'],
    createdAt: ['created_at', 'timestamptz(3)'],
    ...deriveColumns(UserFields),
  },
  ['id', 'createdAt'],
);

/** Inserts new users and updates existing ones. The caller must have raised the revision. */
export async function writeUsers(
  tx: Queryable,
  accountId: string,
  users: User[],
  now: Date,
): Promise<void> {
  const rows = users.map((user) => ({
    ...user,
    emailKey: toEmailKey(user.email),
    createdAt: now,
  }));
  const ids = rows.map(({ id }) => id);
  const emailKeys = rows.map((row) => row.emailKey);
  // Two users may swap their emails, so first replace every key that changes by a unique placeholder.
  await query(
    tx,
    'user_emails_release',
    sql`update users set email_key = users.id::text
      from unnest(${ids}::uuid[], ${emailKeys}::text[]) as changed(id, email_key)
      where account_id = ${accountId} and users.id = changed.id
        and users.email_key <> changed.email_key`,
  );
  await query(
    tx,
    'users_write',
    userRow.upsert('users', accountId, rows, selectRevision(accountId)),
  );
}

export function readUsers(tx: Queryable, accountId: string): Promise<User[]> {
  return queryStoredRows<User>(
    tx,
    'users_read',
    sql`select ${userRow.select('users', ['id', ...Object.keys(UserFields)])}
      from users where account_id = ${accountId} order by id`,
  );
}
