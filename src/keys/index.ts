export { createKeyCache, type KeyCache } from './look-up.ts';
export { issueKey, revokeKey } from './service.ts';
export { listKeys } from './store.ts';
