import {
  listRuns,
  readRecordPages,
  type StoredRecord,
  type Run,
  type Selection,
} from '../../imports/index.ts';
import type { Pools } from '../../platform/database/index.ts';
import { formatCount, escapeLine, isUuid } from '../../platform/text/index.ts';
import { withAccount } from '../database.ts';
import type { DateOption } from '../options.ts';
import { printJsonPages, printLines, say } from '../output.ts';
import {
  describeLoss,
  describePlace,
  describeState,
  findEmail,
  findProblem,
  hasLostPayload,
} from './describe-import.ts';

interface ListOptions {
  open?: true;
  outcome?: StoredRecord['outcome'];
  file?: string;
  run?: string;
  since?: DateOption;
  json?: true;
}

/** Prints a line for each run and for each lead over HTTP. With a condition, or as JSON, prints each import. */
export async function printImports(slug: string, options: ListOptions): Promise<void> {
  const selection = toSelection(options);
  await withAccount(slug, async ({ lists }, accountId) => {
    const pages = () => readRecordPages(lists, accountId, selection);
    if (options.json) return printJsonPages(withoutPayloads(pages()));
    if (isNarrowed(options)) return printPages(toLines(pages()), slug, options);
    return printPages(readGroupedLines(lists, accountId, selection), slug, options);
  });
}

function toSelection({ open, outcome, file, run, since }: ListOptions): Selection {
  return {
    open: open ?? false,
    since: since?.date ?? new Date(0),
    ...(outcome && { outcome }),
    ...(file !== undefined && { fileName: file }),
    ...(run !== undefined && (isUuid(run) ? { runId: run } : { ids: [] })),
  };
}

function isNarrowed({ open, outcome, file, run }: ListOptions): boolean {
  return [open, outcome, file, run].some((option) => option !== undefined);
}

async function* withoutPayloads(pages: AsyncIterable<StoredRecord[]>): AsyncGenerator<object[]> {
  for await (const page of pages) yield page.map(({ payload: _payload, ...record }) => record);
}

async function* toLines(pages: AsyncIterable<StoredRecord[]>): AsyncGenerator<string[][]> {
  for await (const page of noteLosses(pages)) yield page.map(toCells);
}

async function* noteLosses(pages: AsyncIterable<StoredRecord[]>): AsyncGenerator<StoredRecord[]> {
  let hasLosses = false;
  for await (const page of pages) {
    hasLosses ||= page.some(hasLostPayload);
    yield page;
  }
  if (hasLosses)
    say(
      'Some refused imports have no payload and cannot be retried: the log had the most that OFFPLAN_IMPORT_LOG_REFUSED_MIB allows.',
    );
}

/** Reads a line for each run and for each import outside runs, in the order of time. */
async function* readGroupedLines(
  db: Pools['lists'],
  accountId: string,
  selection: Selection,
): AsyncGenerator<string[][]> {
  const runs = await listRuns(db, accountId, selection.since ?? new Date(0));
  const takeRuns = (beforeId?: string) => {
    const next = runs.findIndex(({ firstId }) => beforeId !== undefined && firstId > beforeId);
    return runs.splice(0, next === -1 ? runs.length : next).map(toRunCells);
  };
  const alone = readRecordPages(db, accountId, { ...selection, runId: null });
  for await (const page of noteLosses(alone))
    yield page.flatMap((record) => [...takeRuns(record.id), toCells(record)]);
  yield takeRuns();
}

async function printPages(
  pages: AsyncIterable<string[][]>,
  slug: string,
  options: ListOptions,
): Promise<void> {
  let isEmpty = true;
  for await (const page of pages) {
    if (page.length === 0) continue;
    const headings = isEmpty ? [HEADINGS] : [];
    isEmpty = false;
    await printLines([...headings, ...page].map(formatLine));
  }
  if (isEmpty) say(`No import of account "${slug}"${describeConditions(options)}.`);
  else if (options.open)
    say(`To import them again: offplan imports retry ${slug} --open (or their IDs)`);
}

function describeConditions({ since, file, run, outcome, open }: ListOptions): string {
  return [
    since && ` since ${since.text}`,
    file && ` from a file ${file}`,
    run && ` of run ${run}`,
    open ? ' is refused and open' : outcome ? ` was ${outcome}` : ' is in its log',
  ].join('');
}

const HEADINGS = ['RECEIVED', 'ID', 'FROM', 'OUTCOME', 'EMAIL', 'PROBLEM'];
// The widths are fixed, because the command prints the first lines before it has read the last.
const WIDTHS = [24, 36, 18, 16, 32];

function formatLine(cells: string[]): string {
  const line = cells.map((cell, column) => escapeLine(cell).padEnd(WIDTHS[column] ?? 0));
  return line.join('  ').trimEnd();
}

function toCells(record: StoredRecord): string[] {
  const problem = findProblem(record);
  return [
    record.receivedAt.toISOString(),
    record.id,
    describePlace(record),
    describeState(record),
    findEmail(record) ?? '-',
    problem === null ? '' : `${problem.code}: ${problem.detail}${describeLoss(record)}`,
  ];
}

function toRunCells({ id, startedAt, fileName, ...counts }: Run): string[] {
  const { created, merged, refused, open, undone } = counts;
  const parts = [
    `${formatCount(created)} created`,
    `${formatCount(merged)} merged`,
    `${formatCount(refused)} refused${open > 0 ? ` (${formatCount(open)} open)` : ''}`,
    ...(undone > 0 ? [`${formatCount(undone)} undone`] : []),
  ];
  return [startedAt.toISOString(), id, fileName, 'run', parts.join(', ')];
}
