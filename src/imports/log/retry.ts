import type { Author } from '../../events/index.ts';
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
import { addRefusedBytes, countBytes } from './refused-bytes.ts';
import { readRecordPages, type ListedRecord, type Selection, type StoredRecord } from './store.ts';

/**
 * A record with the outcome of its retry. The outcome is null when the record was skipped: it is not open, its payload is no
 * longer stored, or it is a batch that was refused as a whole.
 */
export interface Retried {
  record: ListedRecord;
  outcome: Outcome | null;
}

/**
 * Imports refused records of the log again, in order and each on its own, and yields their outcomes page by page. Throws
 * when the database is unavailable. Then some records of the current page may be settled; the log says which.
 */
export async function* retryImports(
  db: Pool,
  accountId: string,
  selection: Selection,
  author: Author,
): AsyncGenerator<Retried[]> {
  let names: NameFinder | undefined;
  for await (const page of readRecordPages(db, accountId, selection)) {
    if (page.some(({ file }) => file !== null)) names ??= await loadAllNames(db, accountId);
    const imports = page.flatMap((record) => toImport(record, names, author));
    const outcomes = await importAgain(db, accountId, page, imports);
    const outcomeOf = new Map(imports.map(({ id }, index) => [id, outcomes[index]]));
    yield page.map((record) => ({ record, outcome: outcomeOf.get(record.id) ?? null }));
  }
}

/** Imports refused records again. The bytes of an accepted one no longer count. */
async function importAgain(
  db: Pool,
  accountId: string,
  records: ListedRecord[],
  imports: Import[],
): Promise<Outcome[]> {
  const outcomes = await importEach(db, accountId, imports);
  const accepted = new Set(
    imports.flatMap(({ id }, index) => (outcomes[index] instanceof Problem ? [] : [id])),
  );
  const settled = records.filter(({ id, channel }) => channel !== 'file' && accepted.has(id));
  const freedBytes = settled.reduce((sum, each) => sum + countBytes(each), 0);
  await addRefusedBytes(db, accountId, -freedBytes);
  return outcomes;
}

/** Imports a refused record again with a lead in place of its payload. Returns the outcome. */
export async function retryWithLead(
  db: Pool,
  accountId: string,
  record: StoredRecord,
  value: object,
  author: Author,
): Promise<Outcome> {
  const lead = readLead({ ...NOTHING, value }, 'single');
  const [outcome] = await importAgain(db, accountId, [record], [makeImport(record, lead, author)]);
  if (outcome === undefined) throw new Error('an import has no outcome');
  return outcome;
}

function toImport(record: ListedRecord, names: NameFinder | undefined, author: Author): Import[] {
  const { payload } = record;
  return payload === null ? [] : [makeImport(record, readPayload(payload, record, names), author)];
}

/** Makes the import of a record, under the record's own id: an accepted one settles the record. */
function makeImport(record: ListedRecord, lead: Lead | Problem, author: Author): Import {
  const { id, channel, apiKeyId, requestId, position, file, runId, payload } = record;
  const origin = { channel, apiKeyId, requestId, position, file, runId };
  return { id, receivedAt: new Date(), origin, author, payload: payload ?? '', lead };
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
