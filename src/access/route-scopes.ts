import type { FastifyContextConfig, FastifyRequest, RouteOptions } from 'fastify';
import { Problem, SAFE_METHODS, type Server } from '../platform/http/index.ts';
import { makeChallenge } from './authenticate.ts';
import { needsConfirmation, type Scope } from './permissions.ts';
import { findUnconfirmed, getPrincipal, type Principal } from './principal.ts';

/**
 * The callers that a route accepts: those with this scope, all with a valid key or session (`any`), people who are signed in
 * (`session`), or everybody (`public`).
 */
export type RouteScope = Scope | 'any' | 'session' | 'public';

declare module 'fastify' {
  interface FastifyContextConfig {
    scope?: RouteScope;
    /** A caller with this scope may call the route as well. The route itself then allows less. */
    orScope?: Scope;
    /** Refuses people who are not owners, even if their role has the scope. API keys need only the scope. */
    ownersOnly?: true;
    /**
     * Whether a person must have confirmed who they are in the last 15 minutes. By default, `PERMISSIONS` decides by the scope
     * and the method.
     */
    confirmed?: boolean;
  }
}

/** Makes the start of the server fail when a route that is added from now on names no scope. */
export function requireRouteScopes(server: Server): void {
  const routes: RouteOptions[] = [];
  server.addHook('onRoute', (route) => void routes.push(route));
  server.addHook('onReady', (done) => {
    const found = routes.find(({ config }) => config?.scope === undefined);
    done(found && new Error(`the route ${String(found.method)} ${found.url} names no scope`));
  });
}

/**
 * Throws when the principal of a request lacks the scope of the route, has yet to turn the second step on, or has yet to confirm who
 * they are.
 */
export function checkRouteScope(request: FastifyRequest): void {
  // Fastify builds `routeOptions` anew each time.
  const { config } = request.routeOptions;
  const { scope = 'public', orScope, ownersOnly } = config;
  const principal = getPrincipal(request);
  const hasOther = orScope !== undefined && principal.can(orScope);
  const refusal =
    (hasOther ? undefined : findMissingScope(scope, principal)) ??
    (ownersOnly ? findNotOwner(principal) : undefined) ??
    findMissingSecondStep(scope, principal) ??
    (mustBeConfirmed(request.method, config) ? findUnconfirmed(principal) : undefined);
  if (refusal !== undefined) throw refusal;
}

function mustBeConfirmed(method: string, config: FastifyContextConfig): boolean {
  const { scope = 'public', confirmed } = config;
  if (confirmed !== undefined) return confirmed;
  if (scope === 'public' || scope === 'any' || scope === 'session') return false;
  return needsConfirmation(scope, SAFE_METHODS.has(method));
}

function findNotOwner({ role }: Principal): Problem | undefined {
  if (role === null || role === 'owner') return undefined;
  const detail = 'A person must be an owner of the account to do this.';
  return new Problem('insufficient_access', detail, makeChallenge('insufficient_scope'));
}

/**
 * Makes the problem for a person who must first turn on the second step; undefined for others. Routes with `any` or `session`
 * need no second step.
 */
function findMissingSecondStep(scope: RouteScope, { session }: Principal): Problem | undefined {
  if (session?.needsSecondStep !== true || scope === 'any' || scope === 'session') return undefined;
  const detail =
    'Your account requires a second step, a code at each sign-in. Turn it on with POST /me/second-step first.';
  return new Problem('second_step_setup_required', detail);
}

function findMissingScope(scope: RouteScope, principal: Principal): Problem | undefined {
  if (scope === 'public' || scope === 'any') return undefined;
  if (scope === 'session') return principal.session === null ? sessionRequired() : undefined;
  return principal.can(scope) ? undefined : insufficientAccess(scope, principal);
}

function sessionRequired(): Problem {
  const detail = 'Only a person who is signed in may do this, not an API key.';
  return new Problem('insufficient_access', detail, makeChallenge('insufficient_scope'));
}

function insufficientAccess(scope: Scope, principal: Principal): Problem {
  // Keep this answer for the clients of read keys: it is older than scopes.
  if (scope === 'leads:import' && principal.session === null && principal.can('stock:read'))
    return new Problem('insufficient_access', 'This needs an API key with read-write access.', {
      title: 'The API key may only read',
      ...makeChallenge('insufficient_scope'),
    });
  return missingScope(scope);
}

/** Makes the 403 of a caller who lacks a scope. */
export function missingScope(scope: Scope, detail = `This needs the scope ${scope}.`): Problem {
  return new Problem('insufficient_access', detail, {
    requiredScope: scope,
    ...makeChallenge('insufficient_scope', scope),
  });
}

/** Builds what the OpenAPI document says about who may call a route. */
export function describeSecurity({
  scope,
  orScope,
}: Pick<FastifyContextConfig, 'scope' | 'orScope'>): Record<string, string[]>[] {
  if (scope === undefined || scope === 'public') return [];
  if (scope === 'session') return [{ session: [] }];
  const alternatives = scope === 'any' ? [[]] : [[scope], ...(orScope ? [[orScope]] : [])];
  return alternatives.flatMap((scopes) => [{ apiKey: scopes }, { session: scopes }]);
}
