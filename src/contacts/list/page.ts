import sql, { type Sql } from 'sql-template-tag';
import {
  isFilled,
  onlyIf,
  readColumnOrder,
  selectInOrder,
  sortAll,
  walkInOrder,
  walkOrSort,
} from '../../platform/database/index.ts';
import { NONE } from '../../platform/fields/index.ts';
import { cursorInvalid, type ListPlace } from '../../platform/http/index.ts';
import { isWrittenInstant } from '../../platform/text/index.ts';
import {
  IS_INDEXED,
  matchesFilter,
  matchesValues,
  selectDetails,
  type Reader,
} from './conditions.ts';
import type { ContactFilter } from './filter.ts';

/** The columns by which a list can be sorted, by the names of the sorts. */
const SORT_COLUMNS = {
  createdAt: 'created_at',
  updatedAt: 'updated_at',
  lastActivityAt: 'last_activity_at',
  name: 'name_key',
} as const;

export const CONTACT_SORTS = [
  '-createdAt',
  'createdAt',
  '-updatedAt',
  'updatedAt',
  '-lastActivityAt',
  'lastActivityAt',
  'name',
  '-name',
] as const;

/** Converts a sort to parts of SQL statements. */
export const readOrder = (sort: string) =>
  readColumnOrder(sort, { table: 'contacts', columns: SORT_COLUMNS, nullable: 'name' });

/** A place in a list, and how many contacts to read after it. */
interface Page {
  sort: string;
  after: ListPlace | null;
  limit: number;
}

/** The longest walk for a search, which reads the row of each contact. */
const SEARCH_WALK_MAX = 2_000;
/** The longest walk for tags and links, which looks for one of each contact. */
const DETAIL_WALK_MAX = 5_000;
/** The longest walk for a time, or for contacts without a tag or a link, which reads only the index. */
const INDEX_WALK_MAX = 20_000;
/** Up to this many matching tags or links, there is no walk: to look up and sort their contacts is faster. */
const UNWALKED_MAX = 5_000;
/** The most tags or links whose contacts are looked up and sorted. For more, a second walk fills the page. */
const SORTED_MAX = 20_000;

/**
 * Builds the statement that selects the ids of a page, in order. PostgreSQL walks the index of the order, or sorts the few
 * contacts that an index of the filter has: its statistics decide, for the values of this request. The statistics do
 * not know that a time, a name, a tag or a project can correlate with an order, so a walk could pass most contacts of the account
 * before it finds one. For such filters, the walk ends after some contacts, and when it has not filled the page, all matching
 * contacts are sorted.
 */
export function selectIds(reader: Reader, filter: ContactFilter, page: Page): Sql {
  const where = matchesFilter(reader, filter);
  const order = readOrder(page.sort);
  const max = chooseWalkMax(filter, page.sort);
  if (max === null || page.after?.value === null) return selectInOrder(order, where, page);
  const walk = {
    passed: sql`contacts.account_id = ${reader.accountId} and ${IS_INDEXED}`,
    max,
    where: matchesValues(reader, filter),
  };
  const details = filter.q === undefined ? selectDetails(reader, filter, SORTED_MAX + 1) : null;
  if (details === null) return walkOrSort(order, page, walk, where);

  // The number of tags or links decides: sort the contacts of few, walk for many, and walk on without an end for very many.
  const count = sql`(select count from detail)`;
  const walkForMany = { ...walk, where: sql`${walk.where} and ${count} > ${UNWALKED_MAX}` };
  const filled = isFilled(page);
  const sorted = sortAll(order, page, where);
  const endless = selectInOrder(order, matchesFilter(reader, filter, { isHashed: true }), page);
  return sql`with detail as materialized (select count(*) as count from (${details}) found),
      walk as materialized (${walkInOrder(order, page, walkForMany)})
    select id, value from walk where ${filled}
    union all ${onlyIf(sql`not ${filled} and ${count} <= ${SORTED_MAX}`, sorted)}
    union all ${onlyIf(sql`not ${filled} and ${count} > ${SORTED_MAX}`, endless)}`;
}

/** Builds the statement that selects the ids of all contacts that match, in order, and about how many bytes each has. */
export function selectAllInOrder(where: Sql, sort: string): Sql {
  const bytes = sql`, coalesce(octet_length(contacts.notes), 0) + 4096 as bytes`;
  return selectInOrder(readOrder(sort), where, { after: null, limit: null }, bytes);
}

const TIME_FILTERS = {
  createdAt: ['createdAfter', 'createdBefore'],
  lastActivityAt: ['lastActivityAfter', 'lastActivityBefore'],
  updatedAt: ['updated_since'],
} as const;

/** Throws a 400 when a cursor has a value that this order does not have. */
export function checkPlace({ value }: ListPlace, sort: string): void {
  const { isNullable } = readOrder(sort);
  const isText = typeof value === 'string';
  const isFitting = isNullable ? value === null || isText : isText && isWrittenInstant(value);
  if (!isFitting) throw cursorInvalid();
}

/** Chooses the longest walk along the index of the order; null: no limit. */
function chooseWalkMax(filter: ContactFilter, sort: string): number | null {
  // There are few ids, and PostgreSQL finds their contacts by the primary key.
  if (filter.contact !== undefined) return null;
  if (filter.q !== undefined) return SEARCH_WALK_MAX;
  const details = [filter.tag, filter.project, filter.unit].filter(
    (values) => values !== undefined,
  );
  if (details.some((values) => values.some((value) => value !== NONE))) return DETAIL_WALK_MAX;
  if (details.length > 0) return INDEX_WALK_MAX;
  const { key } = readOrder(sort);
  const times = Object.entries(TIME_FILTERS).filter(([column]) => column !== key);
  const hasOtherTime = times.some(([, names]) => names.some((name) => filter[name] !== undefined));
  return hasOtherTime ? INDEX_WALK_MAX : null;
}
