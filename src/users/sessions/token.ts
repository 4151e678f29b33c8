import { defineToken, hashToken } from '../../platform/text/index.ts';

/** The text of a session's token. */
export const { create: createSessionToken, readAccountId } = defineToken('offplan_session_', 20);

export { hashToken };
