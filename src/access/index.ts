export { selectActorName } from './actor-name.ts';
export { Actor } from './actor.ts';
export { createPrincipalRecheck, requirePrincipal } from './authenticate.ts';
export { formatEndedCookie, formatSessionCookie, requireSafeConnection } from './cookies.ts';
export { createCredentialCache, type CredentialCache } from './credential-cache.ts';
export { refuseCrossSite } from './cross-site.ts';
export { createDownloads, type SendDownload } from './downloads.ts';
export { FORMAT_PARAMETER, sendRows } from './exports.ts';
export {
  requireGrantable,
  requireGrantableRole,
  requireManageable,
  type Caller,
} from './grants.ts';
export {
  includeReadScopes,
  listScopesOfRole,
  PERMISSIONS,
  ROLES,
  SCOPES,
  type Access,
  type Role,
  type Scope,
} from './permissions.ts';
export {
  createKeyPrincipal,
  createPersonPrincipal,
  getPrincipal,
  getSession,
  listScopesOfKey,
  requireConfirmed,
  type Principal,
  type CallerLimits,
  type RateLimits,
} from './principal.ts';
export {
  findRateLimits,
  limitAmount,
  limitByMethod,
  limitRequests,
  rateLimited,
} from './rate-limits.ts';
export {
  checkRouteScope,
  describeSecurity,
  missingScope,
  requireRouteScopes,
  type RouteScope,
} from './route-scopes.ts';
export { createSlots, createSharedSlots } from './slots.ts';
