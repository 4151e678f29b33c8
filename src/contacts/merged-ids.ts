import sql from 'sql-template-tag';
import { query, type Queryable } from '../platform/database/index.ts';

/** Finds the ids of the contacts that were merged into a contact. */
export async function findMergedIds(
  tx: Queryable,
  accountId: string,
  intoId: string,
): Promise<string[]> {
  const rows = await query<{ id: string }>(
    tx,
    'merged_contacts_find',
    sql`select id from merged_contacts where account_id = ${accountId} and into_id = ${intoId} order by id`,
  );
  return rows.map(({ id }) => id);
}

/** Finds the contact into which a contact was merged. */
export async function findMergedInto(
  db: Queryable,
  accountId: string,
  id: string,
): Promise<string | undefined> {
  const [row] = await query<{ intoId: string }>(
    db,
    'merged_contact_find',
    sql`select into_id as "intoId" from merged_contacts where account_id = ${accountId} and id = ${id}`,
  );
  return row?.intoId;
}

/** Stores that contacts were merged into another one. Contacts that were merged into them before also get the new one. */
export async function recordMergedIds(
  tx: Queryable,
  accountId: string,
  { ids, intoId }: { ids: string[]; intoId: string },
): Promise<void> {
  await query(
    tx,
    'merged_contacts_move',
    sql`update merged_contacts set into_id = ${intoId}
      where account_id = ${accountId} and into_id = any(${ids}::uuid[])`,
  );
  await query(
    tx,
    'merged_contacts_insert',
    sql`insert into merged_contacts (account_id, id, into_id)
      select ${accountId}, id, ${intoId} from unnest(${ids}::uuid[]) as id
      on conflict (account_id, id) do update set into_id = excluded.into_id`,
  );
}
