import sql, { type Sql } from 'sql-template-tag';
import type { Principal } from '../../access/index.ts';
import { joinAnd, matchesTerms } from '../../platform/database/index.ts';
import { NONE } from '../../platform/fields/index.ts';
import { isUuid, listSearchPatterns, toDate } from '../../platform/text/index.ts';
import type { ContactFilter } from './filter.ts';

/** The caller who reads contacts. An agent may see only some of them. */
export type Reader = Pick<Principal, 'accountId' | 'contacts' | 'actor'>;

/**
 * Builds the condition of the contacts that the principal may see: those of the account, and for an agent of an account
 * with `agentsSee: own` only their own and unassigned ones. Each statement that reads contacts for a caller needs it.
 */
export function isVisible({ accountId, contacts, actor }: Reader): Sql {
  const ofAccount = sql`contacts.account_id = ${accountId}`;
  if (contacts === 'all') return ofAccount;
  return sql`${ofAccount} and (contacts.assigned_account_user_id = ${actor.id}
    or contacts.assigned_account_user_id is null)`;
}

/** A condition that is always true. With it, PostgreSQL can use the partial indexes of lists, which have the same condition. */
export const IS_INDEXED = sql`contacts.version > 0`;

/** How a statement finds the tags and links of a filter. */
interface MatchOptions {
  /**
   * Makes PostgreSQL hash the rows of the narrowest tag or link filter, and look up each contact in that hash while it walks along
   * an order. Otherwise PostgreSQL plans a join, which looks each one up in an index, or loses the order.
   */
  isHashed?: boolean;
}

/** Builds the condition of the contacts that the principal may see and that match a filter. */
export function matchesFilter(reader: Reader, filter: ContactFilter, options?: MatchOptions): Sql {
  return sql`${IS_INDEXED} and ${matchesValues(reader, filter, options)}`;
}

/** The same without `IS_INDEXED`, for rows that an index scan returned: that index does not contain `version`. */
export function matchesValues(
  reader: Reader,
  filter: ContactFilter,
  { isHashed = false }: MatchOptions = {},
): Sql {
  const { accountId } = reader;
  const { contact, q, stage, source, buyerType, assignedTo, hasPhone } = filter;
  const { archived = false, createdAfter, createdBefore } = filter;
  const { lastActivityAfter, lastActivityBefore, updated_since: updatedSince } = filter;
  const hashed = isHashed ? findNarrowest(filter) : undefined;
  const hasDetails = listDetails(filter).map(({ name, table, values, isAny, hasSome }) => {
    const exists = (ids: string[]) => {
      const found = sql`exists (
        select from ${table} detail where detail.account_id = ${accountId} and detail.contact_id = contacts.id
          and ${isAny(accountId, ids)}
      )`;
      // PostgreSQL does not turn an `exists` into a join when it is the argument of a function.
      return name === hashed?.name ? sql`coalesce(${found}, false)` : found;
    };
    return hasAny(values, exists, hasSome);
  });
  const conditions: (Sql | undefined)[] = [
    isVisible(reader),
    contact && sql`contacts.id = any(${contact.filter(isUuid)}::uuid[])`,
    q === undefined ? undefined : matchesTerms(listSearchPatterns(q), isLike),
    stage && isAnyOf(sql`contacts.stage`, stage, sql`text`),
    source && isAnyOf(sql`contacts.source`, source, sql`text`),
    buyerType && isAnyOf(sql`contacts.buyer_type`, buyerType, sql`text`),
    assignedTo && isAnyId(sql`contacts.assigned_account_user_id`, assignedTo),
    ...hasDetails,
    archived === 'any'
      ? undefined
      : archived
        ? sql`contacts.archived_at is not null`
        : sql`contacts.archived_at is null`,
    hasPhone === undefined ? undefined : sql`contacts.has_phone = ${hasPhone}`,
    isLater(sql`contacts.created_at`, createdAfter),
    isEarlier(sql`contacts.created_at`, createdBefore),
    isLater(sql`contacts.last_activity_at`, lastActivityAfter),
    isEarlier(sql`contacts.last_activity_at`, lastActivityBefore),
    isLater(sql`contacts.updated_at`, updatedSince),
  ];
  return joinAnd(conditions);
}

const isLater = (column: Sql, time?: string) =>
  time === undefined ? undefined : sql`${column} > ${toDate(time)}`;
const isEarlier = (column: Sql, time?: string) =>
  time === undefined ? undefined : sql`${column} < ${toDate(time)}`;

/** Builds a search by the trigram index. It searches without an email's domain, which many contacts share, and then compares the found rows with the whole pattern. */
function isLike(pattern: string): Sql {
  const found = sql`contacts.search_text like ${pattern.replace(/@.*%$/, '@%')}`;
  return pattern.includes('@')
    ? sql`(${found} and contacts.search_text || '' like ${pattern})`
    : found;
}

function isAnyOf(column: Sql, values: string[], type: Sql): Sql {
  const given = values.filter((value) => value !== NONE);
  if (given.length === values.length) return sql`${column} = any(${given}::${type}[])`;
  if (given.length === 0) return sql`${column} is null`;
  return sql`(${column} = any(${given}::${type}[]) or ${column} is null)`;
}

const isNone = (value: string): boolean => value === NONE;

/** Drops texts that are not UUIDs: no row has such an id. */
const pickIds = (values: string[]): string[] => values.filter((id) => id === NONE || isUuid(id));

const isAnyId = (column: Sql, values: string[]): Sql => isAnyOf(column, pickIds(values), sql`uuid`);

/** Builds the condition that a contact has a tag or link with any of these ids, or none at all. */
function hasAny(values: string[], exists: (ids: string[]) => Sql, hasSome: Sql): Sql {
  const ids = pickIds(values).filter((id) => id !== NONE);
  if (!values.includes(NONE)) return exists(ids);
  return ids.length === 0 ? sql`not ${hasSome}` : sql`(${exists(ids)} or not ${hasSome})`;
}

/** A member of a filter on the rows of a contact: its tags or its links. */
interface Detail {
  name: 'tag' | 'project' | 'unit';
  table: Sql;
  values: string[];
  isAny: (accountId: string, ids: string[]) => Sql;
  /** The condition that a contact has any such row. */
  hasSome: Sql;
}

function listDetails({ tag, project, unit }: ContactFilter): Detail[] {
  const isAnyIn = (column: Sql) => (_: string, ids: string[]) =>
    sql`detail.${column} = any(${ids}::uuid[])`;
  // Compare the project as well: the index of links begins with it.
  const isOfUnits = (
    accountId: string,
    ids: string[],
  ) => sql`(detail.project_id, detail.unit_id) in (
    select project_id, id from units where account_id = ${accountId} and id = any(${ids}::uuid[])
  )`;
  const details: Record<Detail['name'], Omit<Detail, 'name' | 'values'>> = {
    unit: { table: sql`contact_links`, isAny: isOfUnits, hasSome: sql`contacts.has_unit` },
    project: {
      table: sql`contact_links`,
      isAny: isAnyIn(sql`project_id`),
      hasSome: sql`contacts.has_project`,
    },
    tag: { table: sql`contact_tags`, isAny: isAnyIn(sql`tag_id`), hasSome: sql`contacts.has_tag` },
  };
  const given = { unit, project, tag };
  return (['unit', 'project', 'tag'] as const).flatMap((name) => {
    const values = given[name];
    return values === undefined ? [] : [{ name, values, ...details[name] }];
  });
}

/** Finds the member that matches the fewest contacts in most accounts: a unit, then a project, then a tag. A member with `none` is left out. */
const findNarrowest = (filter: ContactFilter): Detail | undefined =>
  listDetails(filter).find(({ values }) => !values.includes(NONE));

/**
 * Selects up to `limit` of the tags or links that a filter asks for, or of the contacts without any. Returns null when the filter
 * asks for neither, or no index has them.
 */
export function selectDetails(
  { accountId }: Reader,
  filter: ContactFilter,
  limit: number,
): Sql | null {
  const detail = findNarrowest(filter);
  if (detail !== undefined) {
    const isAny = detail.isAny(accountId, pickIds(detail.values));
    return sql`select from ${detail.table} detail where detail.account_id = ${accountId} and ${isAny} limit ${limit}`;
  }
  const missing = listDetails(filter).find(({ values }) => pickIds(values).every(isNone));
  if (missing === undefined || (filter.archived ?? false) !== false) return null;
  return sql`select from contacts where contacts.account_id = ${accountId} and not ${missing.hasSome}
    and contacts.archived_at is null limit ${limit}`;
}
