import { findNextSequence, recordRunEnd } from '../log/run-events.ts';
import { runInTransaction, type Pool } from '../../platform/database/index.ts';
import { problemDetails } from '../../platform/http/index.ts';
import { FileError, toSentence } from '../files/file-error.ts';
import type { FileResult } from '../files/file-result.ts';
import { importFile } from '../files/import-file.ts';
import { toStorable } from '../../platform/text/index.ts';
import type { ActiveLease } from './lease.ts';
import { openForRun, type ReadableFile } from './read-file.ts';
import { listRemarks } from './remarks.ts';
import { mappingIncomplete, removeSamples } from './rules.ts';
import { requireFile } from './service.ts';
import type { FileChanges, RunOptions, StoredFile } from './rules.ts';
import { deleteChunks } from './chunk-store.ts';
import { freeLease, recordRows, updateLeasedFile } from './lease-store.ts';
import { countReasons, deleteRefusals, findDoneLines, insertRefusals } from './refusal-store.ts';

/* A run of a contact file: its dry run, or its import. */

export async function runFile(db: Pool, held: ActiveLease, file: StoredFile): Promise<void> {
  const { options, status } = file;
  if (options === null) throw new Error('the file has no options');
  if (status === 'stopping') {
    const reasons = await countReasons(db, held, options.dryRun === true);
    return endStopped(db, held, file, { reasons });
  }
  const { accountId } = held;
  const isDryRun = options.dryRun === true;
  const firstSequence = file.firstSequence ?? (await findNextSequence(db, accountId));
  // A dry run has stored nothing, so it starts at the first row.
  const began = isDryRun ? { created: 0, merged: 0, refused: 0, deleted: 0, nextLine: 1 } : {};
  const begun = { ...file, ...began, firstSequence };
  await updateLeasedFile(db, held, { firstSequence, ...began }, false);
  // Delete the report of an earlier dry run, or of this one when another process began it.
  await deleteRefusals(db, accountId, held.fileId);
  let opened: ReadableFile;
  try {
    opened = await openForRun(db, accountId, begun, options, begun.nextLine);
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    const problem = problemDetails(mappingIncomplete(toSentence(error.apiMessage)));
    await updateLeasedFile(db, held, { status: 'ready', problem, endedAt: new Date() }, true);
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
  held: ActiveLease,
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
  held: ActiveLease,
  { shape, rows }: ReadableFile,
): Promise<FileResult> {
  let recordedMs = performance.now();
  let recording: Promise<void> | undefined;

  async function record({ created, merged, refused, deleted }: RowCounts): Promise<void> {
    const counts = { created, merged, refused, deleted };
    // An error does no harm here: a timer renews the lease, and notices when it is lost.
    await updateLeasedFile(db, held, counts, false).then(held.note, () => undefined);
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

/** Ends a run: all its rows are done, or it was stopped before. */
async function end(
  db: Pool,
  held: ActiveLease,
  file: StoredFile,
  result: FileResult,
): Promise<void> {
  const { created, merged, refused, deleted, nextLine } = result;
  const isDryRun = file.options?.dryRun === true;
  const reasons = await countReasons(db, held, isDryRun);
  const remarks = isDryRun ? listRemarks(result) : null;
  const counts = isDryRun ? { created, merged, refused, deleted, reasons, remarks } : { reasons };
  if (nextLine !== null) {
    if (held.isStopped()) await endStopped(db, held, file, counts);
    // This process stops, so another one goes on.
    else await freeLease(db, held);
    return;
  }
  if (isDryRun) {
    await updateLeasedFile(db, held, { status: 'ready', ...counts, endedAt: new Date() }, true);
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
  held: ActiveLease,
  file: StoredFile,
  counts: FileChanges,
): Promise<void> {
  if (file.options?.dryRun === true) {
    await updateLeasedFile(db, held, { status: 'ready', ...counts, endedAt: new Date() }, true);
    return;
  }
  await recordEnd(db, held, file, 'contact_file.stopped', { status: 'stopped', ...counts });
}

/** Stores the end of a run with its event. Deletes the bytes of a completed file. */
async function recordEnd(
  db: Pool,
  held: ActiveLease,
  { options, firstSequence }: StoredFile,
  type: 'contact_file.completed' | 'contact_file.stopped',
  changes: FileChanges,
): Promise<void> {
  const { accountId, fileId } = held;
  // No other process changes the counts while this one has the lease.
  const { created, merged, refused } = await requireFile(db, accountId, fileId);
  const event = { type, subject: fileId, data: { created, merged, refused } } as const;
  const now = new Date();
  await runInTransaction(db, async (tx) => {
    await recordRunEnd(tx, accountId, event, {
      firstSequence: firstSequence ?? 1,
      now,
      ...(options && { author: options.author }),
    });
    await updateLeasedFile(tx, held, { ...changes, endedAt: now }, true);
    if (type === 'contact_file.completed') await deleteChunks(tx, accountId, fileId);
  });
}
