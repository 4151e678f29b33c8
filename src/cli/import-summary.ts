import type { FileResult } from '../imports/index.ts';
import { formatCount, formatDuration } from './output.ts';

interface SummaryContext {
  slug: string;
  dryRun: boolean;
  reportFile: string | undefined;
  seconds: number;
}

const REASONS_MAX = 10;

/** Describes the import of a file in lines. */
export function describeImport(result: FileResult, context: SummaryContext): string {
  const { seconds, dryRun } = context;
  const { created, merged, refused } = result;
  const rows = created + merged + refused;
  const rate = formatCount(Math.round(rows / seconds));
  const lines = [
    `${formatRowCount(rows)} in ${formatDuration(seconds)} (${rate} a second): ${formatCount(created)} created, ${formatCount(merged)} merged, ${formatCount(refused)} refused.`,
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
    .map(([reason, times]) => `  ${formatRowCount(times)}: ${reason}`);
  const others = sorted.length - lines.length;
  return others > 0 ? [...lines, `  and ${others} other reasons`] : lines;
}

function formatRowCount(rows: number): string {
  return `${formatCount(rows)} ${rows === 1 ? 'row' : 'rows'}`;
}

function locateRefused({ slug, reportFile, dryRun }: SummaryContext): string {
  if (reportFile !== undefined)
    return `The refused rows are in ${reportFile}, to be corrected and imported.`;
  if (dryRun) return '--report FILE writes the refused rows to a file.';
  return `offplan imports list ${slug} --refused shows them; --report FILE writes such rows to a file.`;
}
