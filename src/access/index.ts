export { recallCaller, requireKey, requireReadWrite, type Authenticator } from './authenticate.ts';
export { callerOf, type Access, type Caller } from './principal.ts';
export { limitAmount, limitRequests, rateLimited } from './rate-limits.ts';
