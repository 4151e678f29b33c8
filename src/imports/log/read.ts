import sql, { empty } from 'sql-template-tag';
import { query, type Queryable } from '../../platform/database/index.ts';
import type { ContactImportResult } from '../schemas.ts';
import { firstIdAt, ID_SLACK_MS, type ImportRecord } from './record.ts';

/** A stored record. */
export interface StoredRecord extends Omit<ImportRecord, 'receivedAt'> {
  receivedAt: Date;
  /** When a retry of the refused import was accepted. */
  settledAt: Date | null;
  settlement: ContactImportResult | null;
}

/** A record in a list: with its payload when it can be retried, or else null. */
export type ListedRecord = Omit<StoredRecord, 'payload'> & { payload: string | null };

/** Selects records of an account; all without a condition. */
export interface Selection {
  /** Only records that are refused and not settled. */
  open?: boolean;
  /** Only records of imports that were received at this time or later. */
  since?: Date;
  /** Only records up to this id. */
  until?: string;
  /** Only records with these ids. */
  ids?: string[];
}

const columns = sql`id, received_at as "receivedAt", channel, api_key_id as "apiKeyId",
  request_id as "requestId", position, file, outcome, result, settled_at as "settledAt", settlement`;

const isOpen = sql`outcome = 'refused' and settled_at is null`;

/** Reads records in the order of their ids, the oldest first. The size of a page is limited, so that it fits in memory. */
export async function* recordPages(
  db: Queryable,
  accountId: string,
  selection: Selection,
): AsyncGenerator<ListedRecord[]> {
  let after = firstIdAt((selection.since?.getTime() ?? 0) - ID_SLACK_MS);
  for (;;) {
    const page = await recordsPage(db, accountId, after, selection);
    const last = page.at(-1);
    if (last === undefined) return;
    yield page;
    after = last.id;
  }
}

const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

// A page ends after 200 records or 8 MiB of payloads, since a payload can have a megabyte. A batch that was refused as a
// whole is not an import, so it cannot be retried.
function recordsPage(
  db: Queryable,
  accountId: string,
  after: string,
  { open = false, since = new Date(0), until = LAST_ID, ids }: Selection,
): Promise<ListedRecord[]> {
  const named = ids === undefined ? empty : sql`and id = any(${ids}::uuid[])`;
  return query<ListedRecord>(
    db,
    `imports_page${open ? '_open' : ''}${ids === undefined ? '' : '_named'}`,
    sql`select ${columns}, waiting as payload
      from (
        select *, coalesce(
            sum(octet_length(waiting)) over (order by id rows between unbounded preceding and 1 preceding), 0
          ) as before
        from (
          select *,
            case when ${isOpen} and (channel <> 'batch' or position is not null) then payload end as waiting
          from imports
          where account_id = ${accountId} and id > ${after} and id <= ${until} and received_at >= ${since}
            ${open ? sql`and ${isOpen}` : empty} ${named}
          order by id limit 200
        ) page
      ) weighed
      where before < 8 * 1024 * 1024
      order by id`,
  );
}

/** Finds a record with its payload; undefined when the account has none with this id. */
export async function recordFind(
  db: Queryable,
  accountId: string,
  id: string,
): Promise<StoredRecord | undefined> {
  const [row] = await query<StoredRecord>(
    db,
    'import_record_find',
    sql`select ${columns}, payload from imports where account_id = ${accountId} and id = ${id}`,
  );
  return row;
}

/** Finds the ids that belong to records of the account. */
export async function recordIdsFind(
  db: Queryable,
  accountId: string,
  ids: string[],
): Promise<Set<string>> {
  const rows = await query<{ id: string }>(
    db,
    'import_record_ids_find',
    sql`select id from imports where account_id = ${accountId} and id = any(${ids}::uuid[])`,
  );
  return new Set(rows.map(({ id }) => id));
}

/** Selects the records that are open now, without imports that are refused later. */
export async function openNow(db: Queryable, accountId: string): Promise<Selection> {
  const [last] = await query<{ id: string }>(
    db,
    'imports_last_open_find',
    sql`select id from imports where account_id = ${accountId} and ${isOpen} order by id desc limit 1`,
  );
  return { open: true, until: last?.id ?? firstIdAt(0) };
}
