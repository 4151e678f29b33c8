import { recordFind, type StoredRecord, type ContactImportResult } from '../imports/index.ts';
import type { ProblemDetails } from '../platform/http/index.ts';
import { isUuid } from '../platform/text/index.ts';
import { findAccount } from './account.ts';
import { table, type Command } from './command.ts';
import { withDatabase } from './database.ts';
import { noImports, placeOf, problemOf, stateOf } from './imports-text.ts';
import { onLines, print } from './output.ts';

export const importsShow: Command = {
  usage: 'imports show ACCOUNT ID [--json]',
  summary: 'Shows one import of the log, with its payload as it was received.',
  options: { json: { type: 'boolean', help: 'Prints one JSON object.' } },
  async run({ words: [slug = '', id = ''], flags, config }) {
    const record = await withDatabase(config, async ({ lookups: db }) => {
      const accountId = await findAccount(db, slug);
      return isUuid(id) ? recordFind(db, accountId, id) : undefined;
    });
    if (record === undefined) throw noImports(slug, [id]);
    await print(flags['json'] ? `${JSON.stringify(record, null, 2)}\n` : describe(record));
  },
};

function describe(record: StoredRecord): string {
  const { id, receivedAt, apiKeyId, requestId, settledAt, settlement, payload } = record;
  const problem = problemOf(record);
  const rows: [string, string | null][] = [
    ['id', id],
    ['received', receivedAt.toISOString()],
    ['from', placeOf(record)],
    ...columnsOf(record),
    ['API key', apiKeyId],
    ['request', requestId],
    ['outcome', stateOf(record)],
    ...(problem === null ? [] : refusalOf(problem)),
    ['settled', settledAt?.toISOString() ?? null],
    ...acceptedOf(settlement ?? record.result),
    ['payload', ''],
  ];
  const told = rows.flatMap(([label, text]) => (text === null ? [] : [[label, text]]));
  return `${table(told)}${onLines(payload).replace(/\n?$/, '\n')}`;
}

type Rows = [label: string, text: string | null][];

function columnsOf({ file }: StoredRecord): Rows {
  if (file === null || file.delimiter === null) return [];
  return [
    ['columns', file.fields.map((field) => field ?? '-').join(', ')],
    ['delimiter', JSON.stringify(file.delimiter)],
  ];
}

function refusalOf({ code, detail, errors = [], matchingContactIds = [] }: ProblemDetails): Rows {
  return [
    ['problem', `${code}: ${detail}`],
    ...errors.map(({ detail: fault, ...where }): Rows[number] => [
      'error',
      `${Object.values(where).join('') || '""'}: ${fault}`,
    ]),
    ...matchingContactIds.map((contactId): Rows[number] => ['contact', contactId]),
  ];
}

function acceptedOf(result: ContactImportResult | ProblemDetails): Rows {
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
