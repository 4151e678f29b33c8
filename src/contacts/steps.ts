import { lockAccount } from '../accounts/index.ts';
import {
  retryOnConflict,
  runInTransaction,
  type Pool,
  type Queryable,
} from '../platform/database/index.ts';

/*
 * A transaction that has locked the revision makes all other writers of the account wait until its COMMIT, also imports of leads.
 * So a change of many contacts runs in steps, each in a transaction of its own. Each step first locks the account: edits and loads
 * wait for that lock, leads do not.
 */

/** The most contacts that one step writes, because leads wait for it. */
export const STEP_MAX_CONTACTS = 100;

/** Runs a step in a transaction that holds the lock on the account. */
export function runStep<Result>(
  db: Pool,
  accountId: string,
  step: (tx: Queryable) => Promise<Result>,
): Promise<Result> {
  return retryOnConflict(() =>
    runInTransaction(db, async (tx) => {
      await lockAccount(tx, accountId);
      return step(tx);
    }),
  );
}

/** Repeats a step until it returns true. */
export async function repeatStep(
  db: Pool,
  accountId: string,
  step: (tx: Queryable, isFirst: boolean) => Promise<boolean>,
): Promise<void> {
  let isDone = await runStep(db, accountId, (tx) => step(tx, true));
  while (!isDone) isDone = await runStep(db, accountId, (tx) => step(tx, false));
}
