import type { Pool } from '../../platform/database/index.ts';
import { Problem } from '../../platform/http/index.ts';
import { parseExactJson } from '../../platform/text/index.ts';
import { loadAllNames, readFileLead } from '../files/file-leads.ts';
import type { NameFinder } from '../files/names-of-rows.ts';
import { readLead } from '../files/read-lead.ts';
import { parseRow } from '../files/read-rows.ts';
import type { RowContent } from '../files/row-content.ts';
import { importEach } from '../import-each.ts';
import type { Lead } from '../lead.ts';
import type { FileShape, Import, Outcome } from '../submission.ts';
import { recountRefusedBytes } from './refused-bytes.ts';
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
  let names: NameFinder | undefined;
  for await (const page of readRecordPages(db, accountId, selection)) {
    if (page.some(({ file }) => file !== null)) names ??= await loadAllNames(db, accountId);
    const imports = page.flatMap((record) => toImport(record, names));
    const outcomes = await importEach(db, accountId, imports);
    const outcomeOf = new Map(imports.map(({ id }, index) => [id, outcomes[index]]));
    yield page.map((record) => ({ record, outcome: outcomeOf.get(record.id) ?? null }));
  }
  await recountRefusedBytes(db, accountId);
}

/** The import of a record, under the record's own id: an accepted one settles the record. */
function toImport(record: ListedRecord, names: NameFinder | undefined): Import[] {
  const { id, channel, apiKeyId, requestId, position, file, runId, payload } = record;
  if (payload === null) return [];
  const origin = { channel, apiKeyId, requestId, position, file, runId };
  return [
    { id, receivedAt: new Date(), origin, payload, lead: readPayload(payload, record, names) },
  ];
}

function readPayload(
  payload: string,
  { channel, file, result }: ListedRecord,
  names: NameFinder | undefined,
): Lead | Problem {
  const refusal = 'code' in result ? result : undefined;
  const errors = refusal?.errors ?? [];
  const isUnreadable = errors.some((fault) => 'pointer' in fault && fault.pointer === '');
  // A row that does not fit its header, or that contained U+0000, would give other values than the file has.
  const isLossy =
    isUnreadable || (refusal?.code === 'invalid_request' && payload.includes('\uFFFD'));
  if (refusal !== undefined && channel === 'file' && isLossy)
    return new Problem(refusal.code, refusal.detail, { errors });
  const content = parsePayload(payload, file);
  if (file === null || names === undefined) return readLead(content, channel);
  return readFileLead(content, file, names, new Date()).lead;
}

/** Reads a payload as the content of a row. The `value` of an unreadable one is undefined. */
export function parsePayload(payload: string, file: FileShape | null): RowContent {
  try {
    if (file !== null) return parseRow(payload, file);
    return { ...NOTHING, value: parseExactJson(payload) };
  } catch {
    return NOTHING;
  }
}

const NOTHING: RowContent = { value: undefined, extra: {}, others: [] };
