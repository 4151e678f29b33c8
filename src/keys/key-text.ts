import { defineToken, hashToken } from '../platform/text/index.ts';

/** The text of an API key. */
export const { create: createKeyText, readAccountId } = defineToken('offplan_', 16);

export { hashToken as hashKey };
