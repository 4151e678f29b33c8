import sql, { type Sql } from 'sql-template-tag';
import { LIST_FIELDS, selectActor } from '../../events/index.ts';
import { query, type Queryable } from '../../platform/database/index.ts';
import type { ShownContact } from './service.ts';

/** When a field got its value, and who gave it. */
interface FieldSource {
  at: string;
  actor: { type: string; id: string | null; name: string };
}

interface ChangeRow {
  at: Date;
  actor: FieldSource['actor'];
  /** The fields that have their present values after the change. */
  reached: string[];
  /** The fields that had their present values before the change. */
  left: string[];
}

/**
 * Reads when each field of a contact got its present value, and from whom. The log of the contact also has the changes of those
 * that were merged into it. So a change to another value does not count, and neither does one to a value that the contact has
 * already. A field whose value is in no change is left out.
 */
export async function readProvenance(
  db: Queryable,
  accountId: string,
  contact: ShownContact,
): Promise<Record<string, FieldSource>> {
  const listFields = (side: Sql) => sql`array(
      select name from (select json_object_keys(before) union select json_object_keys(after)) changed(name)
      where name = any(${LIST_FIELDS}::text[]) or ${side} ->> name is not distinct from contact.present ->> name
    )`;
  const rows = await query<ChangeRow>(
    db,
    'contact_provenance_read',
    sql`select at, ${selectActor(accountId)} as actor, ${listFields(sql`after`)} as reached, ${listFields(sql`before`)} as left
      from changes cross join (select ${JSON.stringify(contact)}::jsonb as present offset 0) contact
      where account_id = ${accountId} and subject = ${contact.id} and subject_type = 'contact'
      order by sequence`,
  );
  const sources: Record<string, FieldSource> = {};
  const lost = new Set<string>();
  for (const { at, actor, reached, left } of rows) {
    for (const field of reached)
      if (sources[field] === undefined || lost.delete(field))
        sources[field] = { at: at.toISOString(), actor };
    for (const field of left) lost.add(field);
  }
  return sources;
}
