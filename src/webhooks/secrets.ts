import type { Queryable } from '../platform/database/index.ts';
import { requireSecretKey, seal, unseal, type SealedSecret } from '../platform/secrets/index.ts';
import { listSecrets } from './store.ts';

const nameOwner = (accountId: string, id: string): string => `${accountId} webhook ${id}`;

/** Lists some of the secrets of all webhooks, encrypted. */
export async function listWebhookSecrets(
  db: Queryable,
  limit: number | null,
): Promise<SealedSecret[]> {
  const rows = await listSecrets(db, limit);
  return rows.map(({ accountId, id, secret }) => ({
    sealed: secret,
    owner: nameOwner(accountId, id),
  }));
}

/** Encrypts and decrypts the secrets of a webhook. A secret cannot be decrypted in the row of another webhook. */
export function createWebhookSeal(secretKey: Buffer | null) {
  const requireKey = () => requireSecretKey(secretKey, 'Webhooks need');
  const unsealText = (accountId: string, id: string, sealed: Buffer): string =>
    unseal(sealed, requireKey(), nameOwner(accountId, id)).toString();

  return {
    requireKey,
    seal: (accountId: string, id: string, text: string): Buffer =>
      seal(Buffer.from(text), requireKey(), nameOwner(accountId, id)),
    unseal: unsealText,
    /** Decrypts the headers of a webhook; null stands for none. */
    unsealHeaders: (accountId: string, id: string, sealed: Buffer | null): Record<string, string> =>
      sealed === null ? {} : JSON.parse(unsealText(accountId, id, sealed)),
  };
}

export type WebhookSeal = ReturnType<typeof createWebhookSeal>;
