import type { Pool } from '../../platform/database/index.ts';
import { Problem } from '../../platform/http/index.ts';
import { parseRow } from '../files/read-rows.ts';
import { importEach } from '../import-each.ts';
import type { Lead } from '../lead.ts';
import { readImport } from '../read-import.ts';
import type { FileShape, Import, Outcome } from '../submission.ts';
import { readRecordPages, type ListedRecord, type Selection } from './store.ts';

/** A record with the outcome of its retry; null: it was skipped, as it is settled, accepted or not a single import. */
export interface Retried {
  record: ListedRecord;
  outcome: Outcome | null;
}

/**
 * Imports refused records of the log again, in order and each on its own, and gives their outcomes page by page. Throws
 * when the database is unavailable; the log says which records of that page are settled.
 */
export async function* retryImports(
  db: Pool,
  accountId: string,
  selection: Selection,
): AsyncGenerator<Retried[]> {
  for await (const page of readRecordPages(db, accountId, selection)) {
    const imports = page.flatMap(toImport);
    const outcomes = await importEach(db, accountId, imports);
    const outcomeOf = new Map(imports.map(({ id }, index) => [id, outcomes[index]]));
    yield page.map((record) => ({ record, outcome: outcomeOf.get(record.id) ?? null }));
  }
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
  return readImport(parsePayload(payload, file));
}

/** Reads a payload as an import request; undefined when it is unreadable. */
export function parsePayload(payload: string, file: FileShape | null): unknown {
  try {
    if (file === null || file.delimiter === null) return JSON.parse(payload);
    return parseRow(payload, file.delimiter, file.fields);
  } catch {
    return undefined;
  }
}
