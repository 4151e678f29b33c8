import sql, { empty, raw, type Sql } from 'sql-template-tag';
import { cursorInvalid, type ListPlace } from '../../platform/http/index.ts';
import { isStorable, MAX_ID, NIL_ID, parseInstant } from '../../platform/text/index.ts';
import {
  IS_LISTED,
  matchesFilter,
  matchesValues,
  selectDetails,
  type Reader,
} from './conditions.ts';
import { NONE, type ContactFilter } from './filter.ts';

/** The columns that a list can be in the order of, by the names of the sorts. */
const SORT_COLUMNS = {
  createdAt: 'created_at',
  updatedAt: 'updated_at',
  lastActivityAt: 'last_activity_at',
  name: 'name_key',
} as const;
type SortKey = keyof typeof SORT_COLUMNS;

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

/** Reads a sort as the parts of statements. */
export function readOrder(sort: string) {
  const key = sort.replace('-', '') as SortKey;
  const isDescending = sort.startsWith('-');
  return {
    key,
    column: raw(`contacts.${SORT_COLUMNS[key]}`),
    direction: raw(isDescending ? 'desc' : 'asc'),
    sign: raw(isDescending ? '<' : '>'),
    firstId: isDescending ? MAX_ID : NIL_ID,
    isNullable: key === 'name',
  };
}

/** A place in a list, and how many contacts follow; null: all. */
interface Page<Limit = number> {
  sort: string;
  after: ListPlace | null;
  limit: Limit;
}

/**
 * Builds the statement that selects the ids of a page, in order. PostgreSQL walks the index of the order, or sorts the few
 * contacts that an index of the filter has: its statistics decide, for the values of this request. They do not know that a
 * time, a name, a tag or a project goes together with an order, so that a walk could pass by most contacts of the account
 * before it finds one. So with these, the walk ends after `walkMax` contacts. When it has not filled the page, all contacts
 * that match are sorted, or, when tags or links say that there are very many, a second walk goes on until the page is full.
 */
export function selectIds(reader: Reader, filter: ContactFilter, page: Page): Sql {
  const { accountId } = reader;
  const where = matchesFilter(reader, filter);
  const walkMax = chooseWalkMax(filter, page.sort);
  if (walkMax === null || page.after?.value === null) return selectInOrder(where, page);
  const { column, direction } = readOrder(page.sort);
  const { limit } = page;
  const details = filter.q === undefined ? selectDetails(reader, filter, SORTED_MAX + 1) : null;
  const count = sql`(select count from detail)`;
  const isFilled = sql`(select count(*) from walk) = ${limit}`;
  const sorted = (isSorted: Sql) => sql`(
      select id, value from (
        select contacts.id, ${column} as value from contacts where ${where} ${isAfterOrUnnamed(page)} offset 0
      ) found
      where not ${isFilled} ${isSorted}
      order by value ${direction} nulls last, id ${direction} limit ${limit}
    )`;
  const walk = (isWalked: Sql) => sql`walk as materialized (
      select contacts.id, ${column} as value from (
        select * from contacts
        where contacts.account_id = ${accountId} and ${IS_LISTED} ${isAfter(page)} and ${column} is not null
        order by ${column} ${direction}, contacts.id ${direction} limit ${walkMax}
      ) contacts
      where ${matchesValues(reader, filter)} ${isWalked}
      order by ${column} ${direction}, contacts.id ${direction} limit ${limit}
    )
    select id, value from walk where ${isFilled}`;
  if (details === null) return sql`with ${walk(empty)} union all ${sorted(empty)}`;
  const hashed = selectInOrder(matchesFilter(reader, filter, { isHashed: true }), page);
  return sql`with detail as materialized (select count(*) as count from (${details}) found),
    ${walk(sql`and ${count} > ${UNWALKED_MAX}`)}
    union all ${sorted(sql`and ${count} <= ${SORTED_MAX}`)}
    union all (
      select id, value from (${hashed}) found where not ${isFilled} and ${count} > ${SORTED_MAX}
    )`;
}

/** Builds the condition of the contacts that follow a place, among those that have a value. */
function isAfter({ sort, after }: Page<unknown>): Sql {
  if (after === null || after.value === null) return empty;
  const { column, sign } = readOrder(sort);
  return sql`and (${column}, contacts.id) ${sign} (${after.value}, ${after.id})`;
}

function isAfterOrUnnamed(page: Page): Sql {
  const { column, sign, isNullable } = readOrder(page.sort);
  const { after } = page;
  if (!isNullable || after === null) return isAfter(page);
  return sql`and ((${column}, contacts.id) ${sign} (${after.value}, ${after.id}) or ${column} is null)`;
}

/** Contacts without a name come last in both directions, so they are a part of their own. */
function selectInOrder(where: Sql, page: Page<number | null>, further = empty): Sql {
  const { sort, after, limit } = page;
  const { column, direction, sign, firstId, isNullable } = readOrder(sort);
  const filled = sql`select contacts.id, ${column} as value ${further} from contacts
    where ${where} ${isNullable ? sql`and ${column} is not null` : empty} ${isAfter(page)}
    order by ${column} ${direction}, contacts.id ${direction} limit ${limit}`;
  if (!isNullable) return filled;
  const afterId = after?.value === null ? after.id : firstId;
  const unnamed = sql`select contacts.id, ${column} as value ${further} from contacts
    where ${where} and ${column} is null and contacts.id ${sign} ${afterId}
    order by contacts.id ${direction} limit ${limit}`;
  if (after?.value === null) return unnamed;
  return sql`(${filled}) union all (${unnamed})
    order by value ${direction} nulls last, id ${direction} limit ${limit}`;
}

/** Builds the statement that selects the ids of all contacts that match, in order, and about how many bytes each has. */
export function selectAllInOrder(where: Sql, sort: string): Sql {
  const bytes = sql`, coalesce(octet_length(contacts.notes), 0) + 4096 as bytes`;
  return selectInOrder(where, { sort, after: null, limit: null }, bytes);
}

/** The longest walk for a search, which reads the row of each contact. */
const SEARCH_WALK_MAX = 2_000;
/** The longest walk for tags and links, which looks for one of each contact. */
const DETAIL_WALK_MAX = 5_000;
/** The longest walk for a time, or for contacts without a tag or a link, which reads only the index. */
const INDEX_WALK_MAX = 20_000;
/** So many contacts are looked up by their tags or links and sorted before a walk would find a page of them. */
const UNWALKED_MAX = 5_000;
/** The most contacts that are looked up by their tags or links and sorted. */
const SORTED_MAX = 20_000;

const TIME_FILTERS = {
  createdAt: ['createdAfter', 'createdBefore'],
  lastActivityAt: ['lastActivityAfter', 'lastActivityBefore'],
  updatedAt: ['updated_since'],
} as const;

/** Throws a 400 when a cursor has a value that this order does not have. */
export function checkPlace({ value }: ListPlace, sort: string): void {
  const { isNullable } = readOrder(sort);
  const isText = typeof value === 'string' && isStorable(value);
  const isFitting = isNullable ? value === null || isText : isText && parseInstant(value) !== null;
  if (!isFitting) throw cursorInvalid();
}

/** Chooses the longest walk along the index of the order; null: no limit. */
function chooseWalkMax(filter: ContactFilter, sort: string): number | null {
  // The contacts with these ids are few, and found by their key.
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
