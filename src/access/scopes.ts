/** The access of an API key, as operators choose it. */
export type Access = 'read' | 'read-write';

/** A permission that a route asks for. */
export type Scope = 'stock:read' | 'leads:import';

const SCOPES_OF_ACCESS: Record<Access, readonly Scope[]> = {
  read: ['stock:read'],
  'read-write': ['stock:read', 'leads:import'],
};

/** The least access that includes a scope. */
export function accessWith(scope: Scope): Access {
  return hasScope('read', scope) ? 'read' : 'read-write';
}

export function hasScope(access: Access, scope: Scope): boolean {
  return SCOPES_OF_ACCESS[access].includes(scope);
}
