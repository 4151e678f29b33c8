import type { FastifyRequest } from 'fastify';

/** The access of an API key, as operators choose it. */
export type Access = 'read' | 'read-write';

/** A permission that a route asks for. */
export type Scope = 'stock:read' | 'leads:import';

const SCOPES_OF_ACCESS: Record<Access, readonly Scope[]> = {
  read: ['stock:read'],
  'read-write': ['stock:read', 'leads:import'],
};

/** The least access that includes a scope. */
export function findLeastAccess(scope: Scope): Access {
  return hasScope('read', scope) ? 'read' : 'read-write';
}

function hasScope(access: Access, scope: Scope): boolean {
  return SCOPES_OF_ACCESS[access].includes(scope);
}

/** The one who makes a request, and what they may do. */
export interface Principal {
  readonly accountId: string;
  readonly actor: { readonly type: 'key'; readonly id: string; readonly name: string };
  readonly contacts: 'all' | 'own';
  can(scope: Scope): boolean;
}

/** An API key that the database knows. */
interface KnownKey {
  accountId: string;
  id: string;
  name: string;
  access: Access;
}

/** Makes the principal of an API key. */
export function createPrincipal({ accountId, id, name, access }: KnownKey): Principal {
  return {
    accountId,
    actor: { type: 'key', id, name },
    contacts: 'all',
    can: (scope) => hasScope(access, scope),
  };
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Null until authentication has passed. */
    principal: Principal | null;
  }
}

/** The principal of a request that has passed authentication. */
export function getPrincipal(request: FastifyRequest): Principal {
  if (request.principal === null) throw new Error('this request is not authenticated');
  return request.principal;
}
