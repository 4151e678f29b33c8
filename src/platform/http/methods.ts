import type { FastifyRequest } from 'fastify';
import { unknownRoute } from './errors.ts';
import { Problem } from './problems.ts';
import type { Server } from './server.ts';

// An import would read the lazy exports of node:http, and so load the fetch client of Node.js.
const { METHODS } = process.getBuiltinModule('node:http');

// Node.js emits CONNECT as an event of its own, so it never reaches a route.
const KNOWN_METHODS = METHODS.filter((method) => method !== 'CONNECT');

/** The options of a route that everybody may call, and that the OpenAPI document leaves out. */
export const HIDDEN_ROUTE = { schema: { hide: true }, config: { scope: 'public' } } as const;

/** Lets everybody call the routes of a plugin that is not ours, since these name no scope. */
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
    // A path without parameters comes before one with parameters that also matches it.
    const refusals = [...urls].toSorted(compareParameters).map((url) => {
      const allowed = used.filter((method) => last.hasRoute({ method, url }));
      return { pattern: toPattern(url), refuse: createRefusal(allowed), url, allowed };
    });
    for (const { url, refuse, allowed } of refusals)
      addRefusal(
        last,
        url,
        used.filter((method) => !allowed.includes(method)),
        refuse,
      );
    // Node.js knows some 30 other methods. A route for each on each path would take 8 MB.
    const others = KNOWN_METHODS.filter((method) => !methods.has(method));
    addRefusal(last, '*', others, (request) => {
      const [path = ''] = request.url.split('?', 1);
      const found = refusals.find(({ pattern }) => pattern.test(path));
      return found?.refuse(request) ?? unknownRoute();
    });
  };
}

function compareParameters(url: string, other: string): number {
  const count = (each: string): number => each.split(/[:*]/).length;
  return count(url) - count(other);
}

/** Makes the pattern of the paths that a route answers. */
function toPattern(url: string): RegExp {
  return RegExp(
    `^${url
      .replaceAll('.', String.raw`\.`)
      .replace(/:\w+/g, '[^/]+')
      .replace('*', '.*')}$`,
  );
}

function createRefusal(allowed: string[]): (request: FastifyRequest) => Problem {
  const detail = `This path accepts ${methodList.format(allowed)}.`;
  const headers = { allow: allowed.join(', ') };
  return ({ url }) =>
    // The slash at the end of `POST /contacts/` makes it a path of `/contacts/:contactId`, which no client means.
    /^\/api\/.*\/(\?|$)/.test(url)
      ? unknownRoute()
      : new Problem('method_not_allowed', detail, { headers });
}

const methodList = new Intl.ListFormat('en-GB');

function addRefusal(
  server: Server,
  url: string,
  method: string[],
  refuse: (request: FastifyRequest) => Problem,
): void {
  if (method.length === 0) return;
  server.route({
    method,
    url,
    ...HIDDEN_ROUTE,
    onRequest: (request, _reply, done) => done(refuse(request)),
    handler: () => undefined,
  });
}
