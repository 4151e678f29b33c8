import { Problem } from '../../platform/http/index.ts';
import type { UnlistedValue } from '../lead.ts';
import type { Outcome } from '../submission.ts';
import type { Batch } from './batches.ts';
import { isScientific } from './rows/cells.ts';
import type { Row } from './rows/read-rows.ts';

/* The counts of the rows of a file, by their outcomes. */

/** A refused row, with the reason. */
export interface RefusedRow {
  row: Row;
  problem: Problem;
}

/** The counts of the rows of a file by their outcome, its refused rows, and where an import of the rest begins. */
export interface FileResult {
  /** The id of the run in the import log; null for a dry run. */
  runId: string | null;
  created: number;
  merged: number;
  refused: number;
  /** Rows that are marked as deleted. They were skipped. */
  deleted: number;
  /** Imported rows whose phone is a number that a spreadsheet has shortened: their count, and the first lines. */
  shortPhones: { lines: number[]; count: number };
  /** The number of rows that each reason refused. */
  reasons: Map<string, number>;
  /** The number of imported rows with each text that became Other, by field and text. */
  unlisted: Record<UnlistedValue['field'], Map<string, number>>;
  /** Sentences about values of imported rows that were left out, each with the number of its rows. */
  remarks: Map<string, number>;
  /** The line from which the import can be continued; null when all rows are committed. */
  nextLine: number | null;
  /** The error that ended the import early, or null. */
  failure: unknown;
}

export function createResult(runId: string | null): FileResult {
  return {
    runId,
    created: 0,
    merged: 0,
    refused: 0,
    deleted: 0,
    shortPhones: { lines: [], count: 0 },
    reasons: new Map(),
    unlisted: { source: new Map(), buyerType: new Map() },
    remarks: new Map(),
    nextLine: 1,
    failure: null,
  };
}

/** Lists the rows whose outcome is a Problem. Rows and outcomes have the same order. */
export function listRefused(rows: Row[], outcomes: Outcome[]): RefusedRow[] {
  return rows.flatMap((row, index) => {
    const problem = outcomes[index];
    return problem instanceof Problem ? { row, problem } : [];
  });
}

/** Counts the rows of a batch that has ended. */
export function countBatch(result: FileResult, batch: Batch, outcomes: Outcome[]): void {
  for (const [index, row] of batch.rows.entries()) countOutcome(result, row, outcomes[index]);
  for (const [index, { lead, remarks = [] }] of batch.imports.entries())
    if (!(lead instanceof Problem || outcomes[index] instanceof Problem)) {
      for (const { field, text } of lead.unlisted) countText(result.unlisted[field], text);
      for (const remark of remarks) countText(result.remarks, remark);
    }
  result.nextLine = batch.nextLine;
  result.deleted += batch.deleted;
}

function countOutcome(result: FileResult, row: Row, outcome: Outcome | undefined): void {
  if (outcome === undefined) throw new Error('a row has no outcome');
  if (outcome instanceof Problem) {
    result.refused += 1;
    result.reasons.set(outcome.message, (result.reasons.get(outcome.message) ?? 0) + 1);
  } else {
    result[outcome.action] += 1;
    if (hasShortPhone(row)) countLine(result.shortPhones, row.line);
  }
}

/** Each row of a file may have another text, and memory must not grow with the file. */
const TEXTS_MAX_COUNT = 1_000;

function countText(counts: Map<string, number>, text: string): void {
  if (counts.has(text) || counts.size < TEXTS_MAX_COUNT)
    counts.set(text, (counts.get(text) ?? 0) + 1);
}

function hasShortPhone({ value }: Row): boolean {
  const { phone, mobilePhone } = (value ?? {}) as Record<'phone' | 'mobilePhone', unknown>;
  return [phone, mobilePhone].some((each) => typeof each === 'string' && isScientific(each));
}

const LINES_MAX_COUNT = 20;

function countLine(rows: FileResult['shortPhones'], line: number): void {
  rows.count += 1;
  if (rows.lines.length < LINES_MAX_COUNT) rows.lines.push(line);
}
