import { findAccountBySlug } from '../accounts/index.ts';
import type { Queryable } from '../platform/database/index.ts';
import { CommandError } from './command.ts';

/** The id of the account that a command's ACCOUNT names. */
export async function findAccount(db: Queryable, slug: string): Promise<string> {
  const accountId = await findAccountBySlug(db, slug);
  if (accountId !== undefined) return accountId;
  throw noAccount(slug);
}

export function noAccount(slug: string): CommandError {
  return new CommandError(
    `there is no account "${slug}"; offplan accounts list shows the accounts`,
  );
}
