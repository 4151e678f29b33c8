import { SYSTEM, type Author } from '../../events/index.ts';
import { newId } from '../../platform/text/index.ts';
import { runInTransaction, type Pool, type Queryable } from '../../platform/database/index.ts';
import { invalidRequest, Problem } from '../../platform/http/index.ts';
import { importEach } from '../import-each.ts';
import type { Lead, UnlistedValue } from '../lead.ts';
import { createEarlierRowFinder } from '../log/earlier-rows.ts';
import { findNextSequence, recordRunEnd } from '../log/run-events.ts';
import { countRun } from '../log/runs.ts';
import { planDryRun, type OutcomeCounts } from '../service.ts';
import type { FileShape, Import, Outcome } from '../submission.ts';
import { listUnknownFields, shortenNames } from '../unknown-fields.ts';
import { isScientific } from './cells.ts';
import { loadNames, readFileLead } from './file-leads.ts';
import type { NameFinder } from './names-of-rows.ts';
import type { Row } from './read-rows.ts';
import { isDeleted } from './row-content.ts';

/** A refused row, with the reason. */
export interface RefusedRow {
  row: Row;
  problem: Problem;
}

/** A run that its caller records: another process can go on with it. */
interface RecordedRun {
  id: string;
  author: Author;
  /** The lines of rows that are in the log already. */
  doneLines: Set<number>;
  /** Stores, in the transaction of some rows, what they did and how far the run is. When it throws, they are not done. */
  record: (tx: Queryable, counts: OutcomeCounts, place: Place) => Promise<void>;
}

/** How far a run is. */
interface Place {
  /** The rows on all lines before it are done. */
  nextLine: number;
  /** How many rows before it are marked as deleted, of those that were read. */
  deleted: number;
}

interface FileImport {
  shape: FileShape;
  rows: AsyncIterable<Row[]>;
  /** A dry run stores nothing. */
  dryRun: boolean;
  /** When it aborts, the import ends after the batches under way. */
  stop: AbortSignal;
  /** Gets what the rows that are done did. */
  onProgress: (done: OutcomeCounts & Pick<FileResult, 'deleted'>) => void;
  /** Gets the refused rows in the order of their lines. The import waits for its promise. */
  onRefused: (refused: RefusedRow[]) => void | Promise<void>;
  /** Without it, the import is a run of its own, and records its end itself. */
  run?: RecordedRun;
  /** How many batches are under way at once. */
  maxRunning?: number;
}

export interface FileResult {
  /** The id of the run in the import log; null for a dry run. */
  runId: string | null;
  created: number;
  merged: number;
  refused: number;
  /** Rows that are marked as deleted, and were skipped. */
  deleted: number;
  /** Imported rows whose phone is a number that a spreadsheet has shortened: the lines of the first ones, and how many. */
  shortPhones: { lines: number[]; count: number };
  /** How many rows each reason refused. */
  reasons: Map<string, number>;
  /** How many imported rows had each text that became Other: by the field, then by the text. */
  unlisted: Record<UnlistedValue['field'], Map<string, number>>;
  /** Sentences that name the values which were left out of imported rows, each with the number of its rows. */
  remarks: Map<string, number>;
  /** The line from which the import can be continued; null when all rows are committed. */
  nextLine: number | null;
  /** The error that ended the import early, or null. */
  failure: unknown;
}

/** PostgreSQL writes one batch while Node.js reads and plans the next. */
const MAX_RUNNING = 2;
const NO_LINES = new Set<number>();
const BATCH_MAX_ROWS = 500;
const BATCH_MAX_LENGTH = 1024 * 1024;

type ImportRows = (imports: Import[], place: Place) => Promise<Outcome[]>;

/** Consecutive rows that one transaction imports. */
interface Batch {
  rows: Row[];
  imports: Import[];
  /** The emails of its leads. */
  emailKeys: Set<string>;
  /** The line after its last row. */
  nextLine: number;
  /** How many of its rows are marked as deleted. */
  deleted: number;
  outcomes: Promise<Outcome[]>;
}

/**
 * Imports the rows of a file in batches, several at once. No batch is under way when it returns. The memory it needs does
 * not grow with the file, except that a dry run remembers each new email.
 */
export async function importFile(
  db: Pool,
  accountId: string,
  { shape, rows, dryRun, stop, onProgress, onRefused, run, maxRunning = MAX_RUNNING }: FileImport,
): Promise<FileResult> {
  const importRows: ImportRows = dryRun
    ? createDryRun(db, accountId)
    : (imports, place) =>
        importEach(db, accountId, imports, run && ((tx, counts) => run.record(tx, counts, place)));
  const {
    id: runId,
    author,
    doneLines,
  } = run ?? { id: newId(), author: SYSTEM, doneLines: NO_LINES };
  const names = await loadNames(db, accountId, shape);
  const findReplaced = dryRun
    ? () => Promise.resolve([])
    : await createEarlierRowFinder(db, accountId, shape.name);
  const result = createResult(dryRun ? null : runId);
  /** The batches under way, in the order of their lines. */
  const running: Batch[] = [];
  let isStopped = false;

  async function startBatches(): Promise<void> {
    for await (const all of readBatches(rows)) {
      if (running.length === maxRunning) await finishFirst();
      if (running.length === 0) result.nextLine = all[0]?.line ?? result.nextLine;
      isStopped = stop.aborted;
      if (isStopped) return;
      const kept = all.filter((row) => row.fault !== null || !isDeleted(row));
      const batch = kept.filter(({ line }) => !doneLines.has(line));
      const replaced = await findReplaced(batch);
      const imports = batch.map((row, index) => ({
        ...toImport(row, { shape, runId, names, author }),
        replacedIds: replaced[index] ?? [],
      }));
      const outcomes = startBatch(imports, running, (each) =>
        importRows(each, { nextLine: result.nextLine ?? 1, deleted: result.deleted }),
      );
      running.push({
        rows: batch,
        imports,
        ...outcomes,
        nextLine: (all.at(-1)?.line ?? 0) + 1,
        deleted: all.length - kept.length,
      });
    }
  }

  async function importBatches(): Promise<void> {
    try {
      await startBatches();
    } finally {
      while (running.length > 0) await finishFirst();
    }
  }

  async function finishFirst(): Promise<void> {
    const [batch] = running;
    if (batch === undefined) return;
    const outcomes = await batch.outcomes;
    const refused = listRefused(batch.rows, outcomes);
    if (refused.length > 0) await report(refused, batch);
    running.shift();
    for (const [index, row] of batch.rows.entries()) countOutcome(result, row, outcomes[index]);
    for (const [index, { lead, remarks = [] }] of batch.imports.entries())
      if (!(lead instanceof Problem || outcomes[index] instanceof Problem)) {
        countUnlisted(result, lead);
        for (const remark of remarks) countText(result.remarks, remark);
      }
    result.nextLine = batch.nextLine;
    result.deleted += batch.deleted;
    onProgress(result);
  }

  // When the report cannot be written, the import goes on at this batch, so that the next report has its refused rows.
  async function report(refused: RefusedRow[], batch: Batch): Promise<void> {
    try {
      await onRefused(refused);
    } catch (error) {
      batch.outcomes = Promise.reject(error);
      throw error;
    }
  }

  async function importRowsOfFile(): Promise<FileResult> {
    try {
      await importBatches();
      return isStopped ? result : { ...result, nextLine: null };
    } catch (error) {
      await Promise.allSettled(running.map(({ outcomes }) => outcomes));
      return { ...result, failure: error };
    }
  }

  if (dryRun || run !== undefined) return importRowsOfFile();
  const firstSequence = await findNextSequence(db, accountId);
  const ended = await importRowsOfFile();
  try {
    await recordEnd(db, accountId, ended, firstSequence);
    return ended;
  } catch (error) {
    return { ...ended, failure: ended.failure ?? error };
  }
}

/**
 * Records that a run is over, unless it has no rows. The log counts them: a batch that was under way at a failure may be
 * committed.
 */
async function recordEnd(
  db: Pool,
  accountId: string,
  { runId, nextLine }: FileResult,
  firstSequence: number,
): Promise<void> {
  if (runId === null) return;
  const counts = await countRun(db, accountId, runId);
  if (counts.created + counts.merged + counts.refused === 0) return;
  const type = nextLine === null ? 'contact_file.completed' : 'contact_file.stopped';
  const event = { type, subject: runId, data: counts } as const;
  const now = new Date();
  await runInTransaction(db, (tx) => recordRunEnd(tx, accountId, event, { firstSequence, now }));
}

function createResult(runId: string | null): FileResult {
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

/** Starts a batch after those that have one of its emails, so that the rows of an email are imported in their order. */
function startBatch(
  imports: Import[],
  running: Batch[],
  importRows: (imports: Import[]) => Promise<Outcome[]>,
): Pick<Batch, 'emailKeys' | 'outcomes'> {
  const leads = imports.flatMap(({ lead }) => (lead instanceof Problem ? [] : lead));
  const emailKeys = new Set(leads.map(({ emailKey }) => emailKey));
  const earlier = running.filter((batch) => !batch.emailKeys.isDisjointFrom(emailKeys));
  const outcomes = Promise.all(earlier.map((batch) => batch.outcomes)).then(() =>
    importRows(imports),
  );
  // A batch that fails is reported when all batches before it have finished.
  outcomes.catch(() => undefined);
  return { emailKeys, outcomes };
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
      if (outcome.action === 'created') createdEmails.add(copyText(lead.emailKey));
      return outcome;
    });
  };
}

/** Copies a text. Without it, V8 keeps the chunk of the file from which the text was cut. */
function copyText(text: string): string {
  return Buffer.from(text).toString();
}

async function* readBatches(rows: AsyncIterable<Row[]>): AsyncGenerator<Row[]> {
  let batch: Row[] = [];
  let length = 0;
  for await (const readRows of rows)
    for (const row of readRows) {
      batch.push(row);
      length += row.text.length;
      if (batch.length < BATCH_MAX_ROWS && length < BATCH_MAX_LENGTH) continue;
      yield batch;
      batch = [];
      length = 0;
    }
  if (batch.length > 0) yield batch;
}

interface RunOfFile {
  shape: FileShape;
  runId: string;
  names: NameFinder;
  author: Author;
}

function toImport(row: Row, { shape, runId, names, author }: RunOfFile): Import {
  const { line, text, fault } = row;
  const now = new Date();
  const { lead, request, remarks } = readFileLead(row, shape, names, now);
  return {
    id: newId(),
    receivedAt: now,
    origin: {
      channel: 'file',
      apiKeyId: author.actor.id,
      requestId: null,
      position: line,
      file: shape,
      runId,
    },
    author,
    payload: toStorable(text),
    lead: fault === null ? lead : invalidRequest([{ pointer: '', detail: `${fault}.` }]),
    ignoredFields: shortenNames(listUnknownFields(request)),
    remarks,
  };
}

/** PostgreSQL does not store U+0000. The importer refuses a row that has it; the report of the command has the row unchanged. */
export function toStorable(text: string): string {
  return text.replaceAll('\0', '\uFFFD');
}

function listRefused(rows: Row[], outcomes: Outcome[]): RefusedRow[] {
  return rows.flatMap((row, index) => {
    const problem = outcomes[index];
    return problem instanceof Problem ? { row, problem } : [];
  });
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

/** A file may have a text of its own in each row, and memory must not grow with the file. */
const TEXTS_MAX_COUNT = 1_000;

function countUnlisted(result: FileResult, { unlisted }: Lead): void {
  for (const { field, text } of unlisted) countText(result.unlisted[field], text);
}

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
