import sql, { empty, type Sql } from 'sql-template-tag';
import { query, type Queryable, type Inserting, textArray } from '../platform/database/index.ts';
import { CONTACT_FIELDS, contactRow, recordDefinition, recordNames } from './columns.ts';
import type { Contact } from './schemas.ts';
import type { Changes } from './changes.ts';

/** Changes of which the tags have been found or made. */
export type WritableChanges = Omit<Changes, 'tagged'> & {
  tagged: { id: string; contactId: string; tagId: string }[];
};

/** Writes what a plan changes, in one statement. */
export async function changesWrite(
  tx: Queryable,
  accountId: string,
  changes: WritableChanges,
): Promise<void> {
  const parts = changesOf(accountId, changes, taggedById(changes));
  await query(tx, 'contact_changes_write', sql`with ${parts} select`);
}

/** Which tags contacts get, as rows of a FROM. */
export function taggedById({ tagged }: WritableChanges): Sql {
  return sql`json_to_recordset(${JSON.stringify(tagged)}::json) as r(id uuid, "contactId" uuid, "tagId" uuid)`;
}

/*
 * Changes as the parts of a WITH, with the tags that `tagged` names as rows of a FROM. A tag or a link that is there
 * already stays as it is. Contacts that are there are updated through the conflict on their key: a join would be planned
 * for a handful of rows, and take their number squared where there are thousands.
 */
export function changesOf(
  accountId: string,
  { inserted, updated, noted, linked }: Omit<Changes, 'tagged'>,
  tagged: Sql,
  { condition = empty, areNew = false }: Inserting = {},
): Sql {
  const contacts = [...inserted, ...updated];
  const onConflict = (then: Sql): Sql => (areNew ? empty : sql`on conflict ${then}`);
  return sql`contacts_written as (
        insert into contacts (account_id, ${contactRow.columns})
        select ${accountId}, ${contactRow.values}
        from rows from (
          json_to_recordset(${contactsJson(contacts)}::json) as (${recordDefinition}),
          unnest(${textArray(contacts.map(({ notes }) => notes))}::text[])
        ) as r(${recordNames})
        ${condition}
        ${onConflict(sql`(account_id, id) do update set ${contactRow.excluded}`)}
      ),
      tagged as (
        insert into contact_tags (account_id, contact_id, tag_id, id)
        select ${accountId}, r."contactId", r."tagId", r.id
        from ${tagged}
        ${condition}
        ${onConflict(sql`(account_id, contact_id, tag_id) do nothing`)}
      ),
      noted as (
        insert into activities (account_id, id, contact_id, type, body, occurred_at)
        select ${accountId}, r.id, r."contactId", r.type, r.body, r."occurredAt"
        from rows from (
          json_to_recordset(${JSON.stringify(noted.map(({ body: _beside, ...each }) => each))}::json)
            as (id uuid, "contactId" uuid, type text, "occurredAt" timestamptz(3)),
          unnest(${textArray(noted.map(({ body }) => body))}::text[])
        ) as r(id, "contactId", type, "occurredAt", body)
        ${condition}
      ),
      linked as (
        insert into contact_links (account_id, id, contact_id, project_id, unit_id)
        select ${accountId}, r.id, r."contactId", r."projectId", r."unitId"
        from json_to_recordset(${JSON.stringify(linked)}::json)
          as r(id uuid, "contactId" uuid, "projectId" uuid, "unitId" uuid)
        ${condition}
        ${onConflict(sql`(account_id, contact_id, project_id, unit_id) do nothing`)}
      )`;
}

// What was found beside a contact is not written; a column that is left out is null.
function contactsJson(contacts: (Contact & { emailKey: string })[]): string {
  return JSON.stringify(contacts.map(written));
}

function written(contact: Contact & { emailKey: string }): object {
  const fields: Record<string, unknown> = {};
  for (const field of CONTACT_FIELDS)
    if (contact[field] !== null && field !== 'notes') fields[field] = contact[field];
  return fields;
}
