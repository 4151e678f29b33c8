import { newId } from '../../platform/text/index.ts';
import type { Pool } from '../../platform/database/index.ts';
import { invalidRequest, Problem } from '../../platform/http/index.ts';
import { importEach } from '../import-each.ts';
import { readImport } from '../read-import.ts';
import { planDryRun } from '../service.ts';
import type { FileShape, Import, Outcome } from '../submission.ts';
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
  /** The error that ended the import early, or null. */
  failure: unknown;
}

const TRANSACTIONS = 4;
const CHUNK_MAX_ROWS = 2_000;
/** PostgreSQL reads the rows of a transaction as one JSON document. */
const CHUNK_MAX_LENGTH = 4 * 1024 * 1024;

type ImportRows = (imports: Import[]) => Promise<Outcome[]>;

/**
 * Imports the rows of a file chunk by chunk. The memory it needs does not grow with the file, except that a dry run
 * remembers each new email.
 */
export async function importFile(
  db: Pool,
  accountId: string,
  { shape, rows, dryRun, stop, onProgress, onRefused }: FileImport,
): Promise<FileResult> {
  const importRows: ImportRows = dryRun
    ? createDryRun(db, accountId)
    : (imports) => importEach(db, accountId, imports);
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
      const imports = chunk.map((row) => toImport(row, shape));
      const outcomes = await importChunk(imports, importRows);
      const refused = chunk.flatMap((row, index) => countOutcome(result, row, outcomes[index]));
      nextLine = (chunk.at(-1)?.line ?? nextLine) + 1;
      if (refused.length > 0) onRefused(refused);
      onProgress(result.created + result.merged + result.refused);
    }
    return result;
  } catch (error) {
    return { ...result, nextLine, failure: error };
  }
}

/** Creates the function that finds out the outcomes of rows. It treats the contacts of earlier rows as created. */
function createDryRun(db: Pool, accountId: string): ImportRows {
  const createdEmails = new Set<string>();
  return async (imports) => {
    const outcomes = await planDryRun(db, accountId, imports);
    return outcomes.map((outcome, index) => {
      const lead = imports[index]?.lead;
      if (outcome instanceof Problem || lead === undefined || lead instanceof Problem)
        return outcome;
      if (createdEmails.has(lead.emailKey))
        return { ...outcome, action: 'merged', matchedBy: 'email' };
      if (outcome.action === 'created') createdEmails.add(lead.emailKey);
      return outcome;
    });
  };
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
  imports: Import[],
  importRows: ImportRows,
): Promise<(Outcome | undefined)[]> {
  const groups = Map.groupBy(
    imports,
    ({ lead }, index) => (lead instanceof Problem ? index : hash(lead.emailKey)) % TRANSACTIONS,
  );
  const outcomes = new Map<Import, Outcome | undefined>();
  const running = [...groups.values()].map(async (group) => {
    const done = await importRows(group);
    for (const [index, each] of group.entries()) outcomes.set(each, done[index]);
  });
  // No transaction may be under way when this throws.
  await Promise.allSettled(running);
  await Promise.all(running);
  return imports.map((each) => outcomes.get(each));
}

function hash(text: string): number {
  return Buffer.from(text).reduce((sum, byte) => sum + byte, 0);
}

function toImport({ line, text, value, fault }: Row, file: FileShape): Import {
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
