import { createHmac, createSecretKey, randomBytes, type KeyObject } from 'node:crypto';

const SECRET_BYTES = 32;
const PREFIX = 'whsec_';

/** Makes a secret with which deliveries are signed (Standard Webhooks 1.0). */
export function makeSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

/** Makes the key of a secret, once for many signatures: with the bytes alone, Node.js takes several times as long for each. */
export const createSigningKey = (secret: string): KeyObject =>
  createSecretKey(Buffer.from(secret.slice(PREFIX.length), 'base64'));

/**
 * Makes the header `webhook-signature` of Standard Webhooks 1.0: a signature for each key, so that a receiver with the old
 * secret and one with the new secret both accept it.
 */
export function signDelivery(
  keys: KeyObject[],
  id: string,
  timestampSeconds: number,
  body: string | Buffer,
): string {
  return keys
    .map((key) => {
      const hmac = createHmac('sha256', key).update(`${id}.${timestampSeconds}.`).update(body);
      return `v1,${hmac.digest('base64')}`;
    })
    .join(' ');
}
