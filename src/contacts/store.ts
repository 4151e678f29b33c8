import sql from 'sql-template-tag';
import { recordEvents, selectRevisionOfContact } from '../accounts/index.ts';
import { eraseChanges, type Author, type NewEvent } from '../events/index.ts';
import { query, queryOnce, type Queryable } from '../platform/database/index.ts';
import { deleteEmailLocks } from './email-locks.ts';

/** Removes contacts with their tags, activities, links and changes. The caller holds the locks of their emails. */
export async function removeContacts(
  tx: Queryable,
  accountId: string,
  ids: string[],
  { now, author }: { now: Date; author: Author },
): Promise<void> {
  const events = ids.map((id): NewEvent => ({ type: 'contact.erased', subject: id, data: {} }));
  await recordEvents(tx, accountId, [{ author, events }], { now });
  await eraseChanges(tx, accountId, ids);
  const removed = await query<{ emailKey: string }>(
    tx,
    'contacts_remove',
    sql`delete from contacts where account_id = ${accountId} and id = any(${ids}::uuid[])
      returning email_key as "emailKey"`,
  );
  const emailKeys = removed.map(({ emailKey }) => emailKey);
  await deleteEmailLocks(tx, accountId, emailKeys);
}

/** Deletes all contacts of an account, with their tags, activities and links. */
export async function deleteAllContacts(tx: Queryable, accountId: string): Promise<void> {
  await query(tx, 'contacts_delete', sql`delete from contacts where account_id = ${accountId}`);
}

/** Assigns contacts to a person, or to nobody. The caller has locked their emails and raised the revision by their number. */
export async function reassignContacts(
  tx: Queryable,
  accountId: string,
  ids: string[],
  userId: string | null,
): Promise<void> {
  await query(
    tx,
    'contacts_reassign',
    sql`update contacts
      set assigned_account_user_id = ${userId}, version = version + 1,
        revision = ${selectRevisionOfContact(accountId, sql`(${ids.length} - place)`)}
      from unnest(${ids}::uuid[]) with ordinality as chosen(id, place)
      where account_id = ${accountId} and contacts.id = chosen.id`,
  );
}

/** Raises the versions of contacts after a change outside of their own columns. The caller has raised the revision by their number. */
export async function raiseContactVersions(
  tx: Queryable,
  accountId: string,
  ids: string[],
): Promise<void> {
  await query(
    tx,
    'contacts_raise_versions',
    sql`update contacts
      set version = version + 1, revision = ${selectRevisionOfContact(accountId, sql`(${ids.length} - place)`)}
      from unnest(${ids}::uuid[]) with ordinality as chosen(id, place)
      where account_id = ${accountId} and contacts.id = chosen.id`,
  );
}

/** So many new contacts make lists slow until PostgreSQL has statistics of them. */
const MANY_CONTACTS = 1_000;

/**
 * Lets PostgreSQL gather its first statistics of contacts after many were written. Otherwise autovacuum does that within a minute,
 * and until then PostgreSQL compares each contact with each tag or link of a filter.
 */
export async function ensureStatistics(db: Queryable, written: number): Promise<void> {
  if (written < MANY_CONTACTS) return;
  const [unknown] = await queryOnce(
    db,
    'contacts_find_statistics',
    sql`select from pg_class where oid = 'contacts'::regclass and reltuples < 0`,
  );
  if (unknown === undefined) return;
  const analyze = sql`analyze contacts, contact_tags, contact_links, activities`;
  // The contacts are stored, so a failure does no harm: PostgreSQL gathers its statistics later.
  await queryOnce(db, 'contacts_analyze', analyze).catch(() => undefined);
}
