import { findAccountBySlug } from '../accounts/index.ts';
import type { Pools } from '../platform/database/index.ts';
import { CommandError } from './command-error.ts';
import { withDatabase, type WorkOptions } from './database.ts';

/** Runs a command's work on the account of this slug. */
export function withAccount<T>(
  slug: string,
  work: (pools: Pools, accountId: string) => Promise<T>,
  options?: WorkOptions,
): Promise<T> {
  return withDatabase(async (pools) => {
    const accountId = await findAccountBySlug(pools.lookups, slug);
    if (accountId === undefined) throw noAccount(slug);
    return work(pools, accountId);
  }, options);
}

export function noAccount(slug: string): CommandError {
  return new CommandError(
    `there is no account "${slug}"; offplan accounts list shows the accounts`,
  );
}
