import { Problem } from './problems.ts';
import type { Server } from './server.ts';

// An import of node:http would also load the fetch client of Node.js, and delay each start.
const { METHODS } = process.getBuiltinModule('node:http');

// Node.js emits CONNECT as an event of its own, so it never reaches a route.
const KNOWN_METHODS = METHODS.filter((method) => method !== 'CONNECT');

/** The options of a route that everybody may call, and that the OpenAPI document leaves out. */
export const HIDDEN_ROUTE = { schema: { hide: true }, config: { scope: 'public' } } as const;

/** Lets everybody call the routes of a plugin of others, which name no scope. */
export function allowEverybody(server: Server): void {
  server.addHook('onRoute', (route) => void (route.config = { ...route.config, scope: 'public' }));
}

/**
 * Collects the routes that are added from now on. The app registers the returned plugin last: it makes each of these routes
 * answer every other method with 405 and `Allow`.
 */
export function refuseOtherMethods(server: Server): (server: Server) => Promise<void> {
  const urls = new Set<string>();
  const methods = new Set<string>();
  for (const method of KNOWN_METHODS)
    if (!server.supportedMethods.includes(method)) server.addHttpMethod(method);
  server.addHook('onRoute', ({ url, method }) => {
    urls.add(url);
    for (const each of [method].flat()) methods.add(each);
  });
  return async (last) => {
    const used = KNOWN_METHODS.filter((method) => methods.has(method));
    for (const url of urls)
      addRefusal(
        last,
        url,
        used.filter((method) => last.hasRoute({ method, url })),
      );
  };
}

function addRefusal(server: Server, url: string, allowed: string[]): void {
  const allow = allowed.join(', ');
  const detail = `This path accepts ${allowed.join(' and ')}.`;
  server.route({
    method: KNOWN_METHODS.filter((method) => !allowed.includes(method)),
    url,
    ...HIDDEN_ROUTE,
    onRequest: (_request, _reply, done) =>
      done(new Problem('method_not_allowed', detail, { headers: { allow } })),
    handler: () => undefined,
  });
}
