import type { FastifyRequest } from 'fastify';
import { includeReadScopes, listScopesOfAccess, type Access, type Scope } from './permissions.ts';

/** The one who makes a request, and what they may do. */
export interface Principal {
  readonly accountId: string;
  readonly actor: { readonly type: 'key'; readonly id: string; readonly name: string };
  readonly scopes: readonly Scope[];
  readonly contacts: 'all' | 'own';
  can(scope: Scope): boolean;
}

/** An API key that the database knows. It has either an access or scopes. */
interface KnownKey {
  accountId: string;
  id: string;
  name: string;
  access: Access | null;
  scopes: Scope[] | null;
}

/** Makes the principal of an API key. */
export function createPrincipal({ accountId, id, name, access, scopes }: KnownKey): Principal {
  const own = access === null ? includeReadScopes(scopes ?? []) : listScopesOfAccess(access);
  return {
    accountId,
    actor: { type: 'key', id, name },
    scopes: own,
    contacts: 'all',
    can: (scope) => own.includes(scope),
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
