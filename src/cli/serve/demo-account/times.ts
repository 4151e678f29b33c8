import { DAY_MS, HOUR_MS } from '../../../platform/text/index.ts';
import type { Random } from './random.ts';

const YEAR_DAYS = 365;
/** The offset of New Zealand from UTC, without daylight saving time: nobody notices an hour in the demo. */
const OFFSET_MS = 12 * HOUR_MS;

/** The relative number of leads by month, from January: few in the holidays, most in spring and autumn. */
const MONTHS = [0.6, 1.1, 1.2, 1, 0.95, 0.8, 0.75, 0.9, 1.1, 1.25, 1.25, 0.65];
/** The relative number of leads by day of the week, from Sunday: open homes are at the weekend. */
const WEEKDAYS = [1.5, 0.9, 0.85, 0.9, 0.9, 0.8, 1.4];
const HOURS: Record<string, number> = {
  7: 2,
  8: 4,
  9: 6,
  10: 8,
  11: 10,
  12: 10,
  13: 9,
  14: 7,
  15: 6,
  16: 5,
  17: 6,
  18: 7,
  19: 9,
  20: 10,
  21: 8,
  22: 3,
};

/** Creates a function that draws when a lead came in, within the year before `now`. */
export function createLeadTimes(random: Random, now: number): () => number {
  const today = Math.floor((now + OFFSET_MS) / DAY_MS) * DAY_MS;
  // For each day, the sum of the weights of this day and all later ones.
  const shares: number[] = [];
  let sum = 0;
  for (let age = 0; age < YEAR_DAYS; age += 1) {
    const date = new Date(today - age * DAY_MS);
    // The business grows: a day now has 1.5 times as many leads as a day a year ago.
    const growth = 1.5 - (0.5 * age) / YEAR_DAYS;
    sum += growth * (MONTHS[date.getUTCMonth()] ?? 1) * (WEEKDAYS[date.getUTCDay()] ?? 1);
    shares.push(sum);
  }
  return () => {
    const share = random.next() * sum;
    const age = shares.findIndex((each) => each > share);
    const hours = Number(random.pickWeighted(HOURS)) + random.next();
    const time = Math.round(today - age * DAY_MS + hours * HOUR_MS - OFFSET_MS);
    return time > now ? time - DAY_MS : time;
  };
}

/** Moves a time into office hours, unless they are after `now`. */
export function toOfficeHours(random: Random, time: number, now: number): number {
  const hour = ((((time + OFFSET_MS) % DAY_MS) + DAY_MS) % DAY_MS) / HOUR_MS;
  const moved =
    hour >= 8.5 && hour < 19
      ? time
      : time + (hour < 8.5 ? 9 - hour : 33 - hour) * HOUR_MS + random.between(0, 3 * HOUR_MS);
  return Math.round(moved > now ? time : moved);
}

/** Moves a time to half past nine of its day in New Zealand. */
export const toMorning = (time: number): number =>
  Math.floor((time + OFFSET_MS) / DAY_MS) * DAY_MS + 9.5 * HOUR_MS - OFFSET_MS;

export const formatTime = (ms: number): string => new Date(ms).toISOString();
