import sql from 'sql-template-tag';
import { query, readPages, type Queryable } from '../../platform/database/index.ts';
import { NIL_ID } from '../../platform/text/index.ts';

/** Finds the ids of the accepted imports, or accepted retries, that created or filled one of these contacts. */
export async function findImportsOf(
  tx: Queryable,
  accountId: string,
  contactIds: string[],
): Promise<string[]> {
  // Parsing takes most of the time, so look for the id in the text first. For several ids, of merged contacts, that takes as long.
  const [contactId] = contactIds;
  const isSingle = contactIds.length === 1;
  const hasId = isSingle ? sql`strpos(result::text, ${contactId}) > 0` : sql`true`;
  const rows = await query<{ id: string }>(
    tx,
    isSingle ? 'imports_find_of_contact' : 'imports_find_of_contacts',
    sql`select id from imports
      where account_id = ${accountId}
        and (${hasId} and result ->> 'contactId' = any(${contactIds})
          or settlement ->> 'contactId' = any(${contactIds}))`,
  );
  return rows.map(({ id }) => id);
}

/** A refused import whose payload the log keeps. */
interface RefusedPayload {
  id: string;
  receivedAt: Date;
  payload: string;
}

/** Few, since a payload can have a megabyte. */
const PAGE_MAX_ROWS = 50;

/** Reads the payloads of refused imports, page by page. */
export function readRefusedPayloads(
  tx: Queryable,
  accountId: string,
): AsyncGenerator<RefusedPayload[]> {
  return readPages((last) =>
    query<RefusedPayload>(
      tx,
      'imports_read_refused_payloads',
      sql`select id, received_at as "receivedAt", payload from imports
        where account_id = ${accountId} and id > ${last?.id ?? NIL_ID}
          and outcome = 'refused' and payload is not null
        order by id limit ${PAGE_MAX_ROWS}`,
    ),
  );
}
