import sql, { type Sql } from 'sql-template-tag';
import { joinAnd, matchesTerms } from '../../platform/database/index.ts';
import { NONE } from '../../platform/fields/index.ts';
import { isUuid, listWordPatterns, toDate, toStorable } from '../../platform/text/index.ts';
import type { UnitFilter } from './filter.ts';

/** A condition that is always true. With it, PostgreSQL can use the partial indexes of lists, which have the same condition. */
export const IS_INDEXED = sql`units.version > 0`;

/** Builds the condition of the units of an account that match a filter. */
export function matchesFilter(accountId: string, filter: UnitFilter): Sql {
  return sql`${IS_INDEXED} and ${matchesValues(accountId, filter)}`;
}

/** The same without `IS_INDEXED`, for rows that an index scan returned: the index does not contain `version`. */
export function matchesValues(accountId: string, filter: UnitFilter): Sql {
  const { unit, project, status, unitType, bedrooms, level, lotNumber } = filter;
  const { priceMin, priceMax, q, updated_since: updatedSince } = filter;
  const conditions: (Sql | undefined)[] = [
    sql`units.account_id = ${accountId}`,
    // Drop ids that are not UUIDs: no unit has such an id.
    unit && isAnyOf(sql`units.id`, unit.filter(isUuid), sql`uuid`),
    project && isAnyOf(sql`units.project_id`, project.filter(isUuid), sql`uuid`),
    status && isAnyOf(sql`units.status`, status, sql`text`),
    unitType && isAnyOrNone(sql`units.unit_type`, unitType, sql`text`),
    bedrooms && isAnyOrNone(sql`units.bedrooms`, bedrooms, sql`double precision`),
    level && isAnyOrNone(sql`units.level #>> '{}'`, level.map(toText), sql`text`),
    lotNumber &&
      isAnyOrNone(
        sql`lower(units.lot_number #>> '{}')`,
        lotNumber.map((each) => toText(each).toLowerCase()),
        sql`text`,
      ),
    priceMin === undefined ? undefined : sql`units.price >= ${priceMin}`,
    priceMax === undefined ? undefined : sql`units.price <= ${priceMax}`,
    q === undefined ? undefined : matchesTerms(listWordPatterns(q), isLike),
    updatedSince === undefined ? undefined : sql`units.updated_at > ${toDate(updatedSince)}`,
  ];
  return joinAnd(conditions);
}

/** PostgreSQL refuses U+0000, also in a value to compare with. */
const toText = (value: string | number): string => toStorable(String(value));

const isLike = (pattern: string): Sql => sql`units.search_text like ${pattern}`;

function isAnyOf(column: Sql, values: (string | number)[], type: Sql): Sql {
  const [first] = values;
  return values.length === 1
    ? sql`${column} = ${first}::${type}`
    : sql`${column} = any(${values}::${type}[])`;
}

function isAnyOrNone(column: Sql, values: (string | number)[], type: Sql): Sql {
  const given = values.filter((value) => value !== NONE);
  const isAny = isAnyOf(column, given, type);
  if (given.length === values.length) return isAny;
  return given.length === 0 ? sql`${column} is null` : sql`(${isAny} or ${column} is null)`;
}
