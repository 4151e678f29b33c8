import { formatCount } from '../platform/text/index.ts';

const UNITS = ['bytes', 'kB', 'MB', 'GB', 'TB'];

/** Formats a size, with one decimal below 10: "1.5 GB". A kB is 1,024 bytes here, as in PostgreSQL. */
export function formatBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < UNITS.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${value < 10 ? Math.round(value * 10) / 10 : Math.round(value)} ${UNITS[unit]}`;
}

export function formatMinutes(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  return minutes === 1 ? '1 minute' : `${formatCount(minutes)} minutes`;
}
