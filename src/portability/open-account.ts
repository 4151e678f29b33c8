import { findAccountBySlug, lockAccount, takeSlug } from '../accounts/index.ts';
import type { Queryable } from '../platform/database/index.ts';

/** The account of a file, locked against other loads. A new one has only its slug so far. */
export interface OpenAccount {
  accountId: string;
  isNew: boolean;
}

/** Finds the account of a slug, or takes the slug for a new one. Two loads of one account run one after the other. */
export async function openAccount(
  tx: Queryable,
  slug: string | undefined,
  newId: () => string,
): Promise<OpenAccount> {
  const created = { accountId: newId(), isNew: true };
  // The file has a fault in its slug: check the rest of it as the file of a new account.
  if (slug === undefined) return created;
  const known = await findAccountBySlug(tx, slug);
  if (known === undefined && (await takeSlug(tx, created.accountId, slug))) return created;
  const accountId = known ?? (await findAccountBySlug(tx, slug));
  if (accountId === undefined) throw new Error('another transaction removed the account');
  await lockAccount(tx, accountId);
  return { accountId, isNew: false };
}
