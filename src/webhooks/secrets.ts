import { randomBytes } from 'node:crypto';
import { requireSecretKey, seal, unseal } from '../platform/secrets/index.ts';

const SECRET_BYTES = 32;
const PREFIX = 'whsec_';

/** Makes a secret that deliveries are signed with (Standard Webhooks 1.0). */
export function makeSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

/** Encrypts and decrypts what a webhook keeps secret. A row of another webhook cannot be decrypted in its place. */
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
