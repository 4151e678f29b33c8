export { requireKey, type FindPrincipal } from './authenticate.ts';
export {
  includeReadScopes,
  listScopesOfRole,
  PERMISSIONS,
  ROLES,
  SCOPES,
  type Access,
  type Scope,
} from './permissions.ts';
export { getPrincipal, createPrincipal, type Principal } from './principal.ts';
export { limitAmount, limitRequests, rateLimited } from './rate-limits.ts';
export {
  checkRouteScope,
  describeSecurity,
  requireRouteScopes,
  type RouteScope,
} from './route-scopes.ts';
