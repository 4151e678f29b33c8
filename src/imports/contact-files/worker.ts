import { undoRun } from '../log/undo.ts';
import { findNextSequence, recordRunEnd } from '../log/run-events.ts';
import { countUndone } from '../log/run-store.ts';
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
import { decideSpelling } from '../files/survey/spelling.ts';
import { runWithFileLease, type ActiveLease } from './lease.ts';
import { checkStored, type CheckedFile } from './read-file.ts';
import {
  findEmailProblem,
  isDryRun,
  mappingIncomplete,
  removeSamples,
  type StoredFile,
} from './rules.ts';
import { deleteChunks } from './chunk-store.ts';
import {
  type Lease,
  LeaseLostError,
  listDueFiles,
  releaseLease,
  requireLease,
  takeLease,
  updateAndRelease,
  updateLeasedFile,
} from './lease-store.ts';
import { runFile } from './run.ts';

/** The most runs at once in a process, each of another account. Each uses a connection, and requests need the others. */
const SLOTS = 2;

/** A file fails when this many processes in a row have ended while they worked on it. */
const ATTEMPTS_MAX = 5;

interface FileWorkOptions {
  db: Pool;
  /** How long a lease lasts. When its process does not renew it in time, another one goes on with the file. */
  leaseMs: number;
  onError: (error: unknown) => void;
}

interface FileJob {
  accountId: string;
  lease: Lease;
  file: StoredFile;
  attempts: number;
}

/** Creates the worker that checks, imports and undoes files. Every process of the service has one. */
export function createFileWorker(options: FileWorkOptions): Worker {
  const { leaseMs, onError } = options;
  return createWorker({
    slots: SLOTS,
    everyMs: (leaseMs * 2) / 3,
    ...createFileJobs(options),
    onError,
  });
}

/** Checks, imports and undoes all files that wait for a process, one after the other. */
export async function workOnDueFiles(options: FileWorkOptions): Promise<void> {
  const { claim, run } = createFileJobs(options);
  const { signal } = new AbortController();
  for (let job = await claim(null); job !== undefined; job = await claim(null))
    await run(job, signal);
}

function createFileJobs({ db, leaseMs, onError }: FileWorkOptions) {
  async function claim(accountIds: string[] | null): Promise<FileJob | undefined> {
    for (const due of await listDueFiles(db, accountIds, new Date())) {
      const lease = { ...due, token: newId() };
      const now = new Date();
      const times = { now, until: new Date(now.getTime() + leaseMs) };
      const taken = await takeLease(db, lease, times).catch(ignoreTaken);
      if (taken !== undefined) return { accountId: due.accountId, lease, ...taken };
    }
    return undefined;
  }

  async function run({ lease, file, attempts }: FileJob, stopping: AbortSignal): Promise<void> {
    try {
      await runWithFileLease(db, lease, { leaseMs, stopping, onError }, (activeLease) =>
        attempts > ATTEMPTS_MAX
          ? failFile(db, activeLease, file)
          : workOn(db, activeLease, file, onError),
      );
    } catch (error) {
      // Another process, or a later poll, goes on when the lease has expired.
      if (!(error instanceof LeaseLostError)) throw error;
    }
  }

  return { claim, run };
}

/** Ignores that another process has taken this file or another file of its account, or is about to. */
function ignoreTaken(error: unknown): undefined {
  if (!isUniqueViolation(error) && !isLockTimeout(error)) throw error;
}

async function workOn(
  db: Pool,
  lease: ActiveLease,
  file: StoredFile,
  onError: (error: unknown) => void,
): Promise<void> {
  try {
    if (file.status === 'checking') await checkFile(db, lease, file);
    else if (file.status === 'undoing') await undoImport(db, lease, file);
    else await runFile(db, lease, file);
  } catch (error) {
    // Keep the status: the database may be back before the lease has expired.
    if (isUnavailable(error)) throw error;
    onError(error);
    await failFile(db, lease, file);
  }
}

const INTERNAL_ERROR =
  'The file could not be handled because of an error of the service. It was logged.';

/** Ends work on a file that fails every time. */
async function failFile(db: Pool, lease: ActiveLease, file: StoredFile): Promise<void> {
  const { status } = file;
  const problem = problemDetails(new Problem('internal_error', INTERNAL_ERROR));
  if (status === 'checking') return refuseFile(db, lease, problem);
  const endStatus = isDryRun(file) ? 'ready' : 'failed';
  const changes = { status: endStatus, problem, endedAt: new Date() } as const;
  const undone = status === 'undoing' && {
    removed: await countUndone(db, lease.accountId, lease.fileId),
  };
  await updateAndRelease(db, lease, { ...changes, ...undone });
}

async function refuseFile(db: Pool, lease: ActiveLease, problem: ProblemDetails): Promise<void> {
  await runInTransaction(db, async (tx) => {
    await updateAndRelease(tx, lease, { status: 'refused', problem });
    await deleteChunks(tx, lease.accountId, lease.fileId);
  });
}

async function checkFile(db: Pool, lease: ActiveLease, file: StoredFile): Promise<void> {
  let checked: CheckedFile;
  try {
    checked = await checkStored(db, lease.accountId, file);
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    return refuseFile(db, lease, problemDetails(makeUnreadable(error)));
  }
  const problem = findEmailProblem(checked.found) ?? findDateProblem(checked);
  await updateAndRelease(db, lease, { ...checked.found, status: 'ready', problem });
}

function makeUnreadable(error: FileError): Problem {
  return new Problem('file_unreadable', toSentence(error.apiMessage));
}

/** Finds the problem of dates that can be read in more than one way: the start must give their order. */
function findDateProblem({ layout, survey }: CheckedFile): ProblemDetails | null {
  try {
    decideSpelling(layout, survey, { dateOrder: undefined, nameOrder: undefined });
    return null;
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    return problemDetails(mappingIncomplete(toSentence(error.apiMessage), error.pointer));
  }
}

async function undoImport(db: Pool, lease: ActiveLease, file: StoredFile): Promise<void> {
  const { accountId, fileId, signal } = lease;
  const author = file.options && { author: file.options.author };
  const firstSequence = file.firstSequence ?? (await findNextSequence(db, accountId));
  await updateLeasedFile(db, lease, { firstSequence });
  const report = await undoRun(db, accountId, fileId, {
    ...author,
    dryRun: false,
    now: () => new Date(),
    job: { stop: signal, requireLease: (tx) => requireLease(tx, lease) },
  });
  // This process stops, so another one goes on.
  if (signal.aborted) return releaseLease(db, lease);
  // Count them in the log: when another process began this undo, it has removed some.
  const removed = await countUndone(db, accountId, fileId);
  const kept = report?.kept ?? 0;
  const event = { type: 'contact_file.undone', subject: fileId, data: { removed, kept } } as const;
  const changes = { status: 'undone', removed, kept, columns: removeSamples(file) } as const;
  await runInTransaction(db, async (tx) => {
    if (removed > 0)
      await recordRunEnd(tx, accountId, event, { ...author, firstSequence, now: new Date() });
    await updateAndRelease(tx, lease, changes);
    await deleteChunks(tx, accountId, fileId);
  });
}
