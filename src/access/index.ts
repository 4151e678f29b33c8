export { createPrincipalFinder, requirePrincipal } from './authenticate.ts';
export { formatEndedCookie, formatSessionCookie, requireSafeConnection } from './cookies.ts';
export { createCredentialCache, type CredentialCache } from './credential-cache.ts';
export { refuseCrossSite } from './cross-site.ts';
export { requireGrantableRole, requireManageable, type Caller } from './grants.ts';
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
  requireConfirmed,
  type Principal,
} from './principal.ts';
export { limitAmount, limitRequests, rateLimited } from './rate-limits.ts';
export {
  checkRouteScope,
  describeSecurity,
  requireRouteScopes,
  type RouteScope,
} from './route-scopes.ts';
