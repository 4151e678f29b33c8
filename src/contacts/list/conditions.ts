import sql, { join, type Sql } from 'sql-template-tag';
import type { Principal } from '../../access/index.ts';
import { isUuid, listSearchPatterns, toDate } from '../../platform/text/index.ts';
import { NONE, type ContactFilter } from './filter.ts';

/** The caller that reads contacts: an agent may see only some of them. */
export type Reader = Pick<Principal, 'accountId' | 'contacts' | 'actor'>;

/**
 * Builds the condition of the contacts that the principal may see: those of the account, and for an agent of an account
 * with `agentsSee: own` only their own and those of nobody. Each statement that reads contacts for a caller needs it.
 */
export function isVisible({ accountId, contacts, actor }: Reader): Sql {
  const ofAccount = sql`contacts.account_id = ${accountId}`;
  if (contacts === 'all') return ofAccount;
  return sql`${ofAccount} and (contacts.assigned_account_user_id = ${actor.id}
    or contacts.assigned_account_user_id is null)`;
}

/** Lets a statement use the indexes that are for lists alone: it is always true. */
export const IS_LISTED = sql`contacts.version > 0`;

/** Builds the condition of the contacts that the principal may see and that match a filter. */
export function matchesFilter(reader: Reader, filter: ContactFilter): Sql {
  return sql`${IS_LISTED} and ${matchesValues(reader, filter)}`;
}

/** The same condition on rows that a walk along an index has found: an index does not hold what `IS_LISTED` compares. */
export function matchesValues(reader: Reader, filter: ContactFilter): Sql {
  const { accountId } = reader;
  const { q, stage, source, buyerType, tag, assignedTo, project, unit, hasPhone } = filter;
  const { archived = false, createdAfter, createdBefore } = filter;
  const { lastActivityAfter, lastActivityBefore, updated_since: updatedSince } = filter;
  const isLinked = (values: Sql) => sql`exists (
    select from contact_links link
    where link.account_id = ${accountId} and link.contact_id = contacts.id and ${values}
  )`;
  // The index of links begins with the project.
  const isOfUnits = (ids: string[]) => sql`(link.project_id, link.unit_id) in (
    select project_id, id from units where account_id = ${accountId} and id = any(${ids}::uuid[])
  )`;
  const conditions: (Sql | undefined)[] = [
    isVisible(reader),
    q === undefined ? undefined : matchesSearch(q),
    stage && isAnyOf(sql`contacts.stage`, stage, sql`text`),
    source && isAnyOf(sql`contacts.source`, source, sql`text`),
    buyerType && isAnyOf(sql`contacts.buyer_type`, buyerType, sql`text`),
    assignedTo && isAnyId(sql`contacts.assigned_account_user_id`, assignedTo),
    tag &&
      hasAny(
        tag,
        (values) => sql`exists (
          select from contact_tags tagged
          where tagged.account_id = ${accountId} and tagged.contact_id = contacts.id and ${values}
        )`,
        sql`tagged.tag_id`,
      ),
    project && hasAny(project, isLinked, sql`link.project_id`),
    unit && hasAny(unit, isLinked, sql`link.unit_id`, isOfUnits),
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
  return join(
    conditions.filter((each) => each !== undefined),
    ' and ',
  );
}

const isLater = (column: Sql, time?: string) =>
  time === undefined ? undefined : sql`${column} > ${toDate(time)}`;
const isEarlier = (column: Sql, time?: string) =>
  time === undefined ? undefined : sql`${column} < ${toDate(time)}`;

function matchesSearch(q: string): Sql {
  const terms = listSearchPatterns(q);
  if (terms.length === 0) return sql`false`;
  return join(
    terms.map((patterns) => sql`(${join(patterns.map(isLike), ' or ')})`),
    ' and ',
  );
}

/** The index looks up every three letters, so it gets no domain, of which there are few: the rows are compared with that. */
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

/** An id that is no UUID is an unknown one. */
const pickIds = (values: string[]): string[] => values.filter((id) => id === NONE || isUuid(id));

const isAnyId = (column: Sql, values: string[]): Sql => isAnyOf(column, pickIds(values), sql`uuid`);

/** Builds the condition on rows that belong to a contact: that it has one with any of these ids, or none at all. */
function hasAny(
  values: string[],
  exists: (condition: Sql) => Sql,
  column: Sql,
  isAny = (ids: string[]) => sql`${column} = any(${ids}::uuid[])`,
): Sql {
  const ids = pickIds(values).filter((id) => id !== NONE);
  const hasOne = exists(isAny(ids));
  if (!values.includes(NONE)) return hasOne;
  const hasNone = sql`not ${exists(sql`${column} is not null`)}`;
  return ids.length === 0 ? hasNone : sql`(${hasOne} or ${hasNone})`;
}
