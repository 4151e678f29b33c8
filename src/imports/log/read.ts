import sql, { empty } from 'sql-template-tag';
import { query, type Queryable } from '../../platform/database/index.ts';
import type { ContactImportResult } from '../schemas.ts';
import { firstIdAt, ID_SLACK_MS } from './ids.ts';
import type { ImportRecord } from './record.ts';

/** A record as it is kept. */
export interface StoredRecord extends Omit<ImportRecord, 'receivedAt'> {
  receivedAt: Date;
  /** Of a refused one that was put through again. */
  settledAt: Date | null;
  settlement: ContactImportResult | null;
}

/** The same in a list: with its payload when it can be put through again, else null. */
export type ListedRecord = Omit<StoredRecord, 'payload'> & { payload: string | null };

/** Which records of an account; all when nothing is said. */
export interface Selection {
  /** Those that are refused and not settled. */
  open?: boolean;
  /** Those received then or after it. */
  since?: Date;
  /** Those up to this id. */
  until?: string;
  /** Those with these ids. */
  ids?: string[];
}

const columns = sql`id, received_at as "receivedAt", channel, api_key_id as "apiKeyId",
  request_id as "requestId", position, file, outcome, result, settled_at as "settledAt", settlement`;

const isOpen = sql`outcome = 'refused' and settled_at is null`;

/** Records in the order of their ids, the oldest first; a page holds what fits in memory with ease. */
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

// At most 200 records, and no more once their payloads are 8 MiB: some are of a megabyte. A whole batch that was
// refused is no import, so there is nothing to put through again.
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

/** One record with its payload, or undefined when the account has none with this id. */
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

/** Those of the ids that records of the account have. */
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

/** The records that are open now: those that are refused later are not among them. */
export async function openNow(db: Queryable, accountId: string): Promise<Selection> {
  const [last] = await query<{ id: string }>(
    db,
    'imports_last_open_find',
    sql`select id from imports where account_id = ${accountId} and ${isOpen} order by id desc limit 1`,
  );
  return { open: true, until: last?.id ?? firstIdAt(0) };
}
