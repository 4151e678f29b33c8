import { lockRevision } from '../accounts/index.ts';
import {
  addTagIds,
  assignTagIds,
  deleteEmailLocks,
  lockEmails,
  makeMissingTags,
} from '../contacts/index.ts';
import type { Queryable, Track } from '../platform/database/index.ts';
import { Problem } from '../platform/http/index.ts';
import { lockClaims, idempotencyKeyInUse, saveAnswers } from '../platform/idempotency/index.ts';
import { newId } from '../platform/text/index.ts';
import {
  addRefusedBytes,
  createRefusedLimit,
  findRefusedBytes,
  type RefusedLimit,
} from './log/refused-bytes.ts';
import { lockOpenRecords } from './log/store.ts';
import { createPlanner, listOutcomes, type LeadContext, type Plan } from './rules.ts';
import { mapChunks, splitImports } from './chunks.ts';
import type { Lead } from './lead.ts';
import { listImportEvents } from './events.ts';
import { findForLeads } from './store.ts';
import {
  pickLeads,
  type Outcome,
  type OutcomeCounts,
  type RecordDone,
  type Result,
  type Submission,
} from './submission.ts';
import { writeChunks } from './write-chunks.ts';

/** The result of a retry whose record somebody else has settled meanwhile. Nothing is imported. */
export class SettledError extends Error {}

export interface TransactionOptions {
  refusedBytesMax: number | null;
  recordDone: RecordDone | undefined;
}

/** Locks, reads, applies the rules, and writes. It does not wait for the answers to its writes. */
export async function importInTransaction(
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

/** Lists the results of submissions, in order. `outcomes` has the outcomes of the current ones alone. */
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
