import { findRecord, type ContactImportResult, type StoredRecord } from '../../imports/index.ts';
import type { ProblemDetails } from '../../platform/http/index.ts';
import { isUuid } from '../../platform/text/index.ts';
import { withAccount } from '../database.ts';
import { formatTable, print, printJson } from '../output.ts';
import {
  createNoImportError,
  describePlace,
  describeState,
  findProblem,
} from './describe-import.ts';

/** Prints one import of the log with its payload. */
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

/** Lines of a label and a text; a line without a text is left out. */
type Rows = [label: string, text: string | null][];

function describeRecord(record: StoredRecord): string {
  const { id, receivedAt, apiKeyId, requestId, runId, settledAt, settledBy, settlement } = record;
  const { dismissal, undoneAt, payload } = record;
  const problem = findProblem(record);
  const rows: Rows = [
    ['id', id],
    ['received', receivedAt.toISOString()],
    ['from', describePlace(record)],
    ...describeColumns(record),
    ['API key', apiKeyId],
    ['request', requestId],
    ['run', runId],
    ['outcome', describeState(record)],
    ['ignored', record.ignoredFields.join(', ') || null],
    ...(problem === null ? [] : listProblem(problem)),
    ['settled', settledAt?.toISOString() ?? null],
    ['settled by', settledBy],
    ['dismissed by', dismissal?.actor.name ?? null],
    ['reason', dismissal?.reason ?? null],
    ['undone', undoneAt?.toISOString() ?? null],
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
