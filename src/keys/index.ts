export { createKeyCache, type KeyCache } from './look-up.ts';
export { findKeyByText, issueKey, revokeKey } from './service.ts';
export { listKeys, revokeKeys } from './store.ts';
