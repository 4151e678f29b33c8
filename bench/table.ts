import type { Comparison, Figure } from './measure.ts';

const COLUMNS = [
  '',
  'a second',
  'spread',
  'p50 ms',
  'p99 ms',
  'bytes',
  'CPU µs',
  'PostgreSQL µs',
  'MB',
];

/** Formats comparisons as tables in Markdown. */
export function formatTables(comparisons: Comparison[]): string {
  return comparisons.map(tableOf).join('\n\n');
}

function tableOf({ work, figures, verdicts }: Comparison): string {
  const marks = verdicts.map(
    ({ what, value, reach, isReached }) =>
      `${what} ${number(value)} (${reach}${isReached ? '' : ', not reached'})`,
  );
  const rows = [COLUMNS, COLUMNS.map(() => '-'), ...figures.map(cells)];
  const lines = rows.map((row) => `| ${row.join(' | ')} |`);
  const title = marks.length === 0 ? `**${work}**` : `**${work}**: ${marks.join('; ')}`;
  return [title, '', ...lines].join('\n');
}

function cells(figure: Figure): string[] {
  const { name, perSecond, least, most, p50Ms, p99Ms, bytes, cpuUs, postgresUs, memoryMb } = figure;
  const spread = Number.isNaN(least) ? '' : `${number(least)}–${number(most)}`;
  const numbers = [p50Ms, p99Ms, bytes, cpuUs, postgresUs, memoryMb];
  return [name, number(perSecond), spread, ...numbers.map(number)];
}

function number(value: number | undefined): string {
  if (value === undefined || Number.isNaN(value)) return '';
  const digits = Math.abs(value) < 10 ? 2 : Math.abs(value) < 100 ? 1 : 0;
  return value.toLocaleString('en', { maximumFractionDigits: digits, signDisplay: 'negative' });
}
