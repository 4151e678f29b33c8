import { SECURITY_HEADERS } from './headers.ts';
import { HIDDEN_ROUTE } from './methods.ts';
import { SAFE_METHODS } from './safe-methods.ts';
import type { Server } from './server.ts';

/**
 * A page may send any header and read any header, since no answer depends on cookies. `*` alone does not include Authorization.
 */
const PREFLIGHT_HEADERS = Object.freeze({
  ...SECURITY_HEADERS,
  'access-control-allow-methods': 'GET, HEAD',
  'access-control-allow-headers': 'authorization, *',
  'access-control-max-age': '7200',
  vary: 'origin',
});

/**
 * Lets scripts in pages of these origins read the answers of the GET routes of a group, including refusals (the CORS protocol of
 * the Fetch standard). Routes that write stay closed, because everyone can read a key in a page. This hook comes before
 * authentication, since a browser's preflight request has no key.
 */
export function allowOrigins(group: Server, origins: readonly string[]): void {
  const allowed = new Set(origins);
  group.addHook('onRequest', (request, reply, done) => {
    const { method, headers } = request;
    const { origin = '' } = headers;
    if (SAFE_METHODS.has(method) && allowed.has(origin))
      reply.headers({
        'access-control-allow-origin': origin,
        'access-control-expose-headers': '*',
      });
    if (method !== 'OPTIONS') return done();
    void reply.code(204).headers(PREFLIGHT_HEADERS).send();
  });
  group.addHook('onRoute', ({ method, routePath }) => {
    // The hook above answers it.
    if (method === 'GET') group.options(routePath, HIDDEN_ROUTE, () => undefined);
  });
}
