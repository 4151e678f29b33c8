import { METHODS } from 'node:http';
import { Problem } from './problems.ts';
import type { Server } from './server.ts';

// A CONNECT never reaches a route: Node hands it to the server as an event of its own.
const KNOWN_METHODS = METHODS.filter((method) => method !== 'CONNECT');

/**
 * Watches the routes that are added from now on. The plugin that it returns, registered last, makes each of
 * them answer every other method with 405 and `Allow`.
 */
export function otherMethodsRefusal(server: Server): (server: Server) => Promise<void> {
  const urls = new Set<string>();
  for (const method of KNOWN_METHODS)
    if (!server.supportedMethods.includes(method)) server.addHttpMethod(method);
  server.addHook('onRoute', ({ url }) => void urls.add(url));
  return async (last) => {
    for (const url of urls) addRefusal(last, url);
  };
}

function addRefusal(server: Server, url: string): void {
  const allowed = KNOWN_METHODS.filter((method) => server.hasRoute({ method, url }));
  const allow = allowed.join(', ');
  const detail = `This path accepts ${allowed.join(' and ')}.`;
  server.route({
    method: KNOWN_METHODS.filter((method) => !allowed.includes(method)),
    url,
    schema: { hide: true },
    onRequest: (_request, _reply, done) =>
      done(new Problem('method_not_allowed', detail, { headers: { allow } })),
    handler: () => undefined,
  });
}
