import type { Pool, Queryable } from '../database/index.ts';
import { createFairQueue } from '../queue/index.ts';
import {
  idempotencyKeyInUse,
  idempotencyKeyReused,
  type Answer,
  type IdempotencyClaim,
} from './key.ts';
import { findRequest, insertClaim, takeOverClaim } from './store.ts';

/** Claims use at most this many connections at once. */
const CLAIM_SLOTS = { slots: 3, slotsPerAccount: 2 };

/**
 * Creates the function that runs a request with an Idempotency-Key at most once; a repeat gets the stored answer. The claim
 * is committed before the work begins. The work stores the answer in its own transaction, and only while it has the claim.
 * An attempt that failed or died has stored no answer and holds no lock, so that the next attempt takes its claim over.
 */
export function createRunOnce(db: Pool) {
  const runFair = createFairQueue(CLAIM_SLOTS);
  // The claims of this process, so that a repeat does not take over one whose request waits or runs.
  const running = new Map<string, IdempotencyClaim>();

  return async function runOnce(
    accountId: string,
    claim: IdempotencyClaim,
    work: () => Promise<Answer>,
  ): Promise<{ answer: Answer; replayed: boolean }> {
    const name = [accountId, claim.actorId, claim.key].join(' ');
    const other = running.get(name);
    if (other === undefined) running.set(name, claim);
    try {
      const answer = await runFair(accountId, () =>
        other === undefined ? claimKey(db, accountId, claim) : findAnswer(db, accountId, claim),
      );
      if (answer !== null) return { answer, replayed: true };
      if (other !== undefined)
        throw isSameRequest(other, claim) ? idempotencyKeyInUse() : idempotencyKeyReused();
      return { answer: await work(), replayed: false };
    } finally {
      if (other === undefined) running.delete(name);
    }
  };
}

/** Claims the key. Returns the stored answer when there is one; null when the claim now has the key. */
async function claimKey(
  db: Pool,
  accountId: string,
  claim: IdempotencyClaim,
): Promise<Answer | null> {
  if (await insertClaim(db, accountId, claim)) return null;
  const answer = await findAnswer(db, accountId, claim);
  if (answer !== null) return answer;
  if (await takeOverClaim(db, accountId, claim)) return null;
  // The request that has the claim is running, or has just ended.
  const holder = await findRequest(db, accountId, claim);
  throw holder === undefined || isSameRequest(holder, claim)
    ? idempotencyKeyInUse()
    : idempotencyKeyReused();
}

/** Finds the answer to a repeat; null when there is none, or it has expired. Throws when the key was used for another request. */
export async function findAnswer(
  db: Queryable,
  accountId: string,
  claim: IdempotencyClaim,
): Promise<Answer | null> {
  const stored = await findRequest(db, accountId, claim);
  if (!stored?.answer) return null;
  if (!isSameRequest(stored, claim)) throw idempotencyKeyReused();
  return stored.answer;
}

function isSameRequest(a: { requestSha256: Buffer }, b: { requestSha256: Buffer }): boolean {
  return a.requestSha256.equals(b.requestSha256);
}
