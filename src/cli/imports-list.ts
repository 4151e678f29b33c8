import { readRecordPages, type ListedRecord } from '../imports/index.ts';
import { withAccount } from './database.ts';
import { emailOf, placeOf, problemOf, stateOf } from './imports-text.ts';
import type { DateOption } from './options.ts';
import { print, printJsonPages, say } from './output.ts';

interface ListOptions {
  refused?: true;
  since?: DateOption;
  json?: true;
}

export async function printImports(slug: string, options: ListOptions): Promise<void> {
  const { refused: open = false, since, json } = options;
  await withAccount(slug, async ({ lists }, accountId) => {
    const pages = readRecordPages(lists, accountId, { open, since: since?.date ?? new Date(0) });
    await (json ? printJsonPages(withoutPayloads(pages)) : printLines(pages, slug, options));
  });
}

async function* withoutPayloads(pages: AsyncIterable<ListedRecord[]>): AsyncGenerator<object[]> {
  for await (const page of pages) yield page.map(({ payload: _payload, ...record }) => record);
}

async function printLines(
  pages: AsyncIterable<ListedRecord[]>,
  slug: string,
  { refused, since }: ListOptions,
): Promise<void> {
  let isEmpty = true;
  for await (const page of pages) {
    const heading = isEmpty ? lineOf(HEADINGS) : '';
    isEmpty = false;
    await print(heading + page.map((record) => lineOf(cellsOf(record))).join(''));
  }
  const from = since === undefined ? '' : ` since ${since.text}`;
  if (isEmpty)
    say(`No import of account "${slug}"${from} is ${refused ? 'refused and open' : 'in its log'}.`);
  else if (refused)
    say(`To import them again: offplan imports retry ${slug} --refused (or their IDs)`);
}

const HEADINGS = ['RECEIVED', 'ID', 'FROM', 'OUTCOME', 'EMAIL', 'PROBLEM'];
// The widths are fixed: the first lines are printed long before the last is known.
const WIDTHS = [24, 36, 18, 16, 32];

function lineOf(cells: string[]): string {
  const line = cells.map((cell, column) => cell.padEnd(WIDTHS[column] ?? 0)).join('  ');
  return `${line.trimEnd()}\n`;
}

function cellsOf(record: ListedRecord): string[] {
  const problem = problemOf(record);
  return [
    record.receivedAt.toISOString(),
    record.id,
    placeOf(record),
    stateOf(record),
    emailOf(record) ?? '-',
    problem === null ? '' : `${problem.code}: ${problem.detail}`,
  ];
}
