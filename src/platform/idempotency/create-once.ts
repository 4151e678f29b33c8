import { retryOnConflict, runInTransaction, type Pool, type Queryable } from '../database/index.ts';
import { Problem } from '../http/index.ts';
import { idempotencyKeyInUse, type Answer, type IdempotencyClaim } from './key.ts';
import { findAnswer } from './run-once.ts';
import { insertClaim, saveAnswers, takeOverClaim } from './store.ts';

/** A request that is answered at most once for an Idempotency-Key. */
interface OnceOptions {
  accountId: string;
  /** Null when the request has no Idempotency-Key. */
  claim: IdempotencyClaim | null;
  /** The status of the answer. */
  status: number;
  /** The member of the answer that is shown once. The stored answer lacks it. */
  secret?: string | undefined;
}

/** A request that creates something. */
export interface Creation extends Pick<OnceOptions, 'accountId' | 'claim'> {
  /** The path of the request. The path of the new resource is this one and its id. */
  path: string;
}

/**
 * Creates a resource in a transaction, at most once for an Idempotency-Key. The key is stored in the same transaction: a refused
 * request stores nothing, and a repeat that arrives while the first request runs waits for it. With a `secret`, a repeat is a 409.
 */
export async function createOnce<Resource extends { id: string }>(
  db: Pool,
  { accountId, claim, path, secret }: Creation & Pick<OnceOptions, 'secret'>,
  create: (tx: Queryable) => Promise<Resource>,
): Promise<{ resource: Resource; isRepeat: boolean }> {
  const options = { accountId, claim, status: 201, secret };
  const { result: resource, isRepeat } = await answerOnce(db, options, create);
  if (isRepeat && secret !== undefined) throw secretShownOnce(`${path}/${resource.id}`);
  return { resource, isRepeat };
}

/** Does something in a transaction, at most once for an Idempotency-Key. A repeat gets the first result. */
export function answerOnce<Result extends object>(
  db: Pool,
  { accountId, claim, status, secret }: OnceOptions,
  work: (tx: Queryable) => Promise<Result>,
): Promise<{ result: Result; isRepeat: boolean }> {
  return retryOnConflict(() =>
    runInTransaction(db, async (tx) => {
      const saved = claim && (await claimInTransaction(tx, accountId, claim));
      if (saved !== null) return { result: JSON.parse(saved.body) as Result, isRepeat: true };
      const result = await work(tx);
      if (claim !== null) {
        const shown = { ...result, ...(secret !== undefined && { [secret]: undefined }) };
        await saveAnswers(tx, accountId, [
          { claim, answer: { status, body: JSON.stringify(shown) } },
        ]);
      }
      return { result, isRepeat: false };
    }),
  );
}

/** Claims the key for a transaction. Returns the stored answer when an earlier request has one. */
async function claimInTransaction(
  tx: Queryable,
  accountId: string,
  claim: IdempotencyClaim,
): Promise<Answer | null> {
  // When another transaction has inserted the key, this insert waits until that one ends.
  if (await insertClaim(tx, accountId, claim)) return null;
  const answer = await findAnswer(tx, accountId, claim);
  if (answer !== null) return answer;
  if (await takeOverClaim(tx, accountId, claim)) return null;
  throw idempotencyKeyInUse();
}

function secretShownOnce(location: string): Problem {
  const detail =
    'The first request with this Idempotency-Key was answered. Its secret is shown once; Location names what it made.';
  return new Problem('secret_shown_once', detail, { headers: { location } });
}
