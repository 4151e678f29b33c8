import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { ensureStatistics } from '../../contacts/index.ts';
import { SYSTEM, type Author } from '../../events/index.ts';
import { newId } from '../../platform/text/index.ts';
import {
  runInTransaction,
  splitIntoChunks,
  type Pool,
  type Queryable,
} from '../../platform/database/index.ts';
import { Problem } from '../../platform/http/index.ts';
import { mapChunks } from '../chunks.ts';
import { importEach } from '../import-each.ts';
import { createEarlierRowFinder } from '../log/earlier-rows.ts';
import { findNextSequence, recordRunEnd } from '../log/run-events.ts';
import { countRun } from '../log/run-store.ts';
import { planDryRun } from '../dry-run.ts';
import type { Import, Outcome, OutcomeCounts } from '../submission.ts';
import { loadNames } from './leads/file-leads.ts';
import type { Row } from './rows/read-rows.ts';
import { isDeleted } from './rows/row-content.ts';
import { readBatches, startBatch, type Batch } from './batches.ts';
import {
  type RefusedRow,
  type FileResult,
  createResult,
  listRefused,
  countBatch,
} from './file-result.ts';
import { toImport } from './row-import.ts';
import type { FileShape } from './rows/file-shape.ts';

/** A run whose progress its caller records, so that another process can continue it. */
interface RecordedRun {
  id: string;
  author: Author;
  /** The lines of rows that are in the log already. */
  doneLines: Set<number>;
  /**
   * Stores the outcomes of some rows and how far the run is, in the transaction of these rows. When it throws, they are not
   * imported.
   */
  record: (tx: Queryable, counts: OutcomeCounts, progress: Progress) => Promise<void>;
}

/** How far a run is. */
interface Progress {
  /** The rows on all lines before it are done. */
  nextLine: number;
  /** How many of the rows before it, among those that were read, are marked as deleted. */
  deleted: number;
}

interface FileImport {
  shape: FileShape;
  rows: AsyncIterable<Row[]>;
  /** A dry run stores nothing. */
  dryRun: boolean;
  /** When it aborts, the import ends after the batches in progress. */
  stop: AbortSignal;
  /** Receives the counts of the rows that are done. */
  onProgress: (done: OutcomeCounts & Pick<FileResult, 'deleted'>) => void;
  /** Receives the refused rows in the order of their lines. The import awaits it. */
  onRefused: (refused: RefusedRow[]) => void | Promise<void>;
  /** Without it, the import is a new run, and records its own end. */
  run?: RecordedRun;
  /** The most batches in progress at once. */
  maxRunning?: number;
}

/** Between two chunks, the batches in progress send their statements, and other requests are served. */
const CHUNK_ROWS = 50;

/** PostgreSQL writes one batch while Node.js reads and plans the next. */
const MAX_RUNNING = 2;

type ImportBatch = (imports: Import[], progress: Progress) => Promise<Outcome[]>;

/**
 * Imports the rows of a file in batches, several at once. It returns when no batch is in progress. Its memory does not grow with
 * the file, except that a dry run remembers each new email.
 */
export async function importFile(
  db: Pool,
  accountId: string,
  file: FileImport,
): Promise<FileResult> {
  if (file.dryRun || file.run !== undefined) return importRows(db, accountId, file);
  const firstSequence = await findNextSequence(db, accountId);
  const ended = await importRows(db, accountId, file);
  try {
    await recordEnd(db, accountId, ended, firstSequence);
    return ended;
  } catch (error) {
    return { ...ended, failure: ended.failure ?? error };
  }
}

/** Imports the rows of a file. The result has the error that ended the import early. */
async function importRows(db: Pool, accountId: string, file: FileImport): Promise<FileResult> {
  const result = await runBatches(db, accountId, file);
  if (!file.dryRun) await ensureStatistics(db, result.created);
  return result;
}

async function runBatches(db: Pool, accountId: string, file: FileImport): Promise<FileResult> {
  const { rows, dryRun, stop, onProgress, onRefused, run, maxRunning = MAX_RUNNING } = file;
  const runId = run?.id ?? newId();
  const importBatch = dryRun
    ? createDryRun(db, accountId)
    : createBatchImporter(db, accountId, run);
  const makeImports = await createImportMaker(db, accountId, file, runId);
  const result = createResult(dryRun ? null : runId);
  /** The batches in progress, in the order of their lines. */
  const running: Batch[] = [];
  let isStopped = false;

  async function startBatches(): Promise<void> {
    for await (const all of readBatches(rows)) {
      const undeleted = all.filter((row) => row.fault !== null || !isDeleted(row));
      const batch = undeleted.filter(({ line }) => !run?.doneLines.has(line));
      // Read the rows while PostgreSQL writes the batches in progress.
      const imports = await makeImports(batch);
      if (running.length === maxRunning) await finishFirst();
      if (running.length === 0) result.nextLine = all[0]?.line ?? result.nextLine;
      isStopped = stop.aborted;
      if (isStopped) return;
      const outcomes = startBatch(imports, running, (each) =>
        importBatch(each, { nextLine: result.nextLine ?? 1, deleted: result.deleted }),
      );
      running.push({
        rows: batch,
        imports,
        ...outcomes,
        nextLine: (all.at(-1)?.line ?? 0) + 1,
        deleted: all.length - undeleted.length,
      });
      // The batch that waited for the finished one now writes: let it send its statements before the next rows are read.
      await yieldToEventLoop();
    }
  }

  async function finishFirst(): Promise<void> {
    const [batch] = running;
    if (batch === undefined) return;
    const outcomes = await batch.outcomes;
    const refused = listRefused(batch.rows, outcomes);
    if (refused.length > 0) await report(refused, batch);
    running.shift();
    countBatch(result, batch, outcomes);
    onProgress(result);
  }

  // If the report cannot be written, the import is continued at this batch, so that the next report has its refused rows.
  async function report(refused: RefusedRow[], batch: Batch): Promise<void> {
    try {
      await onRefused(refused);
    } catch (error) {
      batch.outcomes = Promise.reject(error);
      throw error;
    }
  }

  try {
    try {
      await startBatches();
    } finally {
      while (running.length > 0) await finishFirst();
    }
    return isStopped ? result : { ...result, nextLine: null };
  } catch (error) {
    await Promise.allSettled(running.map(({ outcomes }) => outcomes));
    return { ...result, failure: error };
  }
}

/** Creates the function that makes the imports of rows, with the records of earlier runs that they replace. */
async function createImportMaker(
  db: Pool,
  accountId: string,
  { shape, dryRun, run }: FileImport,
  runId: string,
): Promise<(rows: Row[]) => Promise<Import[]>> {
  const { author } = run ?? { author: SYSTEM };
  const names = await loadNames(db, accountId, shape);
  const findReplaced = dryRun ? null : await createEarlierRowFinder(db, accountId, shape.name);
  return async (rows) => {
    const replaced = await findReplaced?.(rows);
    const chunks = splitIntoChunks([...rows.entries()], CHUNK_ROWS);
    const made = await mapChunks(chunks, (chunk) =>
      chunk.map(([index, row]) => ({
        ...toImport(row, { shape, runId, names, author }),
        replacedIds: replaced?.[index] ?? [],
      })),
    );
    return made.flat();
  };
}

function createBatchImporter(db: Pool, accountId: string, run?: RecordedRun): ImportBatch {
  return (imports, progress) =>
    importEach(db, accountId, imports, run && ((tx, counts) => run.record(tx, counts, progress)));
}

/** Records the end of a run, unless it has no rows. It counts them in the log, since a batch that failed may be committed. */
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

/** Creates the function that finds the outcomes of rows in a dry run. It takes the contacts of earlier rows as created. */
function createDryRun(db: Pool, accountId: string): ImportBatch {
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

/** Copies a text. Otherwise V8 would keep the chunk of the file that the text was cut from. */
function copyText(text: string): string {
  return Buffer.from(text).toString();
}
