import type { FastifyRequest } from 'fastify';
import { Problem, type RateName } from '../platform/http/index.ts';
import {
  includeReadScopes,
  listScopesOfAccess,
  listScopesOfRole,
  type Access,
  type Role,
  type Scope,
} from './permissions.ts';

/** A person's session, which begins when they sign in. */
export interface Session {
  readonly id: string;
  readonly createdAt: Date;
  /** When the person last confirmed who they are. Null in a demo, where the session always counts as confirmed. */
  readonly confirmedAt: Date | null;
  readonly expiresAt: Date;
  /** When the session gets a new token; null for a token that has been replaced. */
  readonly renewAt: Date | null;
  /** Whether the person must turn on a second step before they may do anything else. */
  readonly needsSecondStep: boolean;
}

/** How many requests of each kind an API key may make in a minute; null means any number. */
export type RateLimits = Readonly<Record<RateName, number | null>>;

/** The limits of any caller. Only the operator limits exports. */
export type CallerLimits = RateLimits & { readonly exports: number | null };

/** The caller of a request, and what they may do. */
export interface Principal {
  readonly accountId: string;
  readonly actor: { readonly type: 'key' | 'user'; readonly id: string; readonly name: string };
  /** Null for an API key. */
  readonly role: Role | null;
  /** Null for an API key. */
  readonly session: Session | null;
  readonly scopes: readonly Scope[];
  readonly contacts: 'all' | 'own';
  /** The API key's own limits, in addition to those of the operator; null for a person. */
  readonly rateLimits: RateLimits | null;
  can(scope: Scope): boolean;
}

/** An API key from the database. It has either an access or scopes. */
interface KnownKey {
  accountId: string;
  id: string;
  name: string;
  access: Access | null;
  scopes: Scope[] | null;
  rateLimits: RateLimits;
}

/** Makes the principal of an API key. */
export function createKeyPrincipal({
  accountId,
  id,
  name,
  rateLimits,
  ...key
}: KnownKey): Principal {
  const actor = { type: 'key', id, name } as const;
  const caller = {
    accountId,
    actor,
    role: null,
    session: null,
    rateLimits,
    contacts: 'all',
  } as const;
  return createPrincipal(caller, listScopesOfKey(key));
}

/** Lists the scopes of an API key, with those that they include. */
export function listScopesOfKey({
  access,
  scopes,
}: Pick<KnownKey, 'access' | 'scopes'>): readonly Scope[] {
  return access === null ? includeReadScopes(scopes ?? []) : listScopesOfAccess(access);
}

/** A signed-in person. */
interface KnownPerson {
  accountId: string;
  id: string;
  name: string;
  role: Role;
  session: Session;
  contacts: 'all' | 'own';
}

/** Makes the principal of a person who is signed in. */
export function createPersonPrincipal({
  accountId,
  id,
  name,
  role,
  session,
  contacts,
}: KnownPerson): Principal {
  const actor = { type: 'user', id, name } as const;
  const caller = { accountId, actor, role, session, contacts, rateLimits: null };
  return createPrincipal(caller, listScopesOfRole(role));
}

function createPrincipal(
  caller: Omit<Principal, 'scopes' | 'can'>,
  scopes: readonly Scope[],
): Principal {
  return { ...caller, scopes, can: (scope) => scopes.includes(scope) };
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

/** The session of a request to a route that only people may call. */
export function getSession(request: FastifyRequest): Session {
  const { session } = getPrincipal(request);
  if (session === null) throw new Error('this request has no session');
  return session;
}

const CONFIRMED_MS = 15 * 60_000;

/**
 * Makes the problem for a person who has not confirmed within 15 minutes who they are; undefined when they have. API keys need no
 * confirmation.
 */
export function findUnconfirmed({ session }: Principal): Problem | undefined {
  const confirmedAt = session?.confirmedAt ?? null;
  // The session of a demo counts as confirmed.
  if (confirmedAt === null || Date.now() - confirmedAt.getTime() < CONFIRMED_MS) return undefined;
  return new Problem(
    'confirmation_required',
    'Prove who you are with POST /me/confirm first; that counts for 15 minutes.',
  );
}

/** Throws unless the person has confirmed within 15 minutes who they are. */
export function requireConfirmed(principal: Principal): void {
  const refusal = findUnconfirmed(principal);
  if (refusal !== undefined) throw refusal;
}
