import sql from 'sql-template-tag';
import { query, type Queryable } from '../platform/database/index.ts';

/**
 * Locks emails of an account until the transaction ends, so that whoever writes contacts with one of them
 * waits here for the other. `where false` takes the lock of a row that is there without writing it again.
 * To be called with the keys of all contacts that the transaction may write, before it reads them.
 */
export async function emailsLock(
  tx: Queryable,
  accountId: string,
  emailKeys: string[],
): Promise<void> {
  if (emailKeys.length === 0) return;
  await query(
    tx,
    'emails_lock',
    sql`insert into email_locks (account_id, email_key)
      select ${accountId}, email_key from unnest(${inLockOrder(emailKeys)}::text[]) as email_key
      on conflict (account_id, email_key) do update set email_key = excluded.email_key where false`,
  );
}

/** Emails once each, in one order for everyone, or two batches could wait for each other. */
export function inLockOrder(emailKeys: string[]): string[] {
  return [...new Set(emailKeys)].toSorted();
}
