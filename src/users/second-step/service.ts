import { randomBytes } from 'node:crypto';
import type { Principal } from '../../access/index.ts';
import { describeAccount } from '../../accounts/index.ts';
import { runInTransaction, type Pool, type Queryable } from '../../platform/database/index.ts';
import { Problem } from '../../platform/http/index.ts';
import { requireSecretKey, seal, unseal, type SealedSecret } from '../../platform/secrets/index.ts';
import { hashToken } from '../../platform/text/index.ts';
import { findPerson } from '../people/store.ts';
import { raiseVersion } from '../store.ts';
import {
  deleteSecondStep,
  listSecondSteps,
  readSecondStep,
  replaceRecoveryCodes,
  setPendingSecret,
  consumeRecoveryCode,
  consumeStep,
  usePendingSecret,
} from './store.ts';
import { findStepOfCode, formatOtpauthUrl, toBase32 } from './totp.ts';

const SECRET_BYTES = 20;
const RECOVERY_CODES = 10;
const RECOVERY_CODE_BYTES = 10;

/** Makes a secret for a person's app. The second step is on when they have sent a code from the app. */
export async function beginSecondStep(
  db: Queryable,
  { accountId, actor }: Principal,
  key: Buffer | null,
): Promise<{ secret: string; url: string }> {
  const bytes = randomBytes(SECRET_BYTES);
  const sealed = seal(bytes, requireKey(key), nameOwner(accountId, actor.id));
  await setPendingSecret(db, accountId, actor.id, sealed);
  const [{ displayName }, person] = await Promise.all([
    describeAccount(db, accountId),
    findPerson(db, accountId, actor.id),
  ]);
  const secret = toBase32(bytes);
  return { secret, url: formatOtpauthUrl(secret, displayName, person?.email ?? '') };
}

/** Whether a person must also send a code to sign in. */
export async function hasSecondStep(
  db: Queryable,
  { accountId, actor }: Principal,
): Promise<boolean> {
  const secret = (await readSecondStep(db, accountId, actor.id))?.secret ?? null;
  return secret !== null;
}

/** Turns the second step on, and returns recovery codes, which are shown once. */
export async function confirmSecondStep(
  db: Pool,
  { accountId, actor }: Principal,
  code: string,
  key: Buffer | null,
): Promise<string[]> {
  const secretKey = requireKey(key);
  const pending = (await readSecondStep(db, accountId, actor.id))?.pendingSecret ?? null;
  const step =
    pending === null
      ? null
      : findStepOfCode(
          unseal(pending, secretKey, nameOwner(accountId, actor.id)),
          code,
          new Date(),
        );
  if (pending === null || step === null) throw notOfNewSecret();
  const codes = Array.from({ length: RECOVERY_CODES }, makeRecoveryCode);
  const hashes = codes.map((each) => hashRecoveryCode(accountId, each));
  await runInTransaction(db, async (tx) => {
    // Lock the person before the second step, as a reset does.
    await raiseVersion(tx, accountId, actor.id);
    if (!(await usePendingSecret(tx, accountId, actor.id, pending, step))) throw notOfNewSecret();
    await replaceRecoveryCodes(tx, accountId, actor.id, hashes);
  });
  return codes;
}

/** Turns the second step of the caller off, and deletes their recovery codes. */
export function endSecondStep(db: Pool, { accountId, actor }: Principal): Promise<void> {
  return runInTransaction(db, async (tx) => {
    await raiseVersion(tx, accountId, actor.id);
    await deleteSecondStep(tx, accountId, actor.id);
  });
}

/**
 * Checks the code of a sign-in or a confirmation, and uses it up: each code works once. Returns true for a right code, and for a
 * person without a second step. Throws when the person has a second step and sent no code.
 */
export async function consumeCode(
  db: Queryable,
  accountId: string,
  userId: string,
  code: string | undefined,
  key: Buffer | null,
): Promise<boolean> {
  const secret = (await readSecondStep(db, accountId, userId))?.secret ?? null;
  if (secret === null) return true;
  if (code === undefined)
    throw new Problem('second_step_required', 'Send the code of the app, or a recovery code.');
  const bytes = unseal(secret, requireKey(key), nameOwner(accountId, userId));
  const step = findStepOfCode(bytes, code, new Date());
  return step === null
    ? consumeRecoveryCode(db, accountId, userId, hashRecoveryCode(accountId, code))
    : consumeStep(db, accountId, userId, step);
}

/** Consumes a code of the person who is signed in, as `consumeCode` does. Throws when the code is wrong. */
export async function requireOwnCode(
  db: Queryable,
  { accountId, actor }: Principal,
  code: string | undefined,
  key: Buffer | null,
): Promise<void> {
  if (await consumeCode(db, accountId, actor.id, code, key)) return;
  const detail = 'The code is not one that the app shows now, nor a recovery code that is unused.';
  throw new Problem('sign_in_failed', detail);
}

const requireKey = (key: Buffer | null): Buffer => requireSecretKey(key, 'The second step needs');

const nameOwner = (accountId: string, userId: string): string => `${accountId} ${userId}`;

/** Lists some of the secrets of the second steps of all people, encrypted. */
export async function listSecondStepSecrets(
  db: Queryable,
  limit: number | null,
): Promise<SealedSecret[]> {
  const rows = await listSecondSteps(db, limit);
  return rows.map(({ accountId, userId, secret }) => ({
    sealed: secret,
    owner: nameOwner(accountId, userId),
  }));
}

function makeRecoveryCode(): string {
  const text = toBase32(randomBytes(RECOVERY_CODE_BYTES)).toLowerCase();
  return `${text.slice(0, 8)}-${text.slice(8)}`;
}

function hashRecoveryCode(accountId: string, code: string): Buffer {
  return hashToken(`${accountId} ${code.toLowerCase().replaceAll(/[^a-z2-7]/g, '')}`);
}

function notOfNewSecret(): Problem {
  const detail =
    'The code is not one that the app shows for the secret of the latest POST /me/second-step.';
  return new Problem('sign_in_failed', detail);
}
