import type { Role } from '../api.ts';

const ROLES: readonly Role[] = ['owner', 'manager', 'agent', 'viewer'];

/** Returns whether the role `mine` manages people of the role `theirs`. Managers manage only agents and viewers. */
export function canManage(mine: Role | null, theirs: Role): boolean {
  if (mine === 'owner') return true;
  return mine === 'manager' && (theirs === 'agent' || theirs === 'viewer');
}

/** Lists the roles that a person may give. */
export const listRoles = (mine: Role | null): Role[] =>
  ROLES.filter((role) => canManage(mine, role));
