import sql, { raw } from 'sql-template-tag';
import { moveChanges } from '../../events/index.ts';
import { query, type Queryable } from '../../platform/database/index.ts';
import type { Contact } from '../schemas.ts';
import { writeChanges } from '../changes-store.ts';
import { refreshActivityTimes, refreshMarks } from '../marks-store.ts';
import type { MergeChanges } from './rules.ts';
import { recordMergedIds } from '../merged-ids.ts';

/** A contact that shares its email with others, with the fields by which an operator tells them apart. */
interface DuplicateContact extends Pick<Contact, 'id' | 'email' | 'name' | 'stage'> {
  importedAt: Date | null;
  archivedAt: Date | null;
  /** How many activities the contact has. */
  activities: number;
}

/** An email that several contacts have, and these contacts in the order of their ids. */
export interface DuplicateEmail {
  /** The key of the email. */
  email: string;
  contacts: DuplicateContact[];
}

/** Lists the emails of an account that several contacts have, in the order of their keys. */
export async function listDuplicates(db: Queryable, accountId: string): Promise<DuplicateEmail[]> {
  const rows = await query<DuplicateContact & { emailKey: string }>(
    db,
    'duplicates_list',
    sql`select email_key as "emailKey", id, email, name, stage, imported_at as "importedAt",
        archived_at as "archivedAt", (
          select count(*)::int from activities
          where activities.account_id = ${accountId} and activities.contact_id = contacts.id
        ) as activities
      from contacts
      where account_id = ${accountId} and email_key in (
        select email_key from contacts where account_id = ${accountId}
        group by email_key having count(*) > 1
      )
      order by email_key, id`,
  );
  return [...Map.groupBy(rows, ({ emailKey }) => emailKey)].map(([email, contacts]) => ({
    email,
    contacts: contacts.map(({ emailKey: _key, ...contact }) => contact),
  }));
}

/** Writes a merge. The caller has recorded its events. It moves the rows before it deletes the duplicates, because PostgreSQL deletes a contact's rows with it. */
export async function writeMerge(
  tx: Queryable,
  accountId: string,
  { remaining, movedTagIds, movedLinkIds, movedActivityIds, removedIds }: MergeChanges,
  { now, revision }: { now: Date; revision: Date },
): Promise<void> {
  const nothing = { inserted: [], tags: [], activities: [], links: [], redated: [] };
  await writeChanges(tx, accountId, { ...nothing, updated: [remaining] }, { revision });
  // A moved row keeps its id, because lists are in the order of the ids.
  const buildMove = (table: string) => sql`update ${raw(table)} set contact_id = ${remaining.id}
    where account_id = ${accountId} and contact_id = any(${removedIds}::uuid[])`;
  await recordMergedIds(tx, accountId, { ids: removedIds, intoId: remaining.id });
  const statements = {
    merged_tags_move: sql`${buildMove('contact_tags')} and id = any(${movedTagIds}::uuid[])`,
    merged_links_move: sql`${buildMove('contact_links')} and id = any(${movedLinkIds}::uuid[])`,
    merged_activities_move: sql`${buildMove('activities')} and id = any(${movedActivityIds}::uuid[])`,
    merged_contacts_delete: sql`delete from contacts
      where account_id = ${accountId} and id = any(${removedIds}::uuid[])`,
  };
  for (const [name, statement] of Object.entries(statements)) await query(tx, name, statement);
  await moveChanges(tx, accountId, { from: removedIds, to: remaining.id });
  await refreshMarks(tx, accountId, [remaining.id]);
  await refreshActivityTimes(tx, accountId, [remaining.id], now);
}
