import sql from 'sql-template-tag';
import { insertRows, query, type Queryable } from '../database/index.ts';
import { DAY_MS } from '../text/index.ts';
import type { Answer, IdempotencyClaim } from './key.ts';

/** A repeat within this time gets the stored answer. */
const ANSWER_LIFETIME_MS = DAY_MS;

/** Returns the time before which requests were claimed whose answers have expired by now. */
function findExpiry(now: Date): Date {
  return new Date(now.getTime() - ANSWER_LIFETIME_MS);
}

/** Claims a new key; false when the key exists. */
export async function insertClaim(
  db: Queryable,
  accountId: string,
  { actorId, key, requestSha256, id, claimedAt }: IdempotencyClaim,
): Promise<boolean> {
  const rows = await query(
    db,
    'idempotency_key_insert',
    sql`insert into idempotency_keys (account_id, api_key_id, key, request_sha256, claim_id, claimed_at)
      values (${accountId}, ${actorId}, ${key}, ${requestSha256}, ${id}, ${claimedAt})
      on conflict (account_id, api_key_id, key) do nothing returning true`,
  );
  return rows.length > 0;
}

/** Finds the request that has the key of a claim, and its answer; null when it has none, or it has expired. */
export async function findRequest(
  db: Queryable,
  accountId: string,
  claim: IdempotencyClaim,
): Promise<{ requestSha256: Buffer; answer: Answer | null } | undefined> {
  const [row] = await query<{ requestSha256: Buffer; answer: Answer | null }>(
    db,
    'idempotency_key_find',
    sql`select request_sha256 as "requestSha256",
        case when status is not null and claimed_at > ${findExpiry(claim.claimedAt)}
          then json_build_object('status', status, 'body', body) end as answer
      from idempotency_keys
      where account_id = ${accountId} and api_key_id = ${claim.actorId} and key = ${claim.key}`,
  );
  return row;
}

/**
 * Takes over a key whose request has no answer or an expired one. Returns false when there is no such key, or when another
 * transaction has locked it.
 */
export async function takeOverClaim(
  db: Queryable,
  accountId: string,
  claim: IdempotencyClaim,
): Promise<boolean> {
  const { actorId, key, requestSha256, id, claimedAt } = claim;
  const rows = await query(
    db,
    'idempotency_key_take_over',
    // SKIP LOCKED instead of `lock_timeout`: `set_config` does not reach the Citus worker that runs this statement.
    sql`update idempotency_keys set request_sha256 = ${requestSha256}, claim_id = ${id},
        claimed_at = ${claimedAt}, status = null, body = null
      where account_id = ${accountId} and api_key_id = ${actorId} and key = (
          select key from idempotency_keys
          where account_id = ${accountId} and api_key_id = ${actorId} and key = ${key}
            and (status is null or claimed_at <= ${findExpiry(claim.claimedAt)})
          for update skip locked
        )
      returning true`,
  );
  return rows.length > 0;
}

/**
 * Locks claims until the transaction ends, so that a repeat sees that an answer will come. Returns the ids of the claims that
 * still have their keys.
 */
export async function lockClaims(
  tx: Queryable,
  accountId: string,
  claims: IdempotencyClaim[],
): Promise<Set<string>> {
  if (claims.length === 0) return new Set();
  const rows = await query<{ id: string }>(
    tx,
    'idempotency_keys_lock',
    sql`select claim_id as id from idempotency_keys
      where account_id = ${accountId} and api_key_id = any(${claims.map(({ actorId }) => actorId)}::uuid[])
        and key = any(${claims.map(({ key }) => key)})
        and claim_id = any(${claims.map(({ id }) => id)}::uuid[])
      order by api_key_id, key
      for update`,
  );
  return new Set(rows.map(({ id }) => id));
}

/** Saves the answers of requests with an Idempotency-Key, for repeats. The caller has locked the claims. */
export async function saveAnswers(
  tx: Queryable,
  accountId: string,
  answered: { claim: IdempotencyClaim; answer: Answer }[],
): Promise<void> {
  if (answered.length === 0) return;
  // An upsert finds the claim by its key: it exists and is locked.
  const rows = answered.map(({ claim, answer }) => [
    claim.actorId,
    claim.key,
    claim.requestSha256,
    claim.id,
    claim.claimedAt,
    answer.status,
    answer.body,
  ]);
  await insertRows(tx, accountId, ANSWERS, rows);
}

const ANSWERS = {
  name: 'idempotency_answers_write',
  table: 'idempotency_keys',
  columns: ['api_key_id', 'key', 'request_sha256', 'claim_id', 'claimed_at', 'status', 'body'],
  onConflict: `on conflict (account_id, api_key_id, key) do update
    set status = excluded.status, body = excluded.body`,
};

/** Deletes the stored answers that contain one of these ids. A repeat of such a request runs as a new one. */
export async function dropAnswers(db: Queryable, accountId: string, ids: string[]): Promise<void> {
  await query(
    db,
    'idempotency_answers_drop',
    sql`delete from idempotency_keys
      where account_id = ${accountId} and body like any(${ids.map((id) => `%${id}%`)})`,
  );
}

/** Deletes up to 500 keys whose answers are no longer repeated. Returns whether there may be more. */
export async function deleteOldKeys(db: Queryable, accountId: string, now: Date): Promise<boolean> {
  const deleted = await query(
    db,
    'sweep_idempotency_keys',
    sql`with old as materialized (
        select api_key_id, key from idempotency_keys
        where account_id = ${accountId} and claimed_at < ${findExpiry(now)}
        order by claimed_at limit 500 for update skip locked
      )
      delete from idempotency_keys using old
      where idempotency_keys.account_id = ${accountId}
        and idempotency_keys.api_key_id = old.api_key_id and idempotency_keys.key = old.key
      returning true`,
  );
  return deleted.length === 500;
}
