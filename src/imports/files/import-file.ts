import type { Pool } from '../../platform/database/index.ts';
import { Problem } from '../../platform/http/index.ts';
import type { FileShape, Outcome } from '../submission.ts';
import { committing, rehearsing } from './importers.ts';
import { createLane, type RowImport } from './lane.ts';
import { toRequest } from './request.ts';
import type { Row } from './rows.ts';

/** A row that was refused, and why. */
export interface RefusedRow {
  row: Row;
  problem: Problem;
}

interface FileImport {
  shape: FileShape;
  rows: AsyncIterable<Row[]>;
  /** Nothing is stored. */
  dryRun: boolean;
  /** Aborted to end after the batches under way. */
  stop: AbortSignal;
  /** Told how many rows have been dealt with. */
  onProgress: (done: number) => void;
  /** Given the refused rows in the order of their lines. */
  onRefused: (refused: RefusedRow[]) => void;
}

export interface FileResult {
  created: number;
  merged: number;
  refused: number;
  /** How often each reason refused a row. */
  reasons: Map<string, number>;
  /** Where to go on: the first line that is not committed. null: all are. */
  nextLine: number | null;
  /** Why it ended early, if not because it was asked to. */
  failure: Error | null;
}

/** Enough that PostgreSQL has work while others of them read, plan, and wait for the disk. */
const LANES = 4;

/**
 * Imports the rows of a file in lanes, each of which keeps the order of its rows: all rows of one email are in
 * the same. What it holds at a time does not grow with the file (a dry run remembers a number for each new email).
 */
export async function importFile(
  db: Pool,
  accountId: string,
  { shape, rows, dryRun, stop, onProgress, onRefused }: FileImport,
): Promise<FileResult> {
  const result: FileResult = {
    created: 0,
    merged: 0,
    refused: 0,
    reasons: new Map(),
    nextLine: null,
    failure: null,
  };
  const importRows = dryRun ? rehearsing(db, accountId) : committing(db, accountId);
  const lanes = Array.from({ length: LANES }, () => createLane(importBatch));
  let unreported: RefusedRow[] = [];
  let nextLine = 1;

  async function importBatch(batch: RowImport[]): Promise<void> {
    const outcomes = await importRows(batch.map(({ request }) => request));
    for (const [index, { row }] of batch.entries()) count(result, row, outcomes[index], unreported);
    report(firstOpenLine());
    onProgress(result.created + result.merged + result.refused);
  }

  // Lanes overtake each other; only what is before all that is open is told, so that lines stay in order and
  // nothing is told twice when a later run goes on from there.
  function report(before: number): void {
    const ready = unreported.filter(({ row }) => row.line < before);
    unreported = unreported.filter(({ row }) => row.line >= before);
    if (ready.length > 0) onRefused(ready.toSorted((a, b) => a.row.line - b.row.line));
  }

  function firstOpenLine(): number {
    return Math.min(nextLine, ...lanes.flatMap((lane) => lane.firstOpenLine() ?? []));
  }

  async function read(): Promise<void> {
    for await (const some of rows)
      for (const row of some) {
        if (stop.aborted) return;
        const request = toRequest(row, shape);
        const full = lanes[laneOf(request.lead, row)]?.take({ row, request });
        nextLine = row.line + 1;
        // Not for each row: a promise costs more than a row.
        if (full !== undefined) await full;
      }
  }

  const failures = [await failureOf(read())];
  const isOver = failures[0] === null && !stop.aborted;
  const ends = lanes.map((lane) => failureOf(isOver ? lane.drain() : lane.rest()));
  failures.push(...(await Promise.all(ends)));
  result.failure = failures.find((failure) => failure !== null) ?? null;
  const line = firstOpenLine();
  if (result.failure !== null || stop.aborted) result.nextLine = line;
  report(line);
  return result;
}

function count(
  result: FileResult,
  row: Row,
  outcome: Outcome | undefined,
  refused: RefusedRow[],
): void {
  if (outcome === undefined) throw new Error('a row has no outcome');
  if (!(outcome instanceof Problem)) return void (result[outcome.action] += 1);
  result.refused += 1;
  result.reasons.set(outcome.message, (result.reasons.get(outcome.message) ?? 0) + 1);
  refused.push({ row, problem: outcome });
}

// What has no lead has no order to keep, and fills all lanes: rows before it in one that stands still would keep it from
// being reported.
function laneOf(lead: { emailKey: string } | Problem, { line }: Row): number {
  if (lead instanceof Problem) return line % LANES;
  let sum = 0;
  for (let index = 0; index < lead.emailKey.length; index += 1)
    sum += lead.emailKey.charCodeAt(index);
  return sum % LANES;
}

async function failureOf(work: Promise<void>): Promise<Error | null> {
  try {
    await work;
    return null;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}
