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
import {
  isDryRun,
  mappingIncomplete,
  removeSamples,
  type FileChanges,
  type RunOptions,
  type StoredFile,
} from './rules.ts';
import { requireFile } from './service.ts';
import { deleteChunks } from './chunk-store.ts';
import { releaseLease, recordRows, updateAndRelease, updateLeasedFile } from './lease-store.ts';
import { countReasons, deleteRefusals, findDoneLines, insertRefusals } from './refusal-store.ts';

/** Runs a contact file: its dry run, its import, or the end of a run that a person has stopped. Throws when the lease is lost. */
export async function runFile(db: Pool, lease: ActiveLease, file: StoredFile): Promise<void> {
  const { options, status } = file;
  if (options === null) throw new Error('the file has no options');
  const isDry = isDryRun(file);
  if (status === 'stopping') {
    const reasons = await countReasons(db, lease, isDry);
    return endStopped(db, lease, file, { reasons });
  }
  const { accountId } = lease;
  const firstSequence = file.firstSequence ?? (await findNextSequence(db, accountId));
  // A dry run has stored nothing, so it starts at the first row.
  const restart = isDry ? { created: 0, merged: 0, refused: 0, deleted: 0, nextLine: 1 } : {};
  const started = { ...file, ...restart, firstSequence };
  await updateLeasedFile(db, lease, { firstSequence, ...restart });
  // Delete the report of an earlier dry run, or what another process stored of this one before its lease expired.
  await deleteRefusals(db, accountId, lease.fileId);
  let opened: ReadableFile;
  try {
    opened = await openForRun(db, accountId, started, options, started.nextLine);
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    const problem = problemDetails(mappingIncomplete(toSentence(error.apiMessage), error.pointer));
    return endAsReady(db, lease, { problem });
  }
  const result = await (isDry
    ? dryRunRows(db, lease, opened)
    : importRows(db, lease, started, opened, options));
  if (result.failure !== null) throw result.failure;
  await endRun(db, lease, started, result);
}

/** Imports the rows that are not in the log yet. */
async function importRows(
  db: Pool,
  lease: ActiveLease,
  { id, nextLine: fromLine, deleted: deletedBefore }: StoredFile,
  { shape, rows }: ReadableFile,
  { author }: RunOptions,
): Promise<FileResult> {
  const doneLines = await findDoneLines(db, lease.accountId, id, fromLine);
  return importFile(db, lease.accountId, {
    shape,
    rows,
    dryRun: false,
    stop: lease.signal,
    onProgress: () => undefined,
    onRefused: () => undefined,
    maxRunning: 1,
    run: {
      id,
      author,
      doneLines,
      record: async (tx, counts, { nextLine, deleted }) => {
        const place = { nextLine, deleted: deletedBefore + deleted, until: lease.until() };
        lease.noteStatus(await recordRows(tx, lease, counts, place));
      },
    },
  });
}

/** How often the counts of a dry run are stored. */
const RECORD_EVERY_MS = 500;

/** Runs the rows without importing them. Stores the rows that would be refused and, from time to time, the counts. */
async function dryRunRows(
  db: Pool,
  lease: ActiveLease,
  { shape, rows }: ReadableFile,
): Promise<FileResult> {
  let recordedMs = performance.now();
  let recording: Promise<void> | undefined;

  async function record({ created, merged, refused, deleted }: RowCounts): Promise<void> {
    const counts = { created, merged, refused, deleted };
    // An error does no harm here: a timer renews the lease, and notices when it is lost.
    await updateLeasedFile(db, lease, counts).then(lease.noteStatus, () => undefined);
    recordedMs = performance.now();
    recording = undefined;
  }

  const result = await importFile(db, lease.accountId, {
    shape,
    rows,
    dryRun: true,
    stop: lease.signal,
    onProgress: (done) => {
      if (performance.now() - recordedMs > RECORD_EVERY_MS) recording ??= record(done);
    },
    onRefused: (refused) =>
      insertRefusals(
        db,
        lease,
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
async function endRun(
  db: Pool,
  lease: ActiveLease,
  file: StoredFile,
  result: FileResult,
): Promise<void> {
  const { created, merged, refused, deleted, nextLine } = result;
  const isDry = isDryRun(file);
  const reasons = await countReasons(db, lease, isDry);
  const remarks = isDry ? listRemarks(result) : null;
  const counts = isDry ? { created, merged, refused, deleted, reasons, remarks } : { reasons };
  if (nextLine !== null) {
    if (lease.isStopped()) await endStopped(db, lease, file, counts);
    // This process stops, so another one goes on.
    else await releaseLease(db, lease);
    return;
  }
  if (isDry) return endAsReady(db, lease, counts);
  await storeEnd(db, lease, file, 'contact_file.completed', {
    status: 'completed',
    deleted: file.deleted + deleted,
    reasons,
    columns: removeSamples(file),
  });
}

async function endStopped(
  db: Pool,
  lease: ActiveLease,
  file: StoredFile,
  counts: FileChanges,
): Promise<void> {
  if (isDryRun(file)) return endAsReady(db, lease, counts);
  await storeEnd(db, lease, file, 'contact_file.stopped', { status: 'stopped', ...counts });
}

/** Ends a dry run, or a run that could not begin: the file can be started again. */
function endAsReady(db: Pool, lease: ActiveLease, changes: FileChanges): Promise<void> {
  return updateAndRelease(db, lease, { status: 'ready', ...changes, endedAt: new Date() });
}

/** Stores the end of an import with its event. Deletes the bytes of a completed file. */
async function storeEnd(
  db: Pool,
  lease: ActiveLease,
  { options, firstSequence }: StoredFile,
  type: 'contact_file.completed' | 'contact_file.stopped',
  changes: FileChanges,
): Promise<void> {
  const { accountId, fileId } = lease;
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
    await updateAndRelease(tx, lease, { ...changes, endedAt: now });
    if (type === 'contact_file.completed') await deleteChunks(tx, accountId, fileId);
  });
}
