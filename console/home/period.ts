import { LANGUAGE } from '../parts/text/format.ts';
import { addDays, toBounds } from '../parts/time/days.ts';

export const PERIODS = [4, 12, 26, 52] as const;
export const DEFAULT_WEEKS = 12;
const WEEK_DAYS = 7;

/** A range of days, both ends included. */
export interface Span {
  from: string;
  to: string;
}

/** Makes the span of the last weeks up to today. It begins on a Monday, so that the first week is whole. */
export function toSpan(today: string, weeks: number): Span {
  const weekday = (new Date(today).getUTCDay() + 6) % WEEK_DAYS;
  return { from: addDays(today, -weekday - WEEK_DAYS * (weeks - 1)), to: today };
}

/** Lists the Mondays of a span. */
export const listWeeks = ({ from }: Span, weeks: number): string[] =>
  Array.from({ length: weeks }, (_, week) => addDays(from, WEEK_DAYS * week));

/** Makes the span of the last 14 days. `middle` is the first of the last seven. */
export const toLastDays = (today: string): { span: Span; middle: string } => ({
  span: { from: addDays(today, 1 - 2 * WEEK_DAYS), to: today },
  middle: addDays(today, 1 - WEEK_DAYS),
});

/** Makes the parameters that filter contacts by their day of creation. */
export function toCreatedFilter({ from, to }: Span, timeZone: string): Record<string, string> {
  const { after = '', before = '' } = toBounds(from, to, timeZone);
  return { createdAfter: after, createdBefore: before };
}

/** Makes the address of the contact list behind a figure. It includes archived contacts, because figures count them. */
export function linkToContacts(filter: Record<string, string>): string {
  return `/contacts?${new URLSearchParams({ ...filter, archived: 'any' })}`;
}

/** Returns the last day of the week that begins on this Monday. */
export const endOfWeek = (monday: string): string => addDays(monday, WEEK_DAYS - 1);

/** Formats a day without its year, such as "12 Mar". `day` is a text such as `2026-03-12`, without a time zone. */
export const formatPlainDay = (day: string): string => plainDays.format(Date.parse(day));

const plainDays = new Intl.DateTimeFormat(LANGUAGE, {
  day: 'numeric',
  month: 'short',
  timeZone: 'UTC',
});
