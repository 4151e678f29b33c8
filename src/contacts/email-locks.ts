import { createHash } from 'node:crypto';
import sql from 'sql-template-tag';
import { lockAccount } from '../accounts/index.ts';
import { insertRows, query, type Queryable } from '../platform/database/index.ts';
import { findContactKeys } from './read-store.ts';

/**
 * Locks emails of an account until the transaction ends. The caller locks the emails of all contacts that it may write
 * before it reads them. `where false` locks an existing row without writing it. The sorted order prevents deadlocks.
 */
export async function lockEmails(
  tx: Queryable,
  accountId: string,
  emailKeys: string[],
): Promise<void> {
  if (emailKeys.length === 0) return;
  const sorted = [...new Set(emailKeys)].toSorted();
  await insertRows(
    tx,
    accountId,
    LOCKS,
    sorted.map((emailKey) => [hashEmail(emailKey)]),
  );
}

/**
 * Deletes the rows of locks whose emails no contact has any more: an email can be guessed from its hash. The caller holds these
 * locks. A transaction that waits for one makes a new row afterwards.
 */
export async function deleteEmailLocks(
  tx: Queryable,
  accountId: string,
  emailKeys: string[],
): Promise<void> {
  if (emailKeys.length === 0) return;
  await query(
    tx,
    'email_locks_delete',
    sql`delete from email_locks
      where account_id = ${accountId} and email_sha256 = any(${emailKeys.map(hashEmail)}::bytea[])`,
  );
}

const hashEmail = (emailKey: string): Buffer => createHash('sha256').update(emailKey).digest();

const LOCKS = {
  name: 'emails_lock',
  table: 'email_locks',
  columns: ['email_sha256'],
  onConflict:
    'on conflict (account_id, email_sha256) do update set email_sha256 = excluded.email_sha256 where false',
};

/**
 * Locks the emails of contacts, and further emails that contacts will get. It first locks the account: edits and loads of account
 * files, which could change these emails, then wait.
 */
export async function lockContactEmails(
  tx: Queryable,
  accountId: string,
  ids: string[],
  furtherKeys: string[] = [],
): Promise<void> {
  await lockAccount(tx, accountId);
  const keys = await findContactKeys(tx, accountId, { ids });
  await lockEmails(tx, accountId, [...keys.map(({ emailKey }) => emailKey), ...furtherKeys]);
}
