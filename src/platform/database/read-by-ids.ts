import sql, { type Sql } from 'sql-template-tag';
import { queryOnce, type Queryable } from './query.ts';
import { readChunks } from './snapshot.ts';

/** How many ids are read at a time. */
const IDS_IN_CHUNK = 500;
/** About how many bytes of rows are read at a time. */
const PART_MAX_BYTES = 1024 * 1024;

/** The rows of an export. */
interface RowsByIds {
  name: string;
  /** Selects the ids of all rows, in order, and about how many bytes each row has. */
  ids: Sql;
  /** Selects the rows of a chunk by their ids, the column `wanted.id`. */
  select: (wanted: Sql) => Sql;
}

/** A row that is to be read. */
interface Wanted {
  id: string;
  bytes: number;
}

/** Reads rows part by part, in a transaction. The cursor goes over ids alone, which PostgreSQL sorts faster than whole rows. */
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

/** Cuts a list into lists of ids of which each has little more than the bytes of a part. */
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
