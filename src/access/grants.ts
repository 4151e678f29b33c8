import { Problem } from '../platform/http/index.ts';
import { includeReadScopes, listScopesOfRole, type Role, type Scope } from './permissions.ts';
import type { Principal } from './principal.ts';

/** The principal of a request; null for a command of the operator, which may do everything. */
export type Caller = Principal | null;

/** Throws a 403 unless the caller has all these scopes: nobody can grant a scope that they lack. */
export function requireGrantable(caller: Caller, scopes: readonly Scope[]): void {
  const missing =
    caller === null ? [] : includeReadScopes(scopes).filter((each) => !caller.can(each));
  if (missing.length === 0) return;
  const detail = `You can grant only scopes that you have. You lack ${missing.join(', ')}.`;
  throw new Problem('scope_not_grantable', detail);
}

const MANAGED_BY_MANAGERS: ReadonlySet<Role> = new Set(['agent', 'viewer']);

/**
 * Throws a 403 unless the caller may manage people with this role. An API key may manage them if it has all scopes of the role.
 */
export function requireManageable(caller: Caller, role: Role): void {
  if (caller === null || caller.role === 'owner') return;
  const isManageable =
    caller.role === null
      ? listScopesOfRole(role).every((each) => caller.can(each))
      : caller.role === 'manager' && MANAGED_BY_MANAGERS.has(role);
  if (isManageable) return;
  const detail =
    caller.role === null
      ? `The API key lacks scopes that the role of ${role} has.`
      : `Only an owner manages people with the role of ${role}.`;
  throw new Problem('role_not_manageable', detail);
}

/** Throws a 403 unless the caller may give people this role. */
export function requireGrantableRole(caller: Caller, role: Role): void {
  if (caller?.role === null) requireGrantable(caller, listScopesOfRole(role));
  requireManageable(caller, role);
}
