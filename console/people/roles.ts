import type { Role } from '../api.ts';

const ROLES: readonly Role[] = ['owner', 'manager', 'agent', 'viewer'];

/** Whether a person with the role `mine` manages people with the role `theirs`: managers manage agents and viewers only. */
export function canManage(mine: Role | null, theirs: Role): boolean {
  if (mine === 'owner') return true;
  return mine === 'manager' && (theirs === 'agent' || theirs === 'viewer');
}

/** The roles that a person may give. */
export const listRoles = (mine: Role | null): Role[] =>
  ROLES.filter((role) => canManage(mine, role));
