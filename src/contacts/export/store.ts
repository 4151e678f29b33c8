import sql, { type Sql } from 'sql-template-tag';
import { queryOnce, readChunks, type Queryable } from '../../platform/database/index.ts';
import type { ListSelection } from '../../platform/http/index.ts';
import { matchesActivityFilter, selectActivities } from '../activities/list-store.ts';
import type { ReadActivity } from '../activities/rules.ts';
import type { ActivityFilter } from '../activities/schemas.ts';
import { matchesFilter, type Reader } from '../list/conditions.ts';
import type { ContactFilter } from '../list/filter.ts';
import { selectAllInOrder, selectContacts, type ReadContact } from '../list/store.ts';

/** How many ids are read at a time. */
const IDS_IN_CHUNK = 500;
/** About how many bytes of rows are read at a time. */
const PART_MAX_BYTES = 1024 * 1024;

/** Reads all contacts that match, in the order of the sort. */
export function readContacts(
  tx: Queryable,
  reader: Reader,
  { filter, sort }: ListSelection<ContactFilter>,
): AsyncGenerator<ReadContact[]> {
  const { accountId } = reader;
  return readByIds(tx, {
    name: 'contacts_export',
    ids: selectAllInOrder(matchesFilter(reader, filter), sort),
    select: (wanted) => sql`
      select ${selectContacts(accountId, { withLinks: false })}, null as "sortValue"
      from ${wanted} join contacts on contacts.account_id = ${accountId} and contacts.id = wanted.id`,
  });
}

/** Reads all activities that match, the newest first. */
export function readActivities(
  tx: Queryable,
  reader: Reader,
  { filter }: ListSelection<ActivityFilter>,
): AsyncGenerator<ReadActivity[]> {
  const { accountId } = reader;
  return readByIds(tx, {
    name: 'activities_export',
    // A note of an import can have a megabyte.
    ids: sql`select activities.id, octet_length(activities.body) + 512 as bytes from activities where ${matchesActivityFilter(reader, filter)}
      order by activities.occurred_at desc, activities.id desc`,
    select: (wanted) => sql`
      select ${selectActivities(accountId)}
      from ${wanted} join activities on activities.account_id = ${accountId} and activities.id = wanted.id`,
  });
}

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

/** Reads rows part by part. The cursor goes over ids alone, which PostgreSQL sorts faster than whole rows. */
async function* readByIds<Row extends object>(
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
