import { lockRevision } from '../accounts/index.ts';
import {
  addTagIds,
  assignTagIds,
  deleteEmailLocks,
  lockEmails,
  makeMissingTags,
} from '../contacts/index.ts';
import {
  isForeignKeyViolation,
  isLockTimeout,
  isUnavailable,
  isUniqueViolation,
  retryOnConflict,
  runInTransaction,
  type Pool,
  type Queryable,
  type Track,
} from '../platform/database/index.ts';
import { Problem } from '../platform/http/index.ts';
import { lockClaims, idempotencyKeyInUse, saveAnswers } from '../platform/idempotency/index.ts';
import { newId } from '../platform/text/index.ts';
import { logRefusals } from './log/log-refusals.ts';
import {
  addRefusedBytes,
  createRefusedLimit,
  findRefusedBytes,
  type RefusedLimit,
} from './log/refused-bytes.ts';
import { lockOpenRecords } from './log/store.ts';
import { createPlanner, type LeadContext, type Plan } from './rules.ts';
import { mapChunks, splitImports } from './chunks.ts';
import type { Lead } from './lead.ts';
import { listImportEvents } from './events.ts';
import { findForLeads } from './store.ts';
import {
  pickLeads,
  type Import,
  type Outcome,
  type OutcomeCounts,
  type RecordDone,
  type Submission,
} from './submission.ts';
import { OutdatedError, writeChunks } from './write-chunks.ts';

/** How long an import waits for locks in total, with its retries. */
const LOCK_WAIT_MAX_MS = 5_000;

/** How often an import is tried when rows that it has read are deleted meanwhile: somebody may delete several tags in a row. */
const ATTEMPTS_MAX = 10;

/** The outcomes of a submission's imports. */
export interface Imported {
  outcomes: Outcome[];
  /** The committed versions of contacts by their ids, also those of other submissions. */
  versions: Map<string, number>;
}

/** The result of a submission, or the error that kept all its imports from being committed. */
export type Result = Imported | Error;

interface ImportLimits {
  /** How many bytes of refused imports the account may keep in its log. Null: they have no limit, and are not counted. */
  refusedBytesMax?: number | null;
  /** After this time, by `performance.now()`, an import that waits for locks is not tried in halves. */
  untilMs?: number;
  recordDone?: RecordDone | undefined;
}

/**
 * Imports any number of leads of one account, in order. When it returns, the log has each import, accepted or refused.
 * Submissions that arrive together share a transaction. The caller limits their number and length.
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

/** Decides what imports would do, in order. Reads all at one moment, and stores nothing. */
export function planDryRun(db: Pool, accountId: string, imports: Import[]): Promise<Outcome[]> {
  const plan = (tx: Queryable) => planInTransaction(tx, accountId, imports);
  return runInTransaction(db, plan, 'repeatable read, read only');
}

/** Decides in a transaction what imports would do, in order. Stores nothing. */
export async function planInTransaction(
  tx: Queryable,
  accountId: string,
  imports: Import[],
): Promise<Outcome[]> {
  const now = new Date();
  const found = await findForLeads(tx, accountId, pickLeads(imports), now);
  const plan = createPlanner(found, { now, newId });
  return listOutcomes(await mapChunks(splitImports(imports), plan));
}

/** Says that somebody else has settled the record that an import should retry. */
export class SettledError extends Error {}

interface TransactionOptions {
  refusedBytesMax: number | null;
  recordDone: RecordDone | undefined;
}

/** Locks, reads, applies the rules, and writes. It does not wait for the answers to its writes. */
async function importInTransaction(
  tx: Queryable,
  track: Track,
  accountId: string,
  submissions: Submission[],
  { refusedBytesMax, recordDone }: TransactionOptions,
): Promise<Result[]> {
  const now = new Date();
  const leads = pickLeads(submissions.flatMap((each) => each.imports));
  const { isCurrent, found, locked } = await lockAndRead(tx, accountId, submissions, leads, now);
  const imports = submissions.filter(isCurrent).flatMap((each) => each.imports);
  const plan = createPlanner(found, { now, newId });
  const plans = await mapChunks(splitImports(imports), plan);
  const outcomes = listOutcomes(plans);
  const labels = plans.flatMap(({ changes }) => changes.tags.map(({ tag }) => tag));
  const newTags = makeMissingTags(labels, found.tagIds);
  const tagIds = addTagIds(found.tagIds, newTags);
  const limit = await createLimit(tx, accountId, outcomes, refusedBytesMax);
  const chunks = plans.map((each) => ({
    ...each,
    changes: assignTagIds(each.changes, tagIds),
    events: listImportEvents(each.planned, tagIds),
  }));
  await writeChunks(tx, track, accountId, chunks, { now, limit, locked, newTags });
  const versions = new Map(plans.flatMap((each) => [...each.versions]));
  const results = listResults(submissions, isCurrent, outcomes, versions);
  void track(deleteEmailLocks(tx, accountId, listUnknownEmails(found, plans)));
  void track(saveAnswers(tx, accountId, listAnswers(submissions, results)));
  if (limit !== null) void track(addRefusedBytes(tx, accountId, limit.addedBytes));
  // Await it: it can fail without a failed statement, and PostgreSQL would then commit the imports.
  if (recordDone !== undefined) await track(recordDone(tx, countOutcomes(outcomes)));
  return results;
}

/**
 * Takes the locks of an import, and reads what the rules need. A single lead also locks the revision here, which saves it a round
 * trip. Several leads lock it when they are planned, so that other writers of the account do not wait for their plan.
 */
async function lockAndRead(
  tx: Queryable,
  accountId: string,
  submissions: Submission[],
  leads: Lead[],
  now: Date,
) {
  const claims = submissions.flatMap(({ keyed }) => keyed?.claim ?? []);
  const emailKeys = leads.map(({ emailKey }) => emailKey);
  const retriedIds = submissions.flatMap(({ retriedId }) => retriedId ?? []);
  // PostgreSQL runs these statements in this order, so that the last one sees the writes of the transactions that held the locks.
  const [currentClaimIds, , openIds, locked, found] = await Promise.all([
    lockClaims(tx, accountId, claims),
    lockEmails(tx, accountId, emailKeys),
    lockOpenRecords(tx, accountId, retriedIds),
    leads.length === 1 ? lockRevision(tx, accountId) : null,
    findForLeads(tx, accountId, leads, now),
  ]);
  /** False when another attempt has taken over the claim of a submission, or somebody has settled the record that it retries. */
  const isCurrent = ({ keyed, retriedId }: Submission): boolean =>
    (!keyed || currentClaimIds.has(keyed.claim.id)) && (!retriedId || openIds.has(retriedId));
  return { isCurrent, found, locked };
}

/** Lists the results of submissions. `outcomes` are those of the imports of the current ones, in order. */
function listResults(
  submissions: Submission[],
  isCurrent: (submission: Submission) => boolean,
  outcomes: Outcome[],
  versions: Map<string, number>,
): Result[] {
  const remaining = [...outcomes];
  return submissions.map((each): Result => {
    if (isCurrent(each)) return { outcomes: remaining.splice(0, each.imports.length), versions };
    return each.retriedId === undefined ? idempotencyKeyInUse() : new SettledError();
  });
}

/** Creates the limit of the refused records of an account; null when there is none to apply. */
async function createLimit(
  tx: Queryable,
  accountId: string,
  outcomes: Outcome[],
  maxBytes: number | null,
): Promise<RefusedLimit | null> {
  if (maxBytes === null || !outcomes.some((outcome) => outcome instanceof Problem)) return null;
  return createRefusedLimit(await findRefusedBytes(tx, accountId), maxBytes);
}

/** Lists the emails of refused leads that no contact has. */
function listUnknownEmails({ contacts }: LeadContext, plans: Plan[]): string[] {
  const inserted = plans.flatMap(({ changes }) => changes.inserted);
  const known = new Set([...contacts, ...inserted].map(({ emailKey }) => emailKey));
  const refused = plans.flatMap(({ planned }) => planned.filter(({ step }) => step === null));
  return pickLeads(refused).flatMap(({ emailKey }) => (known.has(emailKey) ? [] : emailKey));
}

/** Counts outcomes by their kind. */
function countOutcomes(outcomes: Outcome[]): OutcomeCounts {
  const counts = { created: 0, merged: 0, refused: 0 };
  for (const outcome of outcomes)
    counts[outcome instanceof Problem ? 'refused' : outcome.action] += 1;
  return counts;
}

/** Lists the answers to store for repeats of requests with an Idempotency-Key. */
function listAnswers(submissions: Submission[], results: Result[]) {
  return submissions.flatMap(({ keyed }, index) => {
    const result = results[index];
    return keyed && result !== undefined && !(result instanceof Error)
      ? { claim: keyed.claim, answer: keyed.makeAnswer(result.outcomes) }
      : [];
  });
}

function listOutcomes(plans: Plan[]): Outcome[] {
  return plans.flatMap(({ planned }) => planned.map(({ outcome }) => outcome));
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
