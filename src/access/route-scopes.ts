import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { Problem, type Server } from '../platform/http/index.ts';
import { makeChallenge } from './authenticate.ts';
import type { Scope } from './permissions.ts';
import { getPrincipal, type Principal } from './principal.ts';

/** The callers that a route accepts: those with this scope, all with a valid key (`any`), or everybody (`public`). */
export type RouteScope = Scope | 'any' | 'public';

declare module 'fastify' {
  interface FastifyContextConfig {
    scope?: RouteScope;
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

/** The hook, after authentication, that lets a request pass only when its principal has the scope of the route. */
export function checkRouteScope(
  request: FastifyRequest,
  _reply: FastifyReply,
  done: (error?: Error) => void,
): void {
  const { scope = 'public' } = request.routeOptions.config;
  const principal = getPrincipal(request);
  const isAllowed = scope === 'public' || scope === 'any' || principal.can(scope);
  done(isAllowed ? undefined : insufficientAccess(scope, principal));
}

function insufficientAccess(scope: Scope, principal: Principal): Problem {
  // The clients of read keys know this answer from before there were scopes.
  if (scope === 'leads:import' && principal.can('stock:read'))
    return new Problem('insufficient_access', 'This needs an API key with read-write access.', {
      title: 'The API key may only read',
      ...makeChallenge('insufficient_scope'),
    });
  return new Problem('insufficient_access', `This needs the scope ${scope}.`, {
    requiredScope: scope,
    ...makeChallenge('insufficient_scope', scope),
  });
}

/** Builds what the OpenAPI document says about who may call a route. */
export function describeSecurity(scope: RouteScope | undefined): Record<string, string[]>[] {
  if (scope === undefined || scope === 'public') return [];
  return [{ apiKey: scope === 'any' ? [] : [scope] }];
}
