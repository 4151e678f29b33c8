export { createKeyCache } from './look-up.ts';
export { keyRoutes } from './routes.ts';
export { createKey, findKeyByText, issueKey, readKeyObjects, revokeKey } from './service.ts';
export { listKeys, revokeKeys, type ApiKey } from './store.ts';
