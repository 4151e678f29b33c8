import sql, { empty, raw } from 'sql-template-tag';
import { query, type Queryable } from '../platform/database/index.ts';
import { activityRow, contactRow, linkRow, tagRow } from './columns.ts';
import type { Activity, Contact, Link, RowOfContact } from './schemas.ts';
import type { Label } from './tags.ts';

/** The rows that a plan writes. */
export interface Changes {
  inserted: Contact[];
  updated: Contact[];
  tagged: RowOfContact<{ tag: Label }>[];
  noted: RowOfContact<Activity>[];
  linked: RowOfContact<Link>[];
}

/** Changes whose tags have ids. */
export type WritableChanges = Omit<Changes, 'tagged'> & {
  tagged: RowOfContact<{ tagId: string }>[];
};

/**
 * Writes what a plan changes, with one statement for each table, all sent together. A tag or a link that exists stays as it
 * is. Existing contacts are updated by an upsert: an UPDATE with a join would be planned for a handful of rows, and take
 * quadratic time where there are thousands.
 */
export async function writeChanges(
  tx: Queryable,
  accountId: string,
  { inserted, updated, tagged, noted, linked }: WritableChanges,
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
        select ${accountId}, ${row.recordValues}
        from json_to_recordset(${JSON.stringify(rows)}::json) as r(${row.recordType})
        ${onConflict}`,
    );
  const contacts = [...inserted, ...updated].map(toRow);
  const update = sql`on conflict (account_id, id) do update set ${contactRow.upsertAssignments}`;
  await Promise.all([
    insert('contacts', contactRow, contacts, update),
    insert('contact_tags', tagRow, tagged),
    insert('activities', activityRow, noted, empty),
    insert('contact_links', linkRow, linked),
  ]);
}

/** The stored fields of a contact. A field that is left out of the JSON is null in the record. */
function toRow(contact: Contact): object {
  const fields = contactRow.fieldNames as (keyof typeof contact)[];
  return Object.fromEntries(
    fields.flatMap((field) => (contact[field] === null ? [] : [[field, contact[field]]])),
  );
}
