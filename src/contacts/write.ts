import sql from 'sql-template-tag';
import { query, type Queryable } from '../platform/database/index.ts';
import { contactRow } from './columns.ts';
import type { Contact } from './schemas.ts';
import type { Label } from './tags.ts';

/** The rows that a plan writes. */
export interface Changes {
  inserted: (Contact & { emailKey: string })[];
  updated: (Contact & { emailKey: string })[];
  tagged: { id: string; contactId: string; tag: Label }[];
  noted: { id: string; contactId: string; type: 'note'; body: string; occurredAt: string }[];
  linked: { id: string; contactId: string; projectId: string; unitId: string | null }[];
}

/** Changes whose tags have ids. */
export type WritableChanges = Omit<Changes, 'tagged'> & {
  tagged: { id: string; contactId: string; tagId: string }[];
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
  const contacts = [...inserted, ...updated].map(toRow);
  await Promise.all([
    contacts.length > 0 &&
      query(
        tx,
        'contacts_write',
        sql`insert into contacts (account_id, ${contactRow.columns})
          select ${accountId}, ${contactRow.values}
          from json_to_recordset(${JSON.stringify(contacts)}::json) as r(${contactRow.definition})
          on conflict (account_id, id) do update set ${contactRow.excluded}`,
      ),
    tagged.length > 0 &&
      query(
        tx,
        'contact_tags_write',
        sql`insert into contact_tags (account_id, contact_id, tag_id, id)
          select ${accountId}, r."contactId", r."tagId", r.id
          from json_to_recordset(${JSON.stringify(tagged)}::json)
            as r(id uuid, "contactId" uuid, "tagId" uuid)
          on conflict (account_id, contact_id, tag_id) do nothing`,
      ),
    noted.length > 0 &&
      query(
        tx,
        'activities_write',
        sql`insert into activities (account_id, id, contact_id, type, body, occurred_at)
          select ${accountId}, r.id, r."contactId", r.type, r.body, r."occurredAt"
          from json_to_recordset(${JSON.stringify(noted)}::json)
            as r(id uuid, "contactId" uuid, type text, body text, "occurredAt" timestamptz(3))`,
      ),
    linked.length > 0 &&
      query(
        tx,
        'contact_links_write',
        sql`insert into contact_links (account_id, id, contact_id, project_id, unit_id)
          select ${accountId}, r.id, r."contactId", r."projectId", r."unitId"
          from json_to_recordset(${JSON.stringify(linked)}::json)
            as r(id uuid, "contactId" uuid, "projectId" uuid, "unitId" uuid)
          on conflict (account_id, contact_id, project_id, unit_id) do nothing`,
      ),
  ]);
}

/** The stored fields of a contact. A field that is left out of the JSON is null in the record. */
function toRow(contact: Contact & { emailKey: string }): object {
  const fields = contactRow.fieldNames as (keyof typeof contact)[];
  return Object.fromEntries(
    fields.flatMap((field) => (contact[field] === null ? [] : [[field, contact[field]]])),
  );
}
