export { issueKey } from './issue.ts';
export { createAuthenticator } from './look-up.ts';
export { forgetKeys } from './memory.ts';
export { revokeKey } from './revoke.ts';
export { listKeys } from './store.ts';
