import sql from 'sql-template-tag';
import { selectRevisionOfContact } from '../accounts/index.ts';
import { insertRows, query, type Queryable } from '../platform/database/index.ts';
import { activityRow, linkRow, tagRow, contactRowWithListValues } from './columns.ts';
import { addListValues } from './list-values.ts';
import type { Activity, Contact, Label, Link, RowOfContact } from './schemas.ts';
import { refreshActivityTimes } from './marks-store.ts';
import { groupByContact } from './read-store.ts';
import { requireTagId } from './tag-store.ts';

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
  const tags = changes.tags.map(({ id, contactId, tag }) => ({
    id,
    contactId,
    tagId: requireTagId(tagIds, tag.key),
  }));
  return { ...changes, tags };
}

interface WriteOptions {
  /** The revision of the account, which the caller has raised by the number of all contacts that its transaction writes. */
  revision: Date;
  /** How many of these contacts later calls write. */
  laterCount?: number;
}

/** Writes the changes of a plan. It sends all statements together, before its first await. Inserts no tag or link that exists. */
export async function writeChanges(
  tx: Queryable,
  accountId: string,
  { inserted, updated, tags, activities, links, redated }: WritableChanges,
  { revision, laterCount = 0 }: WriteOptions,
): Promise<void> {
  const now = new Date();
  const listOf = {
    tags: groupByContact(tags),
    activities: groupByContact(activities),
    links: groupByContact(links),
  };
  // Each contact gets a revision one millisecond later than the one before; the last one gets that of the account.
  let later = laterCount + inserted.length + updated.length;
  const toRow = (contact: Contact) => {
    const tags = listOf.tags(contact);
    const activities = listOf.activities(contact);
    const links = listOf.links(contact);
    later -= 1;
    return { ...addListValues(contact, { tags, activities, links }, now), later };
  };
  const insert = (table: string, row: typeof linkRow, rows: object[], onConflict = '') => {
    const target = { name: `${table}_write`, table, columns: row.columnNames, onConflict };
    return insertRows(tx, accountId, target, rows.map(row.listValues));
  };
  const insertedRows = inserted
    .map(toRow)
    .map((row) => [
      new Date(revision.getTime() - row.later),
      ...contactRowWithListValues.listValues(row),
    ]);
  const updatedRows = updated.map(toRow).map(dropNullFields);
  await Promise.all([
    insertRows(tx, accountId, CONTACTS, insertedRows),
    updatedRows.length > 0 &&
      query(
        tx,
        'contacts_update',
        contactRowWithListValues.upsert(
          'contacts',
          accountId,
          updatedRows,
          selectRevisionOfContact(accountId, sql`r.later`),
        ),
      ),
    insert('contact_tags', tagRow, tags, ON_CONFLICT),
    insert('activities', activityRow, activities),
    insert('contact_links', linkRow, links, ON_CONFLICT),
    redated.length > 0 && refreshActivityTimes(tx, accountId, redated, now),
  ]);
}

const CONTACTS = {
  name: 'contacts_write',
  table: 'contacts',
  columns: ['revision', ...contactRowWithListValues.columnNames],
};
const ON_CONFLICT = 'on conflict do nothing';

/** Leaves the null fields of a row out of its JSON: PostgreSQL reads a missing field as null. */
function dropNullFields(row: object): object {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null));
}
