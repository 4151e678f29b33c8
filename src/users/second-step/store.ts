import sql from 'sql-template-tag';
import { query, queryOnce, type Queryable } from '../../platform/database/index.ts';

interface StoredSecondStep {
  /** The encrypted secret; null until the second step is on. */
  secret: Buffer | null;
  pendingSecret: Buffer | null;
}

export async function readSecondStep(
  db: Queryable,
  accountId: string,
  userId: string,
): Promise<StoredSecondStep | undefined> {
  const [row] = await query<StoredSecondStep>(
    db,
    'second_step_read',
    sql`select secret, pending_secret as "pendingSecret" from second_steps
      where account_id = ${accountId} and user_id = ${userId}`,
  );
  return row;
}

/** Lists some of the second steps that are on, of all accounts. */
export function listSecondSteps(
  db: Queryable,
  limit: number | null,
): Promise<{ accountId: string; userId: string; secret: Buffer }[]> {
  return queryOnce(
    db,
    'second_steps_list',
    sql`select account_id as "accountId", user_id as "userId", secret from second_steps
      where secret is not null limit ${limit}`,
  );
}

/** Stores the secret that a person's app will get. A second step that is on stays on with its own secret. */
export async function setPendingSecret(
  db: Queryable,
  accountId: string,
  userId: string,
  sealed: Buffer,
): Promise<void> {
  await query(
    db,
    'second_step_begin',
    sql`insert into second_steps (account_id, user_id, pending_secret, last_step)
      values (${accountId}, ${userId}, ${sealed}, 0)
      on conflict (account_id, user_id) do update set pending_secret = excluded.pending_secret`,
  );
}

/** Turns the second step on with the pending secret. Returns false when another request has replaced or used it. */
export async function usePendingSecret(
  tx: Queryable,
  accountId: string,
  userId: string,
  sealed: Buffer,
  step: number,
): Promise<boolean> {
  const rows = await query(
    tx,
    'second_step_confirm',
    sql`update second_steps set secret = pending_secret, pending_secret = null, last_step = ${step}
      where account_id = ${accountId} and user_id = ${userId} and pending_secret = ${sealed}
      returning user_id`,
  );
  return rows.length > 0;
}

/** Uses up the code of a time step. Returns false when this or a later one was used before. */
export async function consumeStep(
  db: Queryable,
  accountId: string,
  userId: string,
  step: number,
): Promise<boolean> {
  const rows = await query(
    db,
    'second_step_take',
    sql`update second_steps set last_step = ${step}
      where account_id = ${accountId} and user_id = ${userId} and last_step < ${step}
      returning user_id`,
  );
  return rows.length > 0;
}

/** Uses up a recovery code. Returns false when the person has no such code. */
export async function consumeRecoveryCode(
  db: Queryable,
  accountId: string,
  userId: string,
  codeSha256: Buffer,
): Promise<boolean> {
  const rows = await query(
    db,
    'recovery_code_take',
    sql`delete from recovery_codes
      where account_id = ${accountId} and user_id = ${userId} and code_sha256 = ${codeSha256}
      returning user_id`,
  );
  return rows.length > 0;
}

/** Replaces all recovery codes of a person, used or not. */
export async function replaceRecoveryCodes(
  tx: Queryable,
  accountId: string,
  userId: string,
  hashes: Buffer[],
): Promise<void> {
  await query(
    tx,
    'recovery_codes_delete',
    sql`delete from recovery_codes where account_id = ${accountId} and user_id = ${userId}`,
  );
  await query(
    tx,
    'recovery_codes_insert',
    sql`insert into recovery_codes (account_id, user_id, code_sha256)
      select ${accountId}, ${userId}, code from unnest(${hashes}::bytea[]) as code`,
  );
}

/** Turns the second step of a person off. */
export async function deleteSecondStep(
  tx: Queryable,
  accountId: string,
  userId: string,
): Promise<void> {
  await replaceRecoveryCodes(tx, accountId, userId, []);
  await query(
    tx,
    'second_step_delete',
    sql`delete from second_steps where account_id = ${accountId} and user_id = ${userId}`,
  );
}
