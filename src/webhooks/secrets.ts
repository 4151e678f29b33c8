import { randomBytes } from 'node:crypto';
import { requireSecretKey, seal, unseal } from '../platform/secrets/index.ts';

const SECRET_BYTES = 32;
const PREFIX = 'whsec_';

/** Makes a secret with which deliveries are signed (Standard Webhooks 1.0). */
export function makeSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

/** Encrypts and decrypts the secrets of a webhook. A secret cannot be decrypted in the row of another webhook. */
export function createWebhookSeal(secretKey: Buffer | null) {
  const requireKey = () => requireSecretKey(secretKey, 'Webhooks need');
  const nameOwner = (accountId: string, id: string) => `${accountId} webhook ${id}`;

  return {
    requireKey,
    seal: (accountId: string, id: string, text: string): Buffer =>
      seal(Buffer.from(text), requireKey(), nameOwner(accountId, id)),
    unseal: (accountId: string, id: string, sealed: Buffer): string =>
      unseal(sealed, requireKey(), nameOwner(accountId, id)).toString(),
  };
}

export type WebhookSeal = ReturnType<typeof createWebhookSeal>;
