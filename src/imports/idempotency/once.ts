import { setTimeout as sleep } from 'node:timers/promises';
import {
  isLockTimeout,
  transaction,
  type Pool,
  type Queryable,
} from '../../platform/database/index.ts';
import { createFairQueue } from '../../platform/queue/index.ts';
import type { Answer } from '../submission.ts';
import { inUse, reused, type Claim } from './claim.ts';
import { claimInsert, claimTakeOver, keptFind, keptLock, type KeptRequest } from './store.ts';

/** Claims that are made at once. Each takes a connection. */
const SLOTS = { slots: 3, slotsPerAccount: 2 };

/** How long an answer is kept for those who repeat the request. */
export const KEPT_MS = 24 * 60 * 60 * 1000;

export type Once = (
  accountId: string,
  claim: Claim,
  work: () => Promise<Answer>,
) => Promise<{ answer: Answer; replayed: boolean }>;

/**
 * Runs a request that its client has named at most once: a repeat gets the answer that was kept. The claim is
 * committed before the work begins; the work keeps the answer in its own transaction, and only while it holds the
 * claim. An attempt that failed or died has kept nothing and locks nothing, so that the next one takes over.
 */
export function createOnce(db: Pool): Once {
  const runFair = createFairQueue(SLOTS);
  // What this process is at, so that it need not ask the database, and a claim that waits is not taken over.
  const underWay = new Map<string, Claim>();

  return async function once(accountId, claim, work) {
    const name = [accountId, claim.apiKeyId, claim.key].join(' ');
    const running = underWay.get(name);
    if (running !== undefined) return { answer: await answered(running), replayed: true };
    underWay.set(name, claim);
    try {
      const kept = await runFair(accountId, () => claimOrRead(db, accountId, claim));
      if (kept !== null) return { answer: kept, replayed: true };
      return { answer: await work(), replayed: false };
    } finally {
      underWay.delete(name);
    }

    // What runs may be another repeat, of what was answered long ago.
    async function answered(other: Claim): Promise<Answer> {
      const kept = await runFair(accountId, () => read(db, accountId, claim));
      if (kept !== null) return kept;
      throw isSame(other, claim) ? inUse() : reused();
    }
  };
}

function isSame(a: { requestSha256: Buffer }, b: { requestSha256: Buffer }): boolean {
  return a.requestSha256.equals(b.requestSha256);
}

/** The answer that is kept under a key; null when there is none and the key is now the claim's. */
async function claimOrRead(db: Pool, accountId: string, claim: Claim): Promise<Answer | null> {
  if (await claimInsert(db, accountId, claim)) return null;
  for (let look = 1; ; look += 1) {
    const kept = await read(db, accountId, claim);
    if (kept !== null) return kept;
    try {
      return await transaction(db, (tx) => takeOver(tx, accountId, claim));
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
    }
    const holder = await keptFind(db, accountId, claim);
    if (holder === undefined || isSame(holder, claim)) throw inUse();
    // An import of another request holds it for long; another repeat that takes over a dead one, for a moment.
    if (look === LOOKS) throw reused();
    await sleep(LOOK_AGAIN_MS);
  }
}

const LOOKS = 4;
const LOOK_AGAIN_MS = 25;

async function read(db: Queryable, accountId: string, claim: Claim): Promise<Answer | null> {
  const kept = await keptFind(db, accountId, claim);
  return kept === undefined ? null : answerTo(claim, kept);
}

/** Makes the key the claim's, unless it was answered meanwhile. */
async function takeOver(tx: Queryable, accountId: string, claim: Claim): Promise<Answer | null> {
  const kept = await keptLock(tx, accountId, claim);
  // Swept away between the two looks.
  if (kept === undefined) throw inUse();
  const answer = answerTo(claim, kept);
  if (answer === null) await claimTakeOver(tx, accountId, claim);
  return answer;
}

/** The answer that a repeat gets; null when there is none, or none any more. Throws when it is no repeat. */
function answerTo(claim: Claim, kept: KeptRequest): Answer | null {
  const { status, body } = kept;
  if (status === null || body === null || isPast(kept, claim)) return null;
  if (isSame(kept, claim)) return { status, body };
  throw reused();
}

function isPast(kept: KeptRequest, { claimedAt }: Claim): boolean {
  return claimedAt.getTime() - kept.claimedAt.getTime() >= KEPT_MS;
}
