import { runInTransaction, type Pool } from '../platform/database/index.ts';
import { lockAccount, releaseSlug, reserveSlug } from './store.ts';

/** The account cannot be renamed: another one has the slug. */
export class SlugTakenError extends Error {}

/** Gives an account another slug. Its keys stay valid. Returns false when it no longer has the old slug. */
export function renameAccount(
  db: Pool,
  accountId: string,
  { from, to }: { from: string; to: string },
): Promise<boolean> {
  return runInTransaction(db, async (tx) => {
    await lockAccount(tx, accountId);
    if (!(await releaseSlug(tx, accountId, from))) return false;
    if (!(await reserveSlug(tx, accountId, to))) throw new SlugTakenError();
    return true;
  });
}
