import { findOrganization } from '../accounts/index.ts';
import type { Reader } from '../contacts/index.ts';
import type { Queryable } from '../platform/database/index.ts';
import { divideSpan, findSpan } from './rules.ts';
import type { Group, LeadFigure, LeadQuery, ResponseFigure, ResponseQuery } from './schemas.ts';
import { countEnquiries, countNewContacts, countRefused, measureResponses } from './store.ts';

/** Finds the time zone of the days in a request. */
async function findTimeZone(
  lists: Queryable,
  accountId: string,
  { timeZone }: Pick<LeadQuery, 'timeZone'>,
): Promise<string> {
  return timeZone ?? (await findOrganization(lists, accountId)).timeZone;
}

/**
 * Counts the leads of each interval. With groups, an interval has a figure for each group that has leads in it. Without groups,
 * it has one figure, which may be 0.
 */
export async function countLeads(
  lists: Queryable,
  reader: Reader,
  query: LeadQuery,
): Promise<LeadFigure[]> {
  const { accountId, contacts } = reader;
  const { groupBy, project } = query;
  const timeZone = await findTimeZone(lists, accountId, query);
  const intervals = divideSpan(query, timeZone, new Date());
  // A refused import belongs to no contact, and so to no project.
  const hasRefused = contacts === 'all' && project === undefined;
  const [created, enquiries, refused] = await Promise.all([
    countNewContacts(lists, reader, intervals, query),
    countEnquiries(lists, reader, intervals, query),
    hasRefused ? countRefused(lists, accountId, intervals) : [],
  ]);
  const figures = intervals.map(() => new Map<string | null, LeadFigure>());

  function findFigure(index: number, group: string | null): LeadFigure {
    const found = figures[index]?.get(group);
    if (found !== undefined) return found;
    const { start = '' } = intervals[index] ?? {};
    const empty = { start, group, newContacts: 0, enquiries: 0, refused: hasRefused ? 0 : null };
    figures[index]?.set(group, empty);
    return empty;
  }

  if (groupBy === undefined) for (const index of intervals.keys()) findFigure(index, null);
  for (const { index, group, count } of created)
    for (const each of listGroups(groupBy, group)) findFigure(index, each).newContacts += count;
  for (const { index, group, count } of enquiries)
    for (const each of listGroups(groupBy, group)) findFigure(index, each).enquiries += count;
  for (const { index, count } of refused) findFigure(index, null).refused = count;
  return figures.flatMap((each) => [...each.values()].toSorted(compareGroups));
}

/**
 * Lists the groups that a count belongs to. A contact with two projects counts in both; one with none counts in the group null.
 */
function listGroups(groupBy: Group | undefined, group: string | null): (string | null)[] {
  if (groupBy !== 'project' || group === null) return [group];
  return group === '{}' ? [null] : group.slice(1, -1).split(',');
}

/** Sorts groups by their texts; null is last. */
function compareGroups(a: LeadFigure, b: LeadFigure): number {
  const [one, other] = [a.group ?? null, b.group ?? null];
  if (one === null || other === null) return Number(one === null) - Number(other === null);
  return one < other ? -1 : 1;
}

/** Measures how soon each person answered the contacts that were created on these days. */
export async function measureResponseTimes(
  lists: Queryable,
  reader: Reader,
  query: ResponseQuery,
): Promise<ResponseFigure[]> {
  const now = new Date();
  const timeZone = await findTimeZone(lists, reader.accountId, query);
  const { from, until } = findSpan(query, timeZone, now);
  return measureResponses(lists, reader, { from, until, now, project: query.project });
}
