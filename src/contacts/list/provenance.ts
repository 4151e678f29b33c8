import sql from 'sql-template-tag';
import { query, type Queryable } from '../../platform/database/index.ts';

/** When a field changed last, and who changed it. */
interface FieldSource {
  at: string;
  actor: { type: string; id: string | null; name: string };
}

interface ChangeRow {
  at: Date;
  actor: FieldSource['actor'];
  fields: string[];
}

/** Reads when each field of a contact changed last, and by whom. A field without a change in the log is left out. */
export async function readProvenance(
  db: Queryable,
  accountId: string,
  contactId: string,
): Promise<Record<string, FieldSource>> {
  const rows = await query<ChangeRow>(
    db,
    'contact_provenance_read',
    sql`select at, json_build_object('type', actor_type, 'id', actor_id, 'name', coalesce(
          case actor_type when 'system' then 'offplan' end,
          (select name from users where users.account_id = ${accountId} and users.id = changes.actor_id),
          (select name from api_keys where api_keys.account_id = ${accountId} and api_keys.id = changes.actor_id),
          ''
        )) as actor, array(
          select json_object_keys(before) union select json_object_keys(after)
        ) as fields
      from changes
      where account_id = ${accountId} and subject = ${contactId} and subject_type = 'contact'
      order by sequence`,
  );
  const sources: Record<string, FieldSource> = {};
  for (const { at, actor, fields } of rows)
    for (const field of fields) sources[field] = { at: at.toISOString(), actor };
  return sources;
}
