import { findRecord, type StoredRecord, type ContactImportResult } from '../imports/index.ts';
import type { ProblemDetails } from '../platform/http/index.ts';
import { isUuid } from '../platform/text/index.ts';
import { withAccount } from './database.ts';
import { noImports, placeOf, problemOf, stateOf } from './imports-text.ts';
import { escapeControls, print, printJson, table } from './output.ts';

export async function printImport(
  slug: string,
  id: string,
  { json }: { json?: true },
): Promise<void> {
  const record = await withAccount(slug, async ({ lookups }, accountId) =>
    isUuid(id) ? findRecord(lookups, accountId, id) : undefined,
  );
  if (record === undefined) throw noImports(slug, [id]);
  await (json ? printJson(record) : print(describeRecord(record)));
}

type Rows = [label: string, text: string | null][];

function describeRecord(record: StoredRecord): string {
  const { id, receivedAt, apiKeyId, requestId, settledAt, settlement, payload } = record;
  const problem = problemOf(record);
  const rows: Rows = [
    ['id', id],
    ['received', receivedAt.toISOString()],
    ['from', placeOf(record)],
    ...columnRows(record),
    ['API key', apiKeyId],
    ['request', requestId],
    ['outcome', stateOf(record)],
    ...(problem === null ? [] : problemRows(problem)),
    ['settled', settledAt?.toISOString() ?? null],
    ...resultRows(settlement ?? record.result),
    ['payload', ''],
  ];
  const filledRows = rows.flatMap(([label, text]) => (text === null ? [] : [[label, text]]));
  return `${table(filledRows)}${escapeControls(payload).replace(/\n?$/, '\n')}`;
}

function columnRows({ file }: StoredRecord): Rows {
  if (file === null || file.delimiter === null) return [];
  return [
    ['columns', file.fields.map((field) => field ?? '-').join(', ')],
    ['delimiter', JSON.stringify(file.delimiter)],
  ];
}

function problemRows({ code, detail, errors = [], matchingContactIds = [] }: ProblemDetails): Rows {
  return [
    ['problem', `${code}: ${detail}`],
    ...errors.map(({ detail: fault, ...place }): Rows[number] => [
      'error',
      `${Object.values(place).join('') || '""'}: ${fault}`,
    ]),
    ...matchingContactIds.map((contactId): Rows[number] => ['contact', contactId]),
  ];
}

function resultRows(result: ContactImportResult | ProblemDetails): Rows {
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
