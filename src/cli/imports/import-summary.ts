import {
  describeShared,
  printEncoding,
  printName,
  type DateOrder,
  type FileResult,
  type Layout,
  type Spelling,
} from '../../imports/index.ts';
import { formatCount } from '../../platform/text/index.ts';
import { formatAmount, formatDuration } from '../output.ts';

interface SummaryContext {
  slug: string;
  dryRun: boolean;
  reportFile: string | undefined;
  seconds: number;
  layout: Layout;
  spelling: Spelling;
}

const REASONS_MAX = 10;
const REMARKS_MAX = 20;

/** Describes the import of a file in lines. */
export function describeImport(result: FileResult, context: SummaryContext): string[] {
  const { seconds, dryRun } = context;
  const { created, merged, refused, deleted } = result;
  const rows = created + merged + refused + deleted;
  const rate = formatCount(rows / seconds);
  const skipped = deleted === 0 ? '' : `, ${formatCount(deleted)} skipped as deleted`;
  return [
    `${formatAmount(rows, 'row')} in ${formatDuration(seconds)} (${rate} a second): ${formatCount(created)} created, ${formatCount(merged)} merged, ${formatCount(refused)} refused${skipped}.`,
    ...describeReasons(result),
    ...describeUnlisted(result, dryRun),
    ...describeRemarks(result),
    ...describeSharedFields(context.layout),
    ...describeDates(context),
    ...describeShortPhones(result),
    ...describeEncoding(context.layout),
    ...(refused > 0 ? [locateRefused(context)] : []),
    ...locateRun(result, context),
    ...(dryRun ? ['This was a dry run: nothing was stored.'] : []),
  ];
}

function locateRun({ runId, created }: FileResult, { slug }: SummaryContext): string[] {
  if (runId === null || created === 0) return [];
  return [`To remove the contacts it created: offplan imports undo ${slug} ${runId}`];
}

function describeReasons({ reasons }: FileResult): string[] {
  const sorted = [...reasons].toSorted(([, a], [, b]) => b - a);
  const lines = sorted
    .slice(0, REASONS_MAX)
    .map(([reason, times]) => `  ${formatAmount(times, 'row')}: ${reason}`);
  const others = sorted.length - lines.length;
  return others > 0 ? [...lines, `  and ${others} other reasons`] : lines;
}

/** Names the values of imported rows that were left out, such as the name of a project that the account does not have. */
function describeRemarks({ remarks }: FileResult): string[] {
  const sorted = [...remarks].toSorted(([, a], [, b]) => b - a);
  const lines = sorted
    .slice(0, REMARKS_MAX)
    .map(([remark, times]) => `  ${formatAmount(times, 'row')}, imported without it: ${remark}`);
  const others = sorted.length - lines.length;
  return others > 0 ? [...lines, `  and ${others} other values that were left out`] : lines;
}

function describeSharedFields(layout: Layout): string[] {
  const fields = describeShared(layout);
  if (fields.length === 0) return [];
  return [
    `Several columns for one field: ${fields.join('; ')}. Other values are kept in a note "Also: …".`,
  ];
}

const DATE_ORDER_NAMES: Record<DateOrder, string> = {
  dmy: 'day first',
  mdy: 'month first',
  ymd: 'year first',
};

/** Describes how the import read ambiguous dates. */
function describeDates({ layout, spelling: { dateOrders = {} } }: SummaryContext): string[] {
  // An order that the user names is stored for fields without a column, too.
  const fields = new Set<string | null>(layout.fields);
  return Object.entries(dateOrders)
    .filter(([field]) => fields.has(field))
    .map(
      ([field, order]) =>
        `The dates of ${field} are read ${DATE_ORDER_NAMES[order]} (--date-order ${order}).`,
    );
}

/** Names the buyer types of the file that became Other and, for a dry run, the sources, whose original names the contacts keep. */
function describeUnlisted({ unlisted }: FileResult, dryRun: boolean): string[] {
  const sources = dryRun ? describeOthers('source', unlisted.source) : [];
  return [...describeOthers('buyerType', unlisted.buyerType), ...sources];
}

function describeOthers(field: string, counts: Map<string, number>): string[] {
  const sorted = [...counts].toSorted(([, a], [, b]) => b - a);
  const lines = sorted
    .slice(0, REASONS_MAX)
    .map(
      ([text, times]) =>
        `  ${formatAmount(times, 'row')}: ${field} "${printName(text)}" became Other`,
    );
  const others = sorted.length - lines.length;
  return others > 0 ? [...lines, `  and ${others} other values of ${field}`] : lines;
}

function describeShortPhones({ shortPhones: { lines, count } }: FileResult): string[] {
  if (count === 0) return [];
  const more = count > lines.length ? ` and ${formatCount(count - lines.length)} more` : '';
  return [
    `Warning: a spreadsheet has shortened the phone of ${formatAmount(count, 'row')}, as in 2.1555E+08, and its last digits may be lost: line ${lines.join(', ')}${more}.`,
  ];
}

function describeEncoding({ encoding }: Layout): string[] {
  return encoding === 'utf-8' ? [] : [`The file was read as ${printEncoding(encoding)}.`];
}

function locateRefused({ slug, reportFile, dryRun }: SummaryContext): string {
  if (reportFile !== undefined)
    return `The refused rows are in ${reportFile}, to be corrected and imported.`;
  if (dryRun) return '--report FILE writes the refused rows to a file.';
  return `offplan imports list ${slug} --open shows them; --report FILE writes such rows to a file.`;
}
