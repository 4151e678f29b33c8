export { requireKey, requireScope, type FindPrincipal } from './authenticate.ts';
export { getPrincipal, createPrincipal, type Access, type Principal } from './principal.ts';
export { limitAmount, limitRequests, rateLimited } from './rate-limits.ts';
