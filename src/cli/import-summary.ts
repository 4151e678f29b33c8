import type { FileResult } from '../imports/index.ts';
import { count, duration } from './output.ts';

interface Context {
  slug: string;
  dryRun: boolean;
  reportFile: string | undefined;
  seconds: number;
}

const REASONS_MAX = 10;

/** Describes the import of a file in lines. */
export function describeImport(result: FileResult, context: Context): string {
  const { seconds, dryRun } = context;
  const { created, merged, refused } = result;
  const rows = created + merged + refused;
  const rate = count(Math.round(rows / seconds));
  const lines = [
    `${rowCount(rows)} in ${duration(seconds)} (${rate} a second): ${count(created)} created, ${count(merged)} merged, ${count(refused)} refused.`,
    ...describeReasons(result),
    ...(refused > 0 ? [locateRefused(context)] : []),
    ...(dryRun ? ['This was a dry run: nothing was stored.'] : []),
  ];
  return lines.map((line) => `${line}\n`).join('');
}

function describeReasons({ reasons }: FileResult): string[] {
  const sorted = [...reasons].toSorted(([, a], [, b]) => b - a);
  const lines = sorted
    .slice(0, REASONS_MAX)
    .map(([reason, times]) => `  ${rowCount(times)}: ${reason}`);
  const others = sorted.length - lines.length;
  return others > 0 ? [...lines, `  and ${others} other reasons`] : lines;
}

function rowCount(rows: number): string {
  return `${count(rows)} ${rows === 1 ? 'row' : 'rows'}`;
}

function locateRefused({ slug, reportFile, dryRun }: Context): string {
  if (reportFile !== undefined)
    return `The refused rows are in ${reportFile}, to be corrected and imported.`;
  if (dryRun) return '--report FILE writes the refused rows to a file.';
  return `offplan imports list ${slug} --refused shows them; --report FILE writes such rows to a file.`;
}
