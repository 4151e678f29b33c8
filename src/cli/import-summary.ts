import type { FileResult } from '../imports/index.ts';
import { count, duration } from './output.ts';

interface Told {
  slug: string;
  dryRun: boolean;
  reportFile: string | null;
  seconds: number;
}

const REASONS_MAX = 10;

/** What the import of a file did, as lines. */
export function describe(result: FileResult, told: Told): string {
  const { seconds } = told;
  const { created, merged, refused } = result;
  const rows = created + merged + refused;
  const rate = count(Math.round(rows / seconds));
  const reasons = [...result.reasons].toSorted(([, a], [, b]) => b - a);
  const lines = reasons
    .slice(0, REASONS_MAX)
    .map(([reason, times]) => `  ${rowCount(times)}: ${reason}`);
  if (reasons.length > lines.length)
    lines.push(`  and ${reasons.length - lines.length} other reasons`);
  return [
    `${rowCount(rows)} in ${duration(seconds)} (${rate} a second): ${count(created)} created, ${count(merged)} merged, ${count(refused)} refused.`,
    ...lines,
    ...(refused > 0 ? [whereRefused(told)] : []),
    ...(told.dryRun ? ['This was a dry run: nothing was stored.'] : []),
  ]
    .map((line) => `${line}\n`)
    .join('');
}

function rowCount(rows: number): string {
  return `${count(rows)} ${rows === 1 ? 'row' : 'rows'}`;
}

function whereRefused({ slug, reportFile, dryRun }: Told): string {
  if (reportFile !== null)
    return `The refused rows are in ${reportFile}, to be corrected and imported.`;
  if (dryRun) return '--report FILE writes the refused rows to a file.';
  return `offplan imports list ${slug} --refused shows them; --report FILE writes such rows to a file.`;
}
