import sql from 'sql-template-tag';
import type { Role } from '../access/index.ts';
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
    sql`select ${userRow.select('users', ['id', ...Object.keys(UserFields)])}
      from users where account_id = ${accountId} and id = ${id}`,
  );
  return user;
}

/** Reads the person whose email has this key. */
export async function readUserByEmail(
  tx: Queryable,
  accountId: string,
  emailKey: string,
): Promise<User | undefined> {
  const [user] = await queryStoredRows<User>(
    tx,
    'user_read_by_email',
    sql`select ${userRow.select('users', ['id', ...Object.keys(UserFields)])}
      from users where account_id = ${accountId} and email_key = ${emailKey}`,
  );
  return user;
}

export function readUsers(tx: Queryable, accountId: string): Promise<User[]> {
  return queryStoredRows<User>(
    tx,
    'users_read',
    sql`select ${userRow.select('users', ['id', ...Object.keys(UserFields)])}
      from users where account_id = ${accountId} order by id`,
  );
}

/** Counts the active owners of an account besides a person. */
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

/** Lists the people of an account, in the order of their emails. */
export function listPeople(db: Queryable, accountId: string): Promise<StoredPerson[]> {
  return query<StoredPerson>(
    db,
    'user_list',
    sql`select ${selectPerson(accountId)} from ${joinPeople(accountId)}
      where users.account_id = ${accountId} order by users.email_key`,
  );
}

/** A person as the API shows them. */
export interface StoredPerson {
  id: string;
  email: string;
  name: string;
  role: Role;
  active: boolean;
  theme: Theme;
  secondStep: boolean;
  signedInAt: Date | null;
  invitedUntil: Date | null;
  createdAt: Date;
  updatedAt: Date;
  version: number;
}

/** The columns of a person. Rows from before these columns existed have no times; they show that of the revision or account. */
const selectPerson = (
  accountId: string,
) => sql`users.id, users.email, users.name, users.role, users.active,
  coalesce(users.theme, 'system') as theme, users.signed_in_at as "signedInAt",
  invitations.expires_at as "invitedUntil",
  exists (select from second_steps where second_steps.account_id = ${accountId}
    and second_steps.user_id = users.id and second_steps.secret is not null) as "secondStep",
  coalesce(users.created_at, users.revision, accounts.created_at) as "createdAt",
  coalesce(users.revision, users.created_at, accounts.created_at) as "updatedAt", users.version`;

/** The tables of those columns. A person has at most one invitation: a new link ends the older ones. */
const joinPeople = (accountId: string) => sql`users join accounts using (account_id) left join (
    select user_id, max(expires_at) as expires_at from sign_in_links
    where account_id = ${accountId} and kind = 'invite' group by user_id
  ) invitations on invitations.user_id = users.id`;

export async function findPerson(
  db: Queryable,
  accountId: string,
  id: string,
): Promise<StoredPerson | undefined> {
  const [row] = await query<StoredPerson>(
    db,
    'user_find',
    sql`select ${selectPerson(accountId)} from ${joinPeople(accountId)}
      where users.account_id = ${accountId} and users.id = ${id}`,
  );
  return row;
}

export function findPeople(
  db: Queryable,
  accountId: string,
  ids: string[],
): Promise<StoredPerson[]> {
  return query<StoredPerson>(
    db,
    'users_find',
    sql`select ${selectPerson(accountId)} from ${joinPeople(accountId)}
      where users.account_id = ${accountId} and users.id = any(${ids}::uuid[])`,
  );
}

/** A person who may sign in, and the hash of their password. */
export interface Credentials {
  id: string;
  email: string;
  password: string | null;
  /** Whether the person signed in from the network since the given time. */
  isKnownNetwork: boolean;
}

/** Finds an active person by the key of their email, or by their id. */
export async function findCredentials(
  db: Queryable,
  accountId: string,
  person: { emailKey: string } | { id: string },
  { network, since }: { network: string; since: Date },
): Promise<Credentials | undefined> {
  const [row] = await query<Credentials>(
    db,
    'id' in person ? 'user_credentials_by_id' : 'user_credentials_by_email',
    sql`select id, email, password, exists (
          select from known_networks
          where known_networks.account_id = ${accountId} and known_networks.user_id = users.id
            and network = ${network} and known_networks.signed_in_at > ${since}
        ) as "isKnownNetwork"
      from users
      where account_id = ${accountId} and active
        and ${'id' in person ? sql`id = ${person.id}` : sql`email_key = ${person.emailKey}`}`,
  );
  return row;
}

export async function updatePassword(
  tx: Queryable,
  accountId: string,
  id: string,
  password: string,
): Promise<void> {
  await query(
    tx,
    'user_password_update',
    sql`update users set password = ${password} where account_id = ${accountId} and id = ${id}`,
  );
}

/** Stores when a person signed in. It does not raise the revision, since an export does not contain this time. */
export async function markSignedIn(
  tx: Queryable,
  accountId: string,
  id: string,
  now: Date,
): Promise<void> {
  await query(
    tx,
    'user_mark_signed_in',
    sql`update users set signed_in_at = ${now}, version = version + 1
      where account_id = ${accountId} and id = ${id}`,
  );
}

/** Stores the network that a person has signed in from, and deletes their networks that were last used before the given time. */
export async function markNetwork(
  tx: Queryable,
  accountId: string,
  userId: string,
  { network, now, since }: { network: string; now: Date; since: Date },
): Promise<void> {
  await query(
    tx,
    'known_networks_forget',
    sql`delete from known_networks
      where account_id = ${accountId} and user_id = ${userId} and signed_in_at <= ${since}`,
  );
  await query(
    tx,
    'known_network_mark',
    sql`insert into known_networks (account_id, user_id, network, signed_in_at)
      values (${accountId}, ${userId}, ${network}, ${now})
      on conflict (account_id, user_id, network) do update set signed_in_at = excluded.signed_in_at`,
  );
}

/** Raises the version of a person after a change that only the API shows: the account file does not contain it. */
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

/** Lists the accounts in which no active owner has a password, over all accounts. Citus has no `not exists` across a reference table. */
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
