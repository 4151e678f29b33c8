import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { Problem, unavailable } from '../http/index.ts';

const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Throws unless the service has the key that encrypts secrets. `use` names what needs it, such as "Webhooks need". */
export function requireSecretKey(key: Buffer | null, use: string): Buffer {
  if (key !== null) return key;
  throw new Problem(
    'unavailable',
    `${use} OFFPLAN_SECRET_KEY, which the operator of this service has not set.`,
  );
}

/** A stored secret that is encrypted, and its owner. */
export interface SealedSecret {
  sealed: Buffer;
  owner: string;
}

/** Counts the secrets that cannot be decrypted with a key. */
export function countUnreadable(secrets: SealedSecret[], key: Buffer | null): number {
  const isReadable = ({ sealed, owner }: SealedSecret): boolean => {
    try {
      return key !== null && unseal(sealed, key, owner).length > 0;
    } catch {
      return false;
    }
  };
  return secrets.filter((secret) => !isReadable(secret)).length;
}

/** Encrypts a secret (AES-256-GCM). It can be decrypted only with the same `owner`. */
export function seal(secret: Buffer, key: Buffer, owner: string): Buffer {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, iv);
  cipher.setAAD(Buffer.from(owner));
  const sealed = Buffer.concat([cipher.update(secret), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]);
}

/** Decrypts a secret. Throws a 503 when it was encrypted with another key. */
export function unseal(sealed: Buffer, key: Buffer, owner: string): Buffer {
  const iv = sealed.subarray(0, IV_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', key, iv);
  decipher.setAAD(Buffer.from(owner));
  decipher.setAuthTag(sealed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  try {
    const text = decipher.update(sealed.subarray(IV_BYTES + TAG_BYTES));
    return Buffer.concat([text, decipher.final()]);
  } catch (error) {
    const detail = 'OFFPLAN_SECRET_KEY is not the key that this secret was encrypted with.';
    throw unavailable(detail, error);
  }
}
