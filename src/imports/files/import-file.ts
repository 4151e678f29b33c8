import { newId } from '../../platform/text/index.ts';
import type { Pool } from '../../platform/database/index.ts';
import { invalidRequest, Problem } from '../../platform/http/index.ts';
import { readImport } from '../request.ts';
import type { FileShape, Import, Outcome } from '../submission.ts';
import { createDryRun, createImporter, type ImportRows } from './import-rows.ts';
import type { Row } from './read-rows.ts';

/** A refused row, with the reason. */
export interface RefusedRow {
  row: Row;
  problem: Problem;
}

interface FileImport {
  shape: FileShape;
  rows: AsyncIterable<Row[]>;
  /** A dry run stores nothing. */
  dryRun: boolean;
  /** When it aborts, the import ends after the chunk under way. */
  stop: AbortSignal;
  /** Gets the number of rows that are done. */
  onProgress: (done: number) => void;
  /** Gets the refused rows in the order of their lines. */
  onRefused: (refused: RefusedRow[]) => void;
}

export interface FileResult {
  created: number;
  merged: number;
  refused: number;
  /** How many rows each reason refused. */
  reasons: Map<string, number>;
  /** The first line that is not committed; null: all are. */
  nextLine: number | null;
  /** The error that ended the import early. */
  failure: Error | null;
}

const TRANSACTIONS = 4;
const CHUNK_MAX_ROWS = 400;
/** PostgreSQL reads the rows of a transaction as one JSON document. */
const CHUNK_MAX_LENGTH = 4 * 1024 * 1024;

interface RowImport {
  row: Row;
  request: Import;
}

/**
 * Imports the rows of a file chunk by chunk. The memory it needs does not grow with the file, except that a dry run
 * remembers a number for each new email.
 */
export async function importFile(
  db: Pool,
  accountId: string,
  { shape, rows, dryRun, stop, onProgress, onRefused }: FileImport,
): Promise<FileResult> {
  const importRows = dryRun ? createDryRun(db, accountId) : createImporter(db, accountId);
  const result: FileResult = {
    created: 0,
    merged: 0,
    refused: 0,
    reasons: new Map(),
    nextLine: null,
    failure: null,
  };
  let nextLine = 1;
  try {
    for await (const chunk of readChunks(rows)) {
      nextLine = chunk[0]?.line ?? nextLine;
      if (stop.aborted) return { ...result, nextLine };
      const imports = chunk.map((row) => ({ row, request: toRequest(row, shape) }));
      const outcomes = await importChunk(imports, importRows);
      const refused = chunk.flatMap((row) => countOutcome(result, row, outcomes.get(row)));
      nextLine = (chunk.at(-1)?.line ?? nextLine) + 1;
      if (refused.length > 0) onRefused(refused);
      onProgress(result.created + result.merged + result.refused);
    }
    return result;
  } catch (error) {
    return { ...result, nextLine, failure: toError(error) };
  }
}

async function* readChunks(rows: AsyncIterable<Row[]>): AsyncGenerator<Row[]> {
  let chunk: Row[] = [];
  let length = 0;
  for await (const some of rows)
    for (const row of some) {
      chunk.push(row);
      length += row.text.length;
      if (chunk.length < CHUNK_MAX_ROWS && length < CHUNK_MAX_LENGTH) continue;
      yield chunk;
      chunk = [];
      length = 0;
    }
  if (chunk.length > 0) yield chunk;
}

/** Imports a chunk in several transactions at once. The rows of one email are in one transaction, in their order. */
async function importChunk(
  chunk: RowImport[],
  importRows: ImportRows,
): Promise<Map<Row, Outcome | undefined>> {
  const groups = [
    ...Map.groupBy(chunk, ({ row, request: { lead } }) =>
      lead instanceof Problem ? row.line % TRANSACTIONS : hash(lead.emailKey) % TRANSACTIONS,
    ).values(),
  ];
  const done = await Promise.allSettled(
    groups.map((group) => importRows(group.map(({ request }) => request))),
  );
  const outcomes = done.map((each) => {
    if (each.status === 'rejected') throw each.reason;
    return each.value;
  });
  return new Map(
    groups.flatMap((group, index) => group.map(({ row }, at) => [row, outcomes[index]?.[at]])),
  );
}

function hash(text: string): number {
  let sum = 0;
  for (let index = 0; index < text.length; index += 1) sum += text.charCodeAt(index);
  return sum;
}

function toRequest({ line, text, value, fault }: Row, file: FileShape): Import {
  return {
    id: newId(),
    receivedAt: new Date(),
    origin: { channel: 'file', apiKeyId: null, requestId: null, position: line, file },
    // PostgreSQL does not store U+0000. The importer refuses such a row; the report has the row unchanged.
    payload: text.replaceAll('\0', '\uFFFD'),
    lead:
      fault === null ? readImport(value) : invalidRequest([{ pointer: '', detail: `${fault}.` }]),
  };
}

function countOutcome(result: FileResult, row: Row, outcome: Outcome | undefined): RefusedRow[] {
  if (outcome === undefined) throw new Error('a row has no outcome');
  if (!(outcome instanceof Problem)) {
    result[outcome.action] += 1;
    return [];
  }
  result.refused += 1;
  result.reasons.set(outcome.message, (result.reasons.get(outcome.message) ?? 0) + 1);
  return [{ row, problem: outcome }];
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
