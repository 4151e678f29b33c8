import sql, { type Sql } from 'sql-template-tag';
import { queryOnce, type Queryable } from './query.ts';
import { readChunks } from './snapshot.ts';

/** How many ids the cursor fetches at a time. */
const IDS_IN_CHUNK = 500;
/** The approximate size of the rows that one statement reads. */
const PART_MAX_BYTES = 1024 * 1024;

/** The rows of an export. */
interface RowsByIds {
  name: string;
  /** Selects the ids of all rows, in order, and about how many bytes each row has. */
  ids: Sql;
  /** Selects the rows of a chunk by their ids, the column `wanted.id`. */
  select: (wanted: Sql) => Sql;
}

/** The id of a row to read, and its approximate size. */
interface Wanted {
  id: string;
  bytes: number;
}

/**
 * Reads the rows of an export in parts of about 1 MiB. `tx` must be in a transaction, which the cursor needs. The cursor
 * selects ids alone, since PostgreSQL sorts them faster than whole rows.
 */
export async function* readByIds<Row extends object>(
  tx: Queryable,
  { name, ids, select }: RowsByIds,
): AsyncGenerator<Row[]> {
  for await (const chunk of readChunks<Wanted>(tx, name, ids, IDS_IN_CHUNK))
    for (const part of cutBySize(chunk)) {
      const wanted = sql`unnest(${part}::uuid[]) with ordinality as wanted(id, place)`;
      yield await queryOnce<Row>(tx, name, sql`${select(wanted)} order by wanted.place`);
    }
}

/** Groups ids so that the rows of each group together have about `PART_MAX_BYTES`. */
function* cutBySize(list: Wanted[]): Generator<string[]> {
  let [ids, total]: [string[], number] = [[], 0];
  for (const { id, bytes } of list) {
    ids.push(id);
    total += bytes;
    if (total < PART_MAX_BYTES) continue;
    yield ids;
    [ids, total] = [[], 0];
  }
  if (ids.length > 0) yield ids;
}
