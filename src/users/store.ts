import sql from 'sql-template-tag';
import { buildRowSql, query, type Queryable } from '../platform/database/index.ts';
import { emailKey } from '../platform/text/index.ts';
import type { User } from './schemas.ts';

const userRow = buildRowSql<User & { emailKey: string }>({
  id: ['id', 'uuid'],
  email: ['email', 'text'],
  emailKey: ['email_key', 'text'],
  name: ['name', 'text'],
  active: ['active', 'boolean'],
});

export async function insertUsers(tx: Queryable, accountId: string, users: User[]): Promise<void> {
  await query(
    tx,
    'users_insert',
    sql`insert into users (account_id, ${userRow.columns})
      select ${accountId}, ${userRow.values}
      from jsonb_to_recordset(${withKeys(users)}::jsonb) as r(${userRow.definition})`,
  );
}

export async function updateUsers(tx: Queryable, accountId: string, users: User[]): Promise<void> {
  const rows = withKeys(users);
  // Two users may swap their emails, so each changed email is released before any is taken.
  await query(
    tx,
    'user_emails_give_up',
    sql`update users set email_key = users.id::text
      from jsonb_to_recordset(${rows}::jsonb) as r(id uuid, "emailKey" text)
      where users.account_id = ${accountId} and users.id = r.id and users.email_key <> r."emailKey"`,
  );
  await query(
    tx,
    'users_update',
    sql`update users set ${userRow.assignments}
      from jsonb_to_recordset(${rows}::jsonb) as r(${userRow.definition})
      where users.account_id = ${accountId} and users.id = r.id`,
  );
}

function withKeys(users: User[]): string {
  return JSON.stringify(users.map((user) => ({ ...user, emailKey: emailKey(user.email) })));
}

export function readUsers(tx: Queryable, accountId: string): Promise<User[]> {
  return query<User>(
    tx,
    'users_read',
    sql`select id, email, name, active from users where account_id = ${accountId} order by id`,
  );
}
