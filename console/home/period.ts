import { addDays, startOfDay } from '../parts/days.ts';

export const PERIODS = [4, 12, 26, 52] as const;
export const DEFAULT_WEEKS = 12;
const WEEK_DAYS = 7;

/** Days, both of which count. */
export interface Span {
  from: string;
  to: string;
}

/** The weeks up to today. Each begins on Monday, so that the first is whole. */
export function toSpan(today: string, weeks: number): Span {
  const weekday = (new Date(today).getUTCDay() + 6) % WEEK_DAYS;
  return { from: addDays(today, -weekday - WEEK_DAYS * (weeks - 1)), to: today };
}

/** The Mondays of a span. */
export const listWeeks = ({ from }: Span, weeks: number): string[] =>
  Array.from({ length: weeks }, (_, week) => addDays(from, WEEK_DAYS * week));

/** The last seven days, and the seven days before them. */
export const toLastDays = (today: string): { span: Span; middle: string } => ({
  span: { from: addDays(today, 1 - 2 * WEEK_DAYS), to: today },
  middle: addDays(today, 1 - WEEK_DAYS),
});

/** The parameters of the list of contacts that were created on these days. Both of its bounds are exclusive. */
export function toCreatedFilter({ from, to }: Span, timeZone: string): Record<string, string> {
  const start = startOfDay(from, timeZone).getTime() - 1;
  const end = startOfDay(addDays(to, 1), timeZone);
  return { createdAfter: new Date(start).toISOString(), createdBefore: end.toISOString() };
}

/** The address of the list of contacts behind a figure. Figures count archived contacts, too. */
export function linkToContacts(filter: Record<string, string>): string {
  return `/contacts?${new URLSearchParams({ ...filter, archived: 'any' })}`;
}

/** The last day of the week that begins on this day. */
export const endOfWeek = (monday: string): string => addDays(monday, WEEK_DAYS - 1);
