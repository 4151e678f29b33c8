import { recordPages, type ListedRecord } from '../imports/index.ts';
import { parseDay, parseInstant } from '../platform/text/index.ts';
import { findAccount } from './account.ts';
import { UsageError, type Arguments, type Command } from './command.ts';
import { withDatabase } from './database.ts';
import { emailOf, placeOf, printArray, problemOf, stateOf } from './imports-text.ts';
import { print, say } from './output.ts';

export const importsList: Command = {
  usage: 'imports list ACCOUNT [--refused] [--since DATE] [--json]',
  summary: "Lists the imports in an account's log, the oldest first.",
  options: {
    refused: {
      type: 'boolean',
      help: 'Only those that were refused, and not settled since: what retry --refused takes.',
    },
    since: {
      type: 'string',
      help: 'Only those since 2027-06-30 (the start of that day, UTC) or 2027-06-30T17:00:00+12:00.',
    },
    json: { type: 'boolean', help: 'Prints one JSON array.' },
  },
  async run({ words: [slug = ''], flags, config }) {
    const selection = { open: flags['refused'] === true, since: parseSince(flags['since']) };
    await withDatabase(config, async ({ lists: db }) => {
      const pages = recordPages(db, await findAccount(db, slug), selection);
      await (flags['json']
        ? printArray(withoutPayloads(pages))
        : printLines(pages, whichOf(slug, flags)));
    });
  },
};

interface Which {
  slug: string;
  open: boolean;
  /** As it was asked for. */
  since: string | null;
}

function whichOf(slug: string, { refused, since }: Arguments['flags']): Which {
  return { slug, open: refused === true, since: since === undefined ? null : String(since) };
}

function parseSince(flag: string | boolean | undefined): Date {
  if (flag === undefined) return new Date(0);
  const text = String(flag);
  const atMs = parseDay(text) ?? parseInstant(text);
  if (atMs !== null) return new Date(atMs);
  throw new UsageError('--since must be an ISO 8601 date or date-time, such as 2027-06-30');
}

async function* withoutPayloads(pages: AsyncIterable<ListedRecord[]>): AsyncGenerator<object[]> {
  for await (const page of pages) yield page.map(({ payload: _payload, ...record }) => record);
}

async function printLines(
  pages: AsyncIterable<ListedRecord[]>,
  { slug, open, since }: Which,
): Promise<void> {
  let isEmpty = true;
  for await (const page of pages) {
    const heading = isEmpty ? lineOf(HEADINGS) : '';
    isEmpty = false;
    await print(heading + page.map((record) => lineOf(cellsOf(record))).join(''));
  }
  if (!isEmpty && open)
    say(`To put them through again: offplan imports retry ${slug} --refused (or their IDs)`);
  const from = since === null ? '' : ` since ${since}`;
  if (isEmpty)
    say(`No import of account "${slug}"${from} is ${open ? 'refused and open' : 'in its log'}.`);
}

const HEADINGS = ['RECEIVED', 'ID', 'FROM', 'OUTCOME', 'EMAIL', 'PROBLEM'];
// Fixed: the lines are printed long before the last is known.
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
