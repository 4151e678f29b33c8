import { findNextSequence, recordRunEnd } from '../log/run-events.ts';
import { undoRun } from '../log/undo.ts';
import { countUndone } from '../log/runs.ts';
import {
  isLockTimeout,
  isUnavailable,
  isUniqueViolation,
  runInTransaction,
  type Pool,
} from '../../platform/database/index.ts';
import { Problem, problemDetails, type ProblemDetails } from '../../platform/http/index.ts';
import { createWorker, type Worker } from '../../platform/jobs/index.ts';
import { newId } from '../../platform/text/index.ts';
import { FileError, toSentence } from '../files/file-error.ts';
import { importFile, toStorable, type FileResult } from '../files/import-file.ts';
import { decideSpelling } from '../files/spelling.ts';
import { holdLease, type HeldLease } from './lease.ts';
import { checkStored, openForRun, type CheckedFile, type ReadableFile } from './read-file.ts';
import { listRemarks } from './remarks.ts';
import { findEmailProblem, mappingIncomplete } from './rules.ts';
import { requireFile } from './service.ts';
import type { FileChanges, RunOptions, StoredFile } from './rules.ts';
import { deleteChunks } from './chunk-store.ts';
import {
  freeLease,
  type Lease,
  LeaseLostError,
  listDueFiles,
  recordRows,
  takeLease,
  updateHeldFile,
} from './lease-store.ts';
import { countReasons, deleteRefusals, findDoneLines, insertRefusals } from './refusal-store.ts';

/** Runs of different accounts that a process works on at once. Each has a connection, and others serve requests. */
const SLOTS = 2;
/** A file that has ended so many processes one after the other ends no more. */
const ATTEMPTS_MAX = 5;

interface FileWorkOptions {
  db: Pool;
  /** Another process goes on with a file when its process has said nothing for so long. */
  leaseMs: number;
  onError: (error: unknown) => void;
}

interface FileJob {
  lease: Lease;
  file: StoredFile;
  attempts: number;
}

/** Creates the worker that checks, imports and undoes files. All processes of the service have one. */
export function createFileWorker({ db, leaseMs, onError }: FileWorkOptions): Worker {
  async function claim(): Promise<FileJob | undefined> {
    for (const due of await listDueFiles(db, new Date())) {
      const lease = { ...due, token: newId() };
      const now = new Date();
      const times = { now, until: new Date(now.getTime() + leaseMs) };
      const taken = await takeLease(db, lease, times).catch(ignoreTaken);
      if (taken !== undefined) return { lease, ...taken };
    }
    return undefined;
  }

  async function run({ lease, file, attempts }: FileJob, stopping: AbortSignal): Promise<void> {
    try {
      await holdLease(db, lease, { leaseMs, stopping, onError }, (held) =>
        attempts > ATTEMPTS_MAX ? giveUp(db, held, file) : workOn(db, held, file, onError),
      );
    } catch (error) {
      // Another process, or a later look, goes on when the lease has expired.
      if (!(error instanceof LeaseLostError)) throw error;
    }
  }

  return createWorker({ slots: SLOTS, everyMs: (leaseMs * 2) / 3, claim, run, onError });
}

/** Another process has taken this file, or another file of its account, or has not ended its transaction. */
function ignoreTaken(error: unknown): undefined {
  if (!isUniqueViolation(error) && !isLockTimeout(error)) throw error;
}

async function workOn(
  db: Pool,
  held: HeldLease,
  file: StoredFile,
  onError: (error: unknown) => void,
): Promise<void> {
  try {
    if (file.status === 'checking') await check(db, held, file);
    else if (file.status === 'undoing') await undo(db, held, file);
    else await runFile(db, held, file);
  } catch (error) {
    // The file waits: the database can be back before the lease has expired.
    if (isUnavailable(error)) throw error;
    onError(error);
    await giveUp(db, held, file);
  }
}

const OURS = 'It could not be handled, for a reason that is ours. It was logged.';

/** Ends work that fails each time. */
async function giveUp(db: Pool, held: HeldLease, { status, options }: StoredFile): Promise<void> {
  const problem = problemDetails(new Problem('internal_error', OURS));
  if (status === 'checking') return refuse(db, held, problem);
  const isDryRun = options?.dryRun === true;
  const changes = { status: isDryRun ? 'ready' : 'failed', problem, endedAt: new Date() } as const;
  await updateHeldFile(db, held, changes, true);
}

async function refuse(db: Pool, held: HeldLease, problem: ProblemDetails): Promise<void> {
  await runInTransaction(db, async (tx) => {
    await updateHeldFile(tx, held, { status: 'refused', problem }, true);
    await deleteChunks(tx, held.accountId, held.fileId);
  });
}

async function check(db: Pool, held: HeldLease, file: StoredFile): Promise<void> {
  let checked: CheckedFile;
  try {
    checked = await checkStored(db, held.accountId, file);
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    return refuse(db, held, problemDetails(makeUnreadable(error)));
  }
  const problem = findEmailProblem(checked.found) ?? findDateProblem(checked);
  await updateHeldFile(db, held, { ...checked.found, status: 'ready', problem }, true);
}

function makeUnreadable(error: FileError): Problem {
  return new Problem('file_unreadable', toSentence(error.apiMessage));
}

/** Finds the problem of dates that can be read in more than one way: the start must tell the order. */
function findDateProblem({ layout, survey }: CheckedFile): ProblemDetails | null {
  try {
    decideSpelling(layout, survey, { dateOrder: undefined, nameOrder: undefined });
    return null;
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    return problemDetails(mappingIncomplete(toSentence(error.apiMessage)));
  }
}

async function runFile(db: Pool, held: HeldLease, file: StoredFile): Promise<void> {
  const { options, status } = file;
  if (options === null) throw new Error('the file has no options');
  if (status === 'stopping') {
    const reasons = await countReasons(db, held, options.dryRun === true);
    return endStopped(db, held, file, { reasons });
  }
  const { accountId } = held;
  const isDryRun = options.dryRun === true;
  const firstSequence = file.firstSequence ?? (await findNextSequence(db, accountId));
  // A dry run begins anew: it has stored nothing.
  const began = isDryRun ? { created: 0, merged: 0, refused: 0, deleted: 0, nextLine: 1 } : {};
  const begun = { ...file, ...began, firstSequence };
  await updateHeldFile(db, held, { firstSequence, ...began }, false);
  // An earlier dry run has a report, or this one, which another process began.
  await deleteRefusals(db, accountId, held.fileId);
  let opened: ReadableFile;
  try {
    opened = await openForRun(db, accountId, begun, options, begun.nextLine);
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    const problem = problemDetails(mappingIncomplete(toSentence(error.apiMessage)));
    await updateHeldFile(db, held, { status: 'ready', problem, endedAt: new Date() }, true);
    return;
  }
  const result = await (isDryRun
    ? tryRows(db, held, opened)
    : importRows(db, held, begun, opened, options));
  if (result.failure !== null) throw result.failure;
  await end(db, held, begun, result);
}

/** Imports the rows that are not in the log yet. */
async function importRows(
  db: Pool,
  held: HeldLease,
  { id, nextLine: fromLine, deleted: deletedBefore }: StoredFile,
  { shape, rows }: ReadableFile,
  { author }: RunOptions,
): Promise<FileResult> {
  const doneLines = await findDoneLines(db, held.accountId, id, fromLine);
  return importFile(db, held.accountId, {
    shape,
    rows,
    dryRun: false,
    stop: held.signal,
    onProgress: () => undefined,
    onRefused: () => undefined,
    maxRunning: 1,
    run: {
      id,
      author,
      doneLines,
      record: async (tx, counts, { nextLine, deleted }) => {
        const place = { nextLine, deleted: deletedBefore + deleted, until: held.until() };
        held.note(await recordRows(tx, held, counts, place));
      },
    },
  });
}

/** How often the counts of a dry run are stored. */
const RECORD_EVERY_MS = 500;

/** Counts what the rows would do, and stores the counts from time to time. */
async function tryRows(
  db: Pool,
  held: HeldLease,
  { shape, rows }: ReadableFile,
): Promise<FileResult> {
  let recordedMs = performance.now();
  let recording: Promise<void> | undefined;

  async function record({ created, merged, refused, deleted }: RowCounts): Promise<void> {
    const counts = { created, merged, refused, deleted };
    // The lease is renewed by itself, which notices when it is lost.
    await updateHeldFile(db, held, counts, false).then(held.note, () => undefined);
    recordedMs = performance.now();
    recording = undefined;
  }

  const result = await importFile(db, held.accountId, {
    shape,
    rows,
    dryRun: true,
    stop: held.signal,
    onProgress: (done) => {
      if (performance.now() - recordedMs > RECORD_EVERY_MS) recording ??= record(done);
    },
    onRefused: (refused) =>
      insertRefusals(
        db,
        held,
        refused.map(({ row: { line, text }, problem: { code, message } }) => ({
          line,
          code,
          reason: message,
          text: toStorable(text),
        })),
      ),
    maxRunning: 1,
  });
  await recording;
  return result;
}

type RowCounts = Pick<FileResult, 'created' | 'merged' | 'refused' | 'deleted'>;

/** Ends a run whose rows are done, or that was stopped before. */
async function end(db: Pool, held: HeldLease, file: StoredFile, result: FileResult): Promise<void> {
  const { created, merged, refused, deleted, nextLine } = result;
  const isDryRun = file.options?.dryRun === true;
  const reasons = await countReasons(db, held, isDryRun);
  const remarks = isDryRun ? listRemarks(result) : null;
  const counts = isDryRun ? { created, merged, refused, deleted, reasons, remarks } : { reasons };
  if (nextLine !== null) {
    if (held.isStopped()) await endStopped(db, held, file, counts);
    // The process stops: another one goes on.
    else await freeLease(db, held);
    return;
  }
  if (isDryRun) {
    await updateHeldFile(db, held, { status: 'ready', ...counts, endedAt: new Date() }, true);
    return;
  }
  await recordEnd(db, held, file, 'contact_file.completed', {
    status: 'completed',
    deleted: file.deleted + deleted,
    reasons,
    columns: removeSamples(file),
  });
}

async function endStopped(
  db: Pool,
  held: HeldLease,
  file: StoredFile,
  counts: FileChanges,
): Promise<void> {
  if (file.options?.dryRun === true) {
    await updateHeldFile(db, held, { status: 'ready', ...counts, endedAt: new Date() }, true);
    return;
  }
  await recordEnd(db, held, file, 'contact_file.stopped', { status: 'stopped', ...counts });
}

/** Stores the end of a run with its event. The bytes of a completed one go. */
async function recordEnd(
  db: Pool,
  held: HeldLease,
  { options, firstSequence }: StoredFile,
  type: 'contact_file.completed' | 'contact_file.stopped',
  changes: FileChanges,
): Promise<void> {
  const { accountId, fileId } = held;
  // Nobody else changes the counts while the lease is held.
  const { created, merged, refused } = await requireFile(db, accountId, fileId);
  const event = { type, subject: fileId, data: { created, merged, refused } } as const;
  const now = new Date();
  await runInTransaction(db, async (tx) => {
    await recordRunEnd(tx, accountId, event, {
      firstSequence: firstSequence ?? 1,
      now,
      ...(options && { author: options.author }),
    });
    await updateHeldFile(tx, held, { ...changes, endedAt: now }, true);
    if (type === 'contact_file.completed') await deleteChunks(tx, accountId, fileId);
  });
}

/** The samples are of people; when the run has ended nobody needs them. */
function removeSamples({ columns }: StoredFile): StoredFile['columns'] {
  return columns && columns.map((column) => ({ ...column, samples: [] }));
}

async function undo(db: Pool, held: HeldLease, file: StoredFile): Promise<void> {
  const { accountId, fileId } = held;
  const author = file.options?.author;
  const now = () => new Date();
  const report = await undoRun(db, accountId, fileId, {
    dryRun: false,
    now,
    ...(author && { author }),
  });
  // An undo that another process began has removed some.
  const removed = await countUndone(db, accountId, fileId);
  const kept = report?.kept ?? 0;
  const changes = { status: 'undone', removed, kept, columns: removeSamples(file) } as const;
  await runInTransaction(db, async (tx) => {
    await updateHeldFile(tx, held, changes, true);
    await deleteChunks(tx, accountId, fileId);
  });
}
