import { setTimeout as sleep } from 'node:timers/promises';
import {
  isLockTimeout,
  transaction,
  type Pool,
  type Queryable,
} from '../../platform/database/index.ts';
import { createFairQueue } from '../../platform/queue/index.ts';
import type { Answer } from '../submission.ts';
import { keyInUse, keyReused, type IdempotencyClaim } from './key.ts';
import { findRequest, insertClaim, takeOverClaim } from './store.ts';

/** How many claims use a connection at once. */
const CLAIM_SLOTS = { slots: 3, slotsPerAccount: 2 };

/** A repeat within this time gets the stored answer. */
export const ANSWER_LIFETIME_MS = 24 * 60 * 60 * 1000;

type RunOnce = (
  accountId: string,
  claim: IdempotencyClaim,
  work: () => Promise<Answer>,
) => Promise<{ answer: Answer; replayed: boolean }>;

/**
 * Creates the function that runs a request with an Idempotency-Key at most once; a repeat gets the stored answer. The claim
 * is committed before the work begins. The work stores the answer in its own transaction, and only while it has the claim.
 * An attempt that failed or died has stored no answer and holds no lock, so that the next attempt takes its claim over.
 */
export function createRunOnce(db: Pool): RunOnce {
  const runFair = createFairQueue(CLAIM_SLOTS);
  // The claims of this process, so that a claim which waits for its import is not taken over.
  const running = new Map<string, IdempotencyClaim>();

  return async function runOnce(accountId, claim, work) {
    const name = [accountId, claim.apiKeyId, claim.key].join(' ');
    const other = running.get(name);
    if (other === undefined) running.set(name, claim);
    try {
      const answer = await runFair(accountId, () =>
        other === undefined
          ? makeClaim(db, accountId, claim)
          : findAnswer(db, accountId, claim, false),
      );
      if (answer !== null) return { answer, replayed: true };
      if (other !== undefined) throw isSame(other, claim) ? keyInUse() : keyReused();
      return { answer: await work(), replayed: false };
    } finally {
      if (other === undefined) running.delete(name);
    }
  };
}

/** Gives the stored answer; null when there is none and the key now belongs to the claim. */
async function makeClaim(
  db: Pool,
  accountId: string,
  claim: IdempotencyClaim,
): Promise<Answer | null> {
  if (await insertClaim(db, accountId, claim)) return null;
  for (let attempt = 1; ; attempt += 1) {
    const answer = await findAnswer(db, accountId, claim, false);
    if (answer !== null) return answer;
    try {
      return await transaction(db, (tx) => takeOver(tx, accountId, claim));
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
    }
    const holder = await findRequest(db, accountId, claim, false);
    if (holder === undefined || isSame(holder, claim)) throw keyInUse();
    // The import of another request holds the lock for long; a repeat that takes over a dead claim, for a moment.
    if (attempt === ATTEMPTS) throw keyReused();
    await sleep(RETRY_AFTER_MS);
  }
}

const ATTEMPTS = 4;
const RETRY_AFTER_MS = 25;

async function takeOver(
  tx: Queryable,
  accountId: string,
  claim: IdempotencyClaim,
): Promise<Answer | null> {
  const answer = await findAnswer(tx, accountId, claim, true);
  // The sweep may delete the key before the lock. Then the client has to ask again.
  if (answer === null && !(await takeOverClaim(tx, accountId, claim))) throw keyInUse();
  return answer;
}

/** Finds the answer for a repeat; null when there is none, or an expired one. Throws when the request is another one. */
async function findAnswer(
  db: Queryable,
  accountId: string,
  claim: IdempotencyClaim,
  withLock: boolean,
): Promise<Answer | null> {
  const stored = await findRequest(db, accountId, claim, withLock);
  if (stored === undefined || stored.status === null || stored.body === null) return null;
  const ageMs = claim.claimedAt.getTime() - stored.claimedAt.getTime();
  if (ageMs >= ANSWER_LIFETIME_MS) return null;
  if (!isSame(stored, claim)) throw keyReused();
  return { status: stored.status, body: stored.body };
}

function isSame(a: { requestSha256: Buffer }, b: { requestSha256: Buffer }): boolean {
  return a.requestSha256.equals(b.requestSha256);
}
