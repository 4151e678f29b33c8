import type { Author } from '../../events/index.ts';
import type { Pool } from '../../platform/database/index.ts';
import { Problem } from '../../platform/http/index.ts';
import { parseExactJson } from '../../platform/text/index.ts';
import { loadAllNames, loadNames, readFileLead } from '../files/leads/file-leads.ts';
import type { NameFinder } from '../files/leads/name-finder.ts';
import { readLead } from '../files/leads/read-lead.ts';
import { parseRow } from '../files/rows/read-rows.ts';
import type { RowContent } from '../files/rows/row-content.ts';
import { retryEach } from '../import-each.ts';
import type { Lead, LeadHistory } from '../lead.ts';
import type { Import, Outcome } from '../submission.ts';
import { addRefusedBytes, countBytes } from './refused-bytes.ts';
import { readRecordPages, type Selection, type StoredRecord } from './store.ts';
import type { FileShape } from '../files/rows/file-shape.ts';

/**
 * A record with the outcome of its retry. The outcome is null when the record was skipped: it is not open, its payload is no
 * longer stored, or it is a batch that was refused as a whole.
 */
export interface Retried {
  record: StoredRecord;
  outcome: Outcome | null;
}

/**
 * Imports refused records again, in order and each on its own, and yields their outcomes page by page. Throws when the database
 * is unavailable. Then some records of the current page may be settled; the log tells which.
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

/** Imports refused records again. The bytes of an accepted one no longer count against the limit. */
async function importAgain(
  db: Pool,
  accountId: string,
  records: StoredRecord[],
  imports: Import[],
): Promise<(Outcome | null)[]> {
  const outcomes = await retryEach(db, accountId, imports);
  const isAccepted = (outcome: Outcome | null | undefined): boolean =>
    outcome !== null && !(outcome instanceof Problem);
  const accepted = new Set(
    imports.flatMap(({ id }, index) => (isAccepted(outcomes[index]) ? [id] : [])),
  );
  const settled = records.filter(({ id, channel }) => channel !== 'file' && accepted.has(id));
  const freedBytes = settled.reduce((sum, each) => sum + countBytes(each), 0);
  await addRefusedBytes(db, accountId, -freedBytes);
  return outcomes;
}

/** Reads the payload of a record as an import request; null when it is not one. */
export async function readRequest(
  db: Pool,
  accountId: string,
  record: StoredRecord,
): Promise<object | null> {
  const { request } = await readStored(db, accountId, record);
  const isObject = typeof request === 'object' && request !== null && !Array.isArray(request);
  return isObject ? request : null;
}

/** The payload as an import request, and the parts of it that a corrected lead does not replace. */
interface StoredContent {
  request: unknown;
  history: LeadHistory | null;
  others: string[];
}

/** Reads the payload of a record. Its parts are empty when the payload is not kept, or would give other values than the file. */
async function readStored(
  db: Pool,
  accountId: string,
  record: StoredRecord,
): Promise<StoredContent> {
  const { payload, file } = record;
  if (payload === null || isLossy(payload, record))
    return { request: null, history: null, others: [] };
  const content = parsePayload(payload, file);
  const { value, others } = content;
  if (file === null) return { request: value, history: null, others };
  const names = await loadNames(db, accountId, file);
  return { ...readFileLead(content, file, names, new Date()), others };
}

/**
 * Imports a refused record again with a lead instead of its payload. A row of a file keeps its history, and the cells for which a
 * lead has no field.
 */
export async function retryWithLead(
  db: Pool,
  accountId: string,
  record: StoredRecord,
  value: object,
  author: Author,
): Promise<void> {
  const { history, others } = await readStored(db, accountId, record);
  const lead = readLead({ ...NOTHING, value, others }, 'single');
  if (record.channel === 'file' && !(lead instanceof Problem))
    Object.assign(lead, { history, isOfFile: true });
  await importAgain(db, accountId, [record], [makeImport(record, lead, author)]);
}

function toImport(record: StoredRecord, names: NameFinder | undefined, author: Author): Import[] {
  const { payload } = record;
  return payload === null ? [] : [makeImport(record, readPayload(payload, record, names), author)];
}

/** Makes the import of a record. It has the id of the record, so that the record is settled when it is accepted. */
function makeImport(record: StoredRecord, lead: Lead | Problem, author: Author): Import {
  const { id, channel, apiKeyId, requestId, position, file, runId, payload } = record;
  const origin = { channel, apiKeyId, requestId, position, file, runId };
  return { id, receivedAt: new Date(), origin, author, payload: payload ?? '', lead };
}

function readPayload(
  payload: string,
  record: StoredRecord,
  names: NameFinder | undefined,
): Lead | Problem {
  const { channel, file, result } = record;
  if ('code' in result && isLossy(payload, record))
    return new Problem(result.code, result.detail, { errors: result.errors ?? [] });
  const content = parsePayload(payload, file);
  if (file === null || names === undefined) return readLead(content, channel);
  return readFileLead(content, file, names, new Date()).lead;
}

/** Whether the payload of a row would give other values than the file: the row did not fit the header, or had U+0000. */
function isLossy(payload: string, { channel, result }: StoredRecord): boolean {
  if (channel !== 'file' || !('code' in result)) return false;
  const { code, errors = [] } = result;
  const isUnreadable = errors.some((fault) => 'pointer' in fault && fault.pointer === '');
  return isUnreadable || (code === 'invalid_request' && payload.includes('\uFFFD'));
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
