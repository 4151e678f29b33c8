import { createHmac } from 'node:crypto';

const PREFIX = 'whsec_';

/**
 * Makes the header `webhook-signature` of Standard Webhooks 1.0: a signature for each secret, so that a receiver with the old
 * secret and one with the new secret both accept it.
 */
export function signDelivery(
  secrets: string[],
  id: string,
  timestampSeconds: number,
  body: string | Buffer,
): string {
  return secrets
    .map((secret) => {
      const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
      const hmac = createHmac('sha256', key).update(`${id}.${timestampSeconds}.`).update(body);
      return `v1,${hmac.digest('base64')}`;
    })
    .join(' ');
}
