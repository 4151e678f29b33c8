import { isUnavailable, type Pool } from '../../platform/database/index.ts';
import { Problem } from '../../platform/http/index.ts';
import { toOutcome } from '../files/import-rows.ts';
import { valueOfRow, type CsvReading } from '../files/read-rows.ts';
import { importAll } from '../service.ts';
import type { Lead } from '../lead.ts';
import { readImport } from '../request.ts';
import type { FileShape, Import, Outcome } from '../submission.ts';
import { recordPages, type ListedRecord, type Selection } from './read.ts';

/** A record with the outcome of its retry; null: it was skipped, as it is settled, accepted or not a single import. */
export interface Retried {
  record: ListedRecord;
  outcome: Outcome | null;
}

/**
 * Imports refused records of the log again, in order and each on its own, and gives their outcomes page by page. Throws
 * when the database is unavailable, after the outcomes before that.
 */
export async function* retryImports(
  db: Pool,
  accountId: string,
  selection: Selection,
): AsyncGenerator<Retried[]> {
  for await (const page of recordPages(db, accountId, selection)) {
    const submissions = page.flatMap(toImport).map((each) => ({ imports: [each] }));
    const results = submissions.length === 0 ? [] : await importAll(db, accountId, submissions);
    const failed = results.findIndex((result) => result instanceof Error && isUnavailable(result));
    const outcomes = results.slice(0, failed === -1 ? undefined : failed).map(toOutcome);
    yield addOutcomes(page, outcomes);
    if (failed !== -1) throw results[failed];
  }
}

/** Pairs the records with their outcomes, up to the first record without one. */
function addOutcomes(page: ListedRecord[], outcomes: Outcome[]): Retried[] {
  const next = outcomes.values();
  const retried: Retried[] = [];
  for (const record of page) {
    const outcome = record.payload === null ? null : next.next().value;
    if (outcome === undefined) break;
    retried.push({ record, outcome });
  }
  return retried;
}

/** The import of a record, under the record's own id: an accepted one settles the record. */
function toImport(record: ListedRecord): Import[] {
  const { id, channel, apiKeyId, requestId, position, file, payload } = record;
  if (payload === null) return [];
  const origin = { channel, apiKeyId, requestId, position, file };
  return [{ id, receivedAt: new Date(), origin, payload, lead: readPayload(payload, record) }];
}

function readPayload(payload: string, { channel, file, result }: ListedRecord): Lead | Problem {
  const refusal = 'code' in result ? result : undefined;
  const errors = refusal?.errors ?? [];
  const isUnreadable = errors.some((fault) => 'pointer' in fault && fault.pointer === '');
  // A row that does not fit its header, or that contained U+0000, would give other values than the file has.
  const isLossy =
    isUnreadable || (refusal?.code === 'invalid_request' && payload.includes('\uFFFD'));
  if (refusal !== undefined && channel === 'file' && isLossy)
    return new Problem(refusal.code, refusal.detail, { errors });
  return readImport(valueOf(payload, file));
}

/** Reads a payload as an import request; undefined when it is unreadable. */
export function valueOf(payload: string, file: FileShape | null): unknown {
  try {
    if (file === null || file.delimiter === null) return JSON.parse(payload);
    const { delimiter, fields } = file;
    return valueOfRow(payload, { delimiter, fields: fields as CsvReading['fields'] });
  } catch {
    return undefined;
  }
}
