import { findOrganization } from '../accounts/index.ts';
import type { Reader } from '../contacts/index.ts';
import type { Queryable } from '../platform/database/index.ts';
import { divideSpan, type Interval } from './rules.ts';
import type { LeadFigure, LeadQuery, ResponseFigure } from './schemas.ts';
import { countEnquiries, countNewContacts, countRefused, measureResponses } from './store.ts';

/** Finds the intervals that a request asks for. */
async function findIntervals(
  lists: Queryable,
  accountId: string,
  query: LeadQuery,
  now: Date,
): Promise<Interval[]> {
  const timeZone = query.timeZone ?? (await findOrganization(lists, accountId)).timeZone;
  return divideSpan(query, timeZone, now);
}

/**
 * Counts the leads of each interval. With groups, an interval has a figure for each group that has leads in it; without, one,
 * also when it has none.
 */
export async function countLeads(
  lists: Queryable,
  reader: Reader,
  query: LeadQuery,
): Promise<LeadFigure[]> {
  const { accountId, contacts } = reader;
  const { groupBy } = query;
  const intervals = await findIntervals(lists, accountId, query, new Date());
  const seesAll = contacts === 'all';
  const [created, enquiries, refused] = await Promise.all([
    countNewContacts(lists, reader, intervals, groupBy),
    countEnquiries(lists, reader, intervals, groupBy),
    seesAll ? countRefused(lists, accountId, intervals) : [],
  ]);
  const figures = intervals.map(() => new Map<string | null, LeadFigure>());

  function findFigure(index: number, group: string | null): LeadFigure {
    const found = figures[index]?.get(group);
    if (found !== undefined) return found;
    const { start = '' } = intervals[index] ?? {};
    const empty = { start, group, newContacts: 0, enquiries: 0, refused: seesAll ? 0 : null };
    figures[index]?.set(group, empty);
    return empty;
  }

  if (groupBy === undefined) for (const index of intervals.keys()) findFigure(index, null);
  for (const { index, group, count } of created) findFigure(index, group).newContacts = count;
  for (const { index, group, count } of enquiries) findFigure(index, group).enquiries = count;
  for (const { index, group, count } of refused) findFigure(index, group).refused = count;
  return figures.flatMap((each) => [...each.values()].toSorted(compareGroups));
}

/** Sorts groups by their texts; null is last. */
function compareGroups(a: LeadFigure, b: LeadFigure): number {
  const [one, other] = [a.group ?? null, b.group ?? null];
  if (one === null || other === null) return Number(one === null) - Number(other === null);
  return one < other ? -1 : 1;
}

/** Measures how soon the contacts of each person were answered that were created on these days. */
export async function measureResponseTimes(
  lists: Queryable,
  reader: Reader,
  query: LeadQuery,
): Promise<ResponseFigure[]> {
  const now = new Date();
  const months = await findIntervals(lists, reader.accountId, { ...query, interval: 'month' }, now);
  const from = months[0]?.from ?? now;
  const until = months.at(-1)?.until ?? now;
  return measureResponses(lists, reader, { from, until, now });
}
