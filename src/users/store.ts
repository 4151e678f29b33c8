import sql from 'sql-template-tag';
import { selectRevision } from '../accounts/index.ts';
import { buildRowSql, query, queryStoredRows, type Queryable } from '../platform/database/index.ts';
import { deriveColumns } from '../platform/fields/index.ts';
import { toEmailKey } from '../platform/text/index.ts';
import { UserFields, type Theme, type User } from './schemas.ts';

const userRow = buildRowSql(
  {
    id: ['id', 'uuid'],
    emailKey: ['email_key', 'text'],
    createdAt: ['created_at', 'timestamptz(3)'],
    ...deriveColumns(UserFields),
  },
  { fixed: ['id', 'createdAt'] },
);

const userColumns = userRow.select('users', ['id', ...Object.keys(UserFields)]);

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

export async function readUser(
  tx: Queryable,
  accountId: string,
  id: string,
): Promise<User | undefined> {
  const [user] = await queryStoredRows<User>(
    tx,
    'user_read',
    sql`select ${userColumns} from users where account_id = ${accountId} and id = ${id}`,
  );
  return user;
}

/** Reads the user whose email has this key. */
export async function readUserByEmail(
  tx: Queryable,
  accountId: string,
  emailKey: string,
): Promise<User | undefined> {
  const [user] = await queryStoredRows<User>(
    tx,
    'user_read_by_email',
    sql`select ${userColumns} from users where account_id = ${accountId} and email_key = ${emailKey}`,
  );
  return user;
}

/** Reads all people of an account, also inactive ones. */
export function readUsers(tx: Queryable, accountId: string): Promise<User[]> {
  return queryStoredRows<User>(
    tx,
    'users_read',
    sql`select ${userColumns} from users where account_id = ${accountId} order by id`,
  );
}

/** Counts the active owners of an account, except one person. */
export async function countOtherOwners(
  tx: Queryable,
  accountId: string,
  userId: string,
): Promise<number> {
  const [row] = await query<{ count: number }>(
    tx,
    'user_count_owners',
    sql`select count(*)::int as count from users
      where account_id = ${accountId} and role = 'owner' and active and id <> ${userId}`,
  );
  return row?.count ?? 0;
}

export async function countActiveUsers(tx: Queryable, accountId: string): Promise<number> {
  const [row] = await query<{ count: number }>(
    tx,
    'user_count_active',
    sql`select count(*)::int as count from users where account_id = ${accountId} and active`,
  );
  return row?.count ?? 0;
}

/** Raises the version of a person after a change that the account file does not contain, and only the API shows. */
export async function raiseVersion(tx: Queryable, accountId: string, id: string): Promise<void> {
  await query(
    tx,
    'user_version_raise',
    sql`update users set version = version + 1 where account_id = ${accountId} and id = ${id}`,
  );
}

export async function updateTheme(
  tx: Queryable,
  accountId: string,
  id: string,
  theme: Theme,
): Promise<void> {
  await query(
    tx,
    'user_theme_update',
    sql`update users set theme = ${theme} where account_id = ${accountId} and id = ${id}`,
  );
}

/** Lists all accounts in which no active owner has a password. Citus has no `not exists` across a reference table. */
export function listAccountsWithoutOwner(
  db: Queryable,
): Promise<{ accountId: string; slug: string }[]> {
  return query(
    db,
    'accounts_list_without_owner',
    sql`select account_id as "accountId", slug from account_slugs
      where account_id not in (
        select account_id from users where role = 'owner' and active and password is not null
      )
      order by slug`,
  );
}
