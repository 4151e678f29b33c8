import sql from 'sql-template-tag';
import { fold, toEmailKey } from '../../text/index.ts';
import { SchemaError } from '../errors.ts';
import { foldPages, type KeyColumns } from './fold-pages.ts';
import { foldTags } from './fold-tags.ts';
import type { Pool } from '../pool.ts';
import { query, type Queryable } from '../query.ts';

const CONTACT_KEYS: KeyColumns = { email_key: ['email', toEmailKey] };
const USER_KEYS: KeyColumns = { email_key: ['email', toEmailKey] };
const PROJECT_KEYS: KeyColumns = {
  city_key: ['city_name', fold],
  region_key: ['region_name', fold],
  region_slug_key: ['region_slug', fold],
  suburb_key: ['suburb_name', fold],
};

interface Account {
  id: string;
  slug: string;
}

/**
 * Recomputes all stored folded keys after the rules in `text/` have changed. Tags whose keys become equal are merged. It commits
 * each batch by itself and skips rows whose keys are right, so it can be stopped and run again. `refuseEqualUsers` must have
 * passed before.
 */
export async function foldKeys(pool: Pool): Promise<void> {
  for (const { id } of await listAccounts(pool)) {
    await foldPages(pool, id, 'users', USER_KEYS, releaseUserKeys);
    await foldTags(pool, id);
    await foldPages(pool, id, 'contacts', CONTACT_KEYS);
    await foldPages(pool, id, 'projects', PROJECT_KEYS);
  }
}

function listAccounts(db: Queryable): Promise<Account[]> {
  return query<Account>(
    db,
    'accounts_to_fold',
    sql`select account_id as id, slug from account_slugs order by account_id`,
  );
}

/**
 * Throws a SchemaError when the emails of two users of an account become equal. It reads only columns that the first migration
 * makes.
 */
export async function refuseEqualUsers(db: Queryable): Promise<void> {
  const clashes: string[] = [];
  for (const { id: accountId, slug } of await listAccounts(db)) {
    const users = await query<{ id: string; email: string }>(
      db,
      'users_to_fold',
      sql`select id, email from users where account_id = ${accountId} order by id`,
    );
    for (const [first, ...others] of Map.groupBy(users, ({ email }) => toEmailKey(email)).values())
      for (const { id } of others)
        clashes.push(`user ${id} of account "${slug}" has the email of user ${first?.id}`);
  }
  if (clashes.length > 0)
    throw new SchemaError(
      `Emails that look alike are one email from this release on: ${clashes.join('; ')}. ` +
        'Give them other emails with `offplan load` of the release that ran before, and migrate again.',
    );
}

/** Replaces the keys by unique placeholders: a new key may be the old key of another user of the page. */
function releaseUserKeys(
  tx: Queryable,
  accountId: string,
  rows: { id: string }[],
): Promise<unknown> {
  const ids = rows.map(({ id }) => id);
  return query(
    tx,
    'user_keys_release',
    sql`update users set email_key = id::text
      where account_id = ${accountId} and id = any(${ids}::uuid[])`,
  );
}
