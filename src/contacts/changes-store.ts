import sql, { empty, raw } from 'sql-template-tag';
import { selectRevisionOfContact } from '../accounts/index.ts';
import { query, type Queryable } from '../platform/database/index.ts';
import { activityRow, linkRow, tagRow, writtenContactRow } from './columns.ts';
import { toWrittenContact } from './list-values.ts';
import type { Activity, Contact, Label, Link, RowOfContact } from './schemas.ts';
import { refreshActivityTimes } from './marks-store.ts';
import { groupByContact } from './read-store.ts';

/** The rows that a plan inserts and updates. A tag has no id yet. */
export interface Changes {
  inserted: Contact[];
  updated: Contact[];
  tags: RowOfContact<{ tag: Label }>[];
  activities: RowOfContact<Activity>[];
  links: RowOfContact<Link>[];
  /** The ids of updated contacts whose time of creation changes, so that their first answers must be computed again. */
  redated: string[];
}

/** Changes whose tags have their ids. */
export type WritableChanges = Omit<Changes, 'tags'> & {
  tags: RowOfContact<{ tagId: string }>[];
};

/** Sets the ids of the tags in changes. `tagIds` has them by key. */
export function assignTagIds(changes: Changes, tagIds: Map<string, string>): WritableChanges {
  const tags = changes.tags.map(({ id, contactId, tag }) => {
    const tagId = tagIds.get(tag.key);
    if (tagId === undefined) throw new Error('a tag was neither found nor inserted');
    return { id, contactId, tagId };
  });
  return { ...changes, tags };
}

/**
 * Writes the changes of a plan, with one statement for each table, all sent together. Inserts no tag or link that exists.
 * The caller must have raised the revision by the number of all contacts that its transaction writes. `laterCount` is how many of
 * them later calls write.
 */
export async function writeChanges(
  tx: Queryable,
  accountId: string,
  { inserted, updated, tags, activities, links, redated }: WritableChanges,
  laterCount = 0,
): Promise<void> {
  const insert = (
    table: string,
    row: typeof linkRow,
    rows: object[],
    onConflict = sql`on conflict do nothing`,
  ) =>
    rows.length > 0 &&
    query(
      tx,
      `${table}_write`,
      sql`insert into ${raw(table)} (account_id, ${row.columns})
        select account.account_id, ${row.recordValues}
        from accounts account cross join json_to_recordset(${JSON.stringify(rows)}::json) as r(${row.recordType})
        where account.account_id = ${accountId} ${onConflict}`,
    );
  const now = new Date();
  const listOf = {
    tags: groupByContact(tags),
    activities: groupByContact(activities),
    links: groupByContact(links),
  };
  const written = [...inserted, ...updated];
  const contacts = written.map((contact, index) => ({
    ...dropNullFields(
      toWrittenContact(
        contact,
        {
          tags: listOf.tags(contact),
          activities: listOf.activities(contact),
          links: listOf.links(contact),
        },
        now,
      ),
    ),
    later: laterCount + written.length - 1 - index,
  }));
  const revision = selectRevisionOfContact(accountId, sql`r.later`);
  await Promise.all([
    contacts.length > 0 &&
      query(
        tx,
        'contacts_write',
        writtenContactRow.upsert('contacts', accountId, contacts, revision),
      ),
    insert('contact_tags', tagRow, tags),
    insert('activities', activityRow, activities, empty),
    insert('contact_links', linkRow, links),
    redated.length > 0 && refreshActivityTimes(tx, accountId, redated, now),
  ]);
}

/** Leaves the null fields of a contact out of its JSON: PostgreSQL reads a missing field as null. */
function dropNullFields(contact: ReturnType<typeof toWrittenContact>): object {
  const fields = writtenContactRow.fieldNames as (keyof typeof contact)[];
  return Object.fromEntries(
    fields.flatMap((field) => (contact[field] === null ? [] : [[field, contact[field]]])),
  );
}
