import {
  findRecord,
  readRecordPages,
  parsePayload,
  type ContactImportResult,
  type ListedRecord,
  type StoredRecord,
} from '../imports/index.ts';
import type { ProblemDetails } from '../platform/http/index.ts';
import { escapeLine, isUuid } from '../platform/text/index.ts';
import { CommandError } from './command-error.ts';
import { withAccount } from './database.ts';
import type { DateOption } from './options.ts';
import { print, printJson, printJsonPages, printLines, say, formatTable } from './output.ts';

interface ListOptions {
  refused?: true;
  since?: DateOption;
  json?: true;
}

export async function printImports(slug: string, options: ListOptions): Promise<void> {
  const { refused: open = false, since, json } = options;
  await withAccount(slug, async ({ lists }, accountId) => {
    const pages = readRecordPages(lists, accountId, { open, since: since?.date ?? new Date(0) });
    await (json ? printJsonPages(withoutPayloads(pages)) : printPages(pages, slug, options));
  });
}

async function* withoutPayloads(pages: AsyncIterable<ListedRecord[]>): AsyncGenerator<object[]> {
  for await (const page of pages) yield page.map(({ payload: _payload, ...record }) => record);
}

async function printPages(
  pages: AsyncIterable<ListedRecord[]>,
  slug: string,
  { refused, since }: ListOptions,
): Promise<void> {
  let isEmpty = true;
  let hasLosses = false;
  for await (const page of pages) {
    const headings = isEmpty ? [HEADINGS] : [];
    isEmpty = false;
    hasLosses ||= page.some(hasLostPayload);
    await printLines([...headings, ...page.map(toCells)].map(formatLine));
  }
  if (hasLosses)
    say(
      'Some refused imports have no payload and cannot be retried: the log had the most that OFFPLAN_IMPORT_LOG_REFUSED_MIB allows.',
    );
  const from = since === undefined ? '' : ` since ${since.text}`;
  if (isEmpty)
    say(`No import of account "${slug}"${from} is ${refused ? 'refused and open' : 'in its log'}.`);
  else if (refused)
    say(`To import them again: offplan imports retry ${slug} --refused (or their IDs)`);
}

/** Whether the payload of a refused import was left out. That of a batch which was refused as a whole is never kept. */
export function hasLostPayload({ payloadKept, channel, position }: ListedRecord): boolean {
  return !payloadKept && (channel !== 'batch' || position !== null);
}

const HEADINGS = ['RECEIVED', 'ID', 'FROM', 'OUTCOME', 'EMAIL', 'PROBLEM'];
// The widths are fixed, since the command prints the first lines before it has read the last.
const WIDTHS = [24, 36, 18, 16, 32];

function formatLine(cells: string[]): string {
  const line = cells.map((cell, column) => escapeLine(cell).padEnd(WIDTHS[column] ?? 0));
  return line.join('  ').trimEnd();
}

function toCells(record: ListedRecord): string[] {
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
    ['ignored', record.ignoredFields.join(', ') || null],
    ...(problem === null ? [] : listProblem(problem)),
    ['settled', settledAt?.toISOString() ?? null],
    ...describeResult(settlement ?? record.result),
    ['payload', ''],
  ];
  const filledRows = rows.flatMap(([label, text]) => (text === null ? [] : [[label, text]]));
  const text = payload ?? 'It was not kept.';
  return `${formatTable(filledRows)}${text.replace(/\n?$/, '\n')}`;
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
  if (file !== null) return `${file.name}:${position}`;
  return position === null ? channel : `${channel} ${position}`;
}

function describeLoss({ payloadKept }: ListedRecord): string {
  return payloadKept ? '' : ' (payload not kept)';
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
  if ('email' in accepted) return accepted.email;
  const { email } = ((payload === null ? null : parsePayload(payload, file).value) ?? {}) as {
    email?: unknown;
  };
  return typeof email === 'string' ? email : null;
}

/** Creates the error of ids that no import in the log of the account has. */
export function createNoImportError(slug: string, ids: string[]): CommandError {
  return new CommandError(
    `the log of account "${slug}" has no import ${ids.join(', ')}; offplan imports list ${slug} shows those it has`,
  );
}
