import sql from 'sql-template-tag';
import type { Role } from '../../access/index.ts';
import { query, type Queryable } from '../../platform/database/index.ts';
import type { Theme } from '../schemas.ts';

/** A person as the database stores them, with the end of their invitation. */
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

/**
 * The columns of a person. Rows from before these columns existed have no times: they show the time of the revision or of the
 * account.
 */
const selectPerson = (
  accountId: string,
) => sql`users.id, users.email, users.name, users.role, users.active,
  coalesce(users.theme, 'system') as theme, users.signed_in_at as "signedInAt",
  invitations.expires_at as "invitedUntil",
  exists (select from second_steps where second_steps.account_id = ${accountId}
    and second_steps.user_id = users.id and second_steps.secret is not null) as "secondStep",
  coalesce(users.created_at, users.revision, accounts.created_at) as "createdAt",
  coalesce(users.revision, users.created_at, accounts.created_at) as "updatedAt", users.version`;

/** The tables of these columns. A person has at most one invitation, since a new link makes the older ones invalid. */
const joinPeople = (accountId: string) => sql`users join accounts using (account_id) left join (
    select user_id, max(expires_at) as expires_at from sign_in_links
    where account_id = ${accountId} and kind = 'invite' group by user_id
  ) invitations on invitations.user_id = users.id`;

/** Lists the people of an account in the order of their emails. */
export function listPeople(db: Queryable, accountId: string): Promise<StoredPerson[]> {
  return query<StoredPerson>(
    db,
    'user_list',
    sql`select ${selectPerson(accountId)} from ${joinPeople(accountId)}
      where users.account_id = ${accountId} order by users.email_key`,
  );
}

export async function findPerson(
  db: Queryable,
  accountId: string,
  id: string,
): Promise<StoredPerson | undefined> {
  const [person] = await findPeople(db, accountId, [id]);
  return person;
}

/** Finds people with their invitations and last sign-ins. Unknown ids have no entry. */
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
