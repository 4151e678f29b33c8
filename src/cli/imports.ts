import {
  findRecord,
  readRecordPages,
  parsePayload,
  type ContactImportResult,
  type ListedRecord,
  type StoredRecord,
} from '../imports/index.ts';
import type { ProblemDetails } from '../platform/http/index.ts';
import { isUuid } from '../platform/text/index.ts';
import { CommandError } from './command-error.ts';
import { withAccount } from './database.ts';
import type { DateOption } from './options.ts';
import {
  escapeControls,
  toOneLine,
  print,
  printJson,
  printJsonPages,
  say,
  formatTable,
} from './output.ts';

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
    const heading = isEmpty ? formatLine(HEADINGS) : '';
    isEmpty = false;
    await print(heading + page.map((record) => formatLine(toCells(record))).join(''));
  }
  const from = since === undefined ? '' : ` since ${since.text}`;
  if (isEmpty)
    say(`No import of account "${slug}"${from} is ${refused ? 'refused and open' : 'in its log'}.`);
  else if (refused)
    say(`To import them again: offplan imports retry ${slug} --refused (or their IDs)`);
}

const HEADINGS = ['RECEIVED', 'ID', 'FROM', 'OUTCOME', 'EMAIL', 'PROBLEM'];
// The widths are fixed, since the command prints the first lines before it has read the last.
const WIDTHS = [24, 36, 18, 16, 32];

function formatLine(cells: string[]): string {
  const line = cells.map((cell, column) => cell.padEnd(WIDTHS[column] ?? 0)).join('  ');
  return `${line.trimEnd()}\n`;
}

function toCells(record: ListedRecord): string[] {
  const problem = findProblem(record);
  return [
    record.receivedAt.toISOString(),
    record.id,
    describePlace(record),
    describeState(record),
    findEmail(record) ?? '-',
    problem === null ? '' : `${problem.code}: ${problem.detail}`,
  ];
}

export async function printImport(
  slug: string,
  id: string,
  { json }: { json?: true },
): Promise<void> {
  const record = await withAccount(slug, async ({ lookups }, accountId) =>
    isUuid(id) ? findRecord(lookups, accountId, id) : undefined,
  );
  if (record === undefined) throw createNoImportError(slug, [id]);
  await (json ? printJson(record) : print(describeRecord(record)));
}

type Rows = [label: string, text: string | null][];

function describeRecord(record: StoredRecord): string {
  const { id, receivedAt, apiKeyId, requestId, settledAt, settlement, payload } = record;
  const problem = findProblem(record);
  const rows: Rows = [
    ['id', id],
    ['received', receivedAt.toISOString()],
    ['from', describePlace(record)],
    ...describeColumns(record),
    ['API key', apiKeyId],
    ['request', requestId],
    ['outcome', describeState(record)],
    ...(problem === null ? [] : listProblem(problem)),
    ['settled', settledAt?.toISOString() ?? null],
    ...describeResult(settlement ?? record.result),
    ['payload', ''],
  ];
  const filledRows = rows.flatMap(([label, text]) => (text === null ? [] : [[label, text]]));
  return `${formatTable(filledRows)}${escapeControls(payload).replace(/\n?$/, '\n')}`;
}

function describeColumns({ file }: StoredRecord): Rows {
  if (file === null || file.delimiter === null) return [];
  return [
    ['columns', file.fields.map((field) => field ?? '-').join(', ')],
    ['delimiter', JSON.stringify(file.delimiter)],
  ];
}

function listProblem({ code, detail, errors = [], matchingContactIds = [] }: ProblemDetails): Rows {
  return [
    ['problem', `${code}: ${detail}`],
    ...errors.map(({ detail: fault, ...place }): Rows[number] => [
      'error',
      `${Object.values(place).join('') || '""'}: ${fault}`,
    ]),
    ...matchingContactIds.map((contactId): Rows[number] => ['contact', contactId]),
  ];
}

function describeResult(result: ContactImportResult | ProblemDetails): Rows {
  if (!('action' in result)) return [];
  const { action, contactId, email, filledFields, linkedProjectId, linkedUnitId } = result;
  return [
    ['contact', `${contactId}, ${action}`],
    ['email', email],
    ['filled', filledFields.join(', ') || 'nothing'],
    ['project', linkedProjectId],
    ['unit', linkedUnitId],
  ];
}

type Place = Pick<ListedRecord, 'channel' | 'position' | 'file'>;

/** Describes where an import came from: `single`, `batch 3`, `leads.csv:17`. */
function describePlace({ channel, position, file }: Place): string {
  if (file !== null) return `${toOneLine(file.name)}:${position}`;
  return position === null ? channel : `${channel} ${position}`;
}

function describeState({ outcome, settledAt }: Pick<ListedRecord, 'outcome' | 'settledAt'>) {
  return settledAt === null ? outcome : `${outcome}, settled`;
}

/** Finds the problem that refused an import; null for an accepted import. */
function findProblem({ result }: Pick<ListedRecord, 'result'>): ProblemDetails | null {
  return 'code' in result ? result : null;
}

/** Finds the email of the contact that an import created or merged into, else the email in the payload, else null. */
function findEmail({ result, settlement, payload, file }: ListedRecord): string | null {
  const accepted = settlement ?? result;
  if ('email' in accepted) return toOneLine(accepted.email);
  const { email } = ((payload === null ? null : parsePayload(payload, file)) ?? {}) as {
    email?: unknown;
  };
  return typeof email === 'string' ? toOneLine(email) : null;
}

/** Creates the error of ids that no import in the log of the account has. */
export function createNoImportError(slug: string, ids: string[]): CommandError {
  return new CommandError(
    `the log of account "${slug}" has no import ${ids.join(', ')}; offplan imports list ${slug} shows those it has`,
  );
}
