import {
  isForeignKeyViolation,
  isLockTimeout,
  isUnavailable,
  isUniqueViolation,
  retryOnConflict,
  runInTransaction,
  type Pool,
} from '../platform/database/index.ts';
import { Problem } from '../platform/http/index.ts';
import { logRefusals } from './log/log-refusals.ts';
import { importInTransaction, type TransactionOptions } from './service.ts';
import type { RecordDone, Result, Submission } from './submission.ts';
import { OutdatedError } from './write-chunks.ts';

/** How long an import waits for locks in total, with its retries. */
const LOCK_WAIT_MAX_MS = 5_000;

/** How often an import is tried when rows that it has read are deleted meanwhile: somebody may delete several tags in a row. */
const ATTEMPTS_MAX = 10;

interface ImportLimits {
  /** How many bytes of refused imports the account may keep in its log. Null: they have no limit, and are not counted. */
  refusedBytesMax?: number | null;
  /** The time, by `performance.now()`, after which submissions that could not get their locks are not tried in halves. */
  untilMs?: number;
  recordDone?: RecordDone | undefined;
}

/**
 * Imports any number of leads of one account, in order. When it returns, the log has each import, accepted or refused.
 * Submissions that arrive together share a transaction. When it fails, they are tried again in halves. The caller limits their
 * number and length.
 */
export async function importAll(
  db: Pool,
  accountId: string,
  submissions: Submission[],
  {
    refusedBytesMax = null,
    untilMs = performance.now() + LOCK_WAIT_MAX_MS,
    recordDone,
  }: ImportLimits = {},
): Promise<Result[]> {
  const options = { refusedBytesMax, recordDone };
  const attempt = (attemptsLeft: number): Promise<Result[]> =>
    retryOnConflict(() =>
      runInTransaction(db, (tx, track) =>
        importInTransaction(tx, track, accountId, submissions, options),
      ),
    ).catch((error: unknown) => {
      // Another writer has changed rows after they were read, such as a tag that was deleted or inserted. The next attempt reads
      // again.
      const isOutdated =
        isForeignKeyViolation(error) || isUniqueViolation(error) || error instanceof OutdatedError;
      if (isOutdated && attemptsLeft > 1) return attempt(attemptsLeft - 1);
      throw error;
    });
  try {
    return await attempt(ATTEMPTS_MAX);
  } catch (error) {
    // Halve the submissions to find the one that fails, unless the database is unavailable or the time for locks is over.
    const isHopeless = isLockTimeout(error) ? performance.now() > untilMs : isUnavailable(error);
    if (submissions.length === 1 || isHopeless)
      return logFailedImports(db, accountId, submissions, error, options);
    const middle = Math.floor(submissions.length / 2);
    const limits = { ...options, untilMs };
    const first = await importAll(db, accountId, submissions.slice(0, middle), limits);
    return [...first, ...(await importAll(db, accountId, submissions.slice(middle), limits))];
  }
}

/** Logs imports that failed because of an internal error as refused, so that they can be retried once it is corrected. */
async function logFailedImports(
  db: Pool,
  accountId: string,
  submissions: Submission[],
  reason: unknown,
  options: TransactionOptions,
): Promise<Error[]> {
  const error = reason instanceof Error ? reason : new Error(String(reason));
  if (!isUnavailable(error)) {
    const imports = submissions.flatMap((each) => each.imports);
    const detail = 'The import could not be handled. It was logged.';
    const problem = new Problem('internal_error', detail);
    await logRefusals(db, accountId, imports, problem, options).catch((unlogged: unknown) => {
      error.cause ??= unlogged;
    });
  }
  return submissions.map(() => error);
}
