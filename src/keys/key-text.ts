import { defineToken, hashToken } from '../platform/text/index.ts';

const SECRET_BYTES = 16;

/** The text of an API key. */
export const { create: createKeyText, readAccountId } = defineToken('offplan_', SECRET_BYTES);

export { hashToken as hashKey };

const START_LENGTH = 12;

/** Returns the characters with which all keys of an account begin. They contain its id, and nothing of a secret. */
export function findKeyStart(accountId: string): string {
  return createKeyText(accountId, Buffer.alloc(SECRET_BYTES)).slice(0, START_LENGTH);
}
