import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { request as send, type IncomingHttpHeaders, type RequestOptions } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, describe, test } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { developersOf } from './support/developer.ts';
import { endpointsOf } from './support/endpoints.ts';
import { build } from './support/harness.ts';
import { assertHeaders, SECURITY } from './support/headers.ts';
import { addPerson, browser, keepSignedIn } from './support/people.ts';

/** Every route of the service but those that refuse other methods. A HEAD is answered as its GET. */
const routes = new Set<string>();
const onInstance = (message: unknown): void => {
  const { fastify } = message as { fastify: FastifyInstance };
  fastify.addHook('onRoute', ({ method, url, onRequest }) => {
    // Only the routes that refuse other methods have a hook of their own.
    if (onRequest !== undefined) return;
    for (const each of [method].flat()) if (each !== 'HEAD') routes.add(`${each} ${url}`);
  });
};
subscribe('fastify.initialization', onInstance);
const service = await build({ after });
unsubscribe('fastify.initialization', onInstance);
const { key } = await developersOf(service)();
const owner = await addPerson(service, { role: 'owner' });
const ownersCookie = keepSignedIn(service, owner);
/** The routes of the document that the cases below leave out: all their answers are personal. */
const managementRoutes = endpointsOf(service.app.swagger()).filter(
  ({ method, path }) =>
    !/^\/api\/v1\/(stocklist|projects|contacts(\/batch)?)(\/:slug)?$/.test(path) ||
    (method === 'GET' && path === '/api/v1/contacts'),
);
await service.app.listen({ host: '127.0.0.1', port: 0 });
const { port } = service.app.server.address() as AddressInfo;

interface Received {
  status: number | undefined;
  headers: IncomingHttpHeaders;
  body: string;
}

/** Sends a request over a socket, so that what Node adds is seen, too. */
async function receive(path: string, options: RequestOptions = {}, body = ''): Promise<Received> {
  const sent = send({ host: '127.0.0.1', port, path, agent: false, ...options });
  sent.end(body);
  const [answer] = await once(sent, 'response');
  return { status: answer.statusCode, headers: answer.headers, body: await text(answer) };
}

const authorization = `Bearer ${key}`;
const posting = { method: 'POST', headers: { authorization, 'content-type': 'application/json' } };

const DATA = { ...SECURITY, 'cache-control': 'private, no-cache', vary: 'accept-encoding, origin' };
const UNCACHED = { ...SECURITY, 'cache-control': 'no-store' };
const PUBLIC = { ...SECURITY, 'cache-control': 'no-cache', vary: 'accept-encoding' };
const PAGE = {
  ...SECURITY,
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
    "connect-src 'self'; font-src 'self'; base-uri 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
};
/** The Content-Security-Policy of the console is in console.test.ts. */
const SHELL = {
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};
const PICTURE = {
  ...SECURITY,
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox",
  'cross-origin-resource-policy': 'cross-origin',
  'cache-control': 'public, max-age=3600',
};

type Case = [
  path: string,
  status: number,
  expected: object,
  options?: RequestOptions,
  body?: string,
];

const CASES: Record<string, Case> = {
  'GET /': ['/', 200, SHELL],
  'GET /a/*': ['/a/kowhai-lane', 200, SHELL],
  'GET /assets/*': ['/assets/nothing', 404, UNCACHED],
  'GET /livez': ['/livez', 200, UNCACHED],
  'GET /readyz': ['/readyz', 200, UNCACHED],
  'GET /media/*': ['/media/logo.svg', 200, PICTURE],
  'GET /docs': ['/docs', 200, PAGE],
  'GET /docs/json': ['/docs/json', 200, PAGE],
  'GET /docs/yaml': ['/docs/yaml', 200, PAGE],
  'GET /docs/static/index.html': ['/docs/static/index.html', 302, PAGE],
  'GET /docs/static/swagger-initializer.js': ['/docs/static/swagger-initializer.js', 200, PAGE],
  'GET /docs/static/*': ['/docs/static/swagger-ui.css', 200, PAGE],
  'GET /api/v1/openapi.json': ['/api/v1/openapi.json', 200, PUBLIC],
  'GET /api/v1/stocklist': ['/api/v1/stocklist', 200, DATA, { headers: { authorization } }],
  'GET /api/v1/projects/:slug': [
    '/api/v1/projects/harbourlight',
    200,
    DATA,
    { headers: { authorization } },
  ],
  'POST /api/v1/contacts': [
    '/api/v1/contacts',
    201,
    UNCACHED,
    posting,
    '{"email":"aroha@example.com"}',
  ],
  'POST /api/v1/contacts/batch': [
    '/api/v1/contacts/batch',
    200,
    UNCACHED,
    posting,
    '{"contacts":[{"email":"hana@example.com"}]}',
  ],
};

describe('the headers for browsers', () => {
  test('are tested on every route', () => {
    const others = managementRoutes.map(({ method, path }) => `${method} ${path}`);
    assert.deepEqual([...routes].toSorted(), [...Object.keys(CASES), ...others].toSorted());
  });

  for (const { name, request } of managementRoutes)
    test(`${name} is stored by no cache`, async () => {
      const cookie = await ownersCookie();
      const { headers } = await browser(service, cookie)(request());
      const { 'set-cookie': _cookie, ...others } = headers;
      assertHeaders(others, UNCACHED);
    });

  for (const [route, [path, status, expected, options, body]] of Object.entries(CASES))
    test(route, async () => {
      const answer = await receive(path, options, body);
      assert.equal(answer.status, status);
      assertHeaders(answer.headers, expected as Record<string, string>);
    });

  for (const coding of ['gzip', 'br'])
    test(`are on an answer in ${coding}`, async () => {
      const headers = { authorization, 'accept-encoding': coding };
      const answer = await receive('/api/v1/stocklist', { headers });
      assert.equal(answer.headers['content-encoding'], coding);
      assertHeaders(answer.headers, DATA);
    });

  test('are on the answer to a HEAD', async () => {
    for (const path of ['/api/v1/stocklist', '/api/v1/projects/harbourlight']) {
      const { headers } = await receive(path, { method: 'HEAD', headers: { authorization } });
      assertHeaders(headers, DATA);
    }
  });

  test('are not on a 304, which has only the fields that RFC 9110 asks for', async () => {
    const { headers: first } = await receive('/api/v1/stocklist', { headers: { authorization } });
    const { etag = '' } = first;
    const { status, headers } = await receive('/api/v1/stocklist', {
      headers: { authorization, 'if-none-match': etag },
    });
    assert.equal(status, 304);
    const { 'cache-control': caching, vary } = DATA;
    assertHeaders(headers, { 'cache-control': caching, vary, etag });
    for (const name of Object.keys(SECURITY)) assert.equal(headers[name], undefined);
  });

  test('are on a problem, on every route that has one', async () => {
    for (const path of ['/nothing', '/docs/static/nothing', '/media/nothing', '/api/v1/stocklist'])
      assertHeaders((await receive(path)).headers, UNCACHED);
    for (const path of ['/docs', '/livez', '/media/logo.svg', '/api/v1/contacts'])
      assertHeaders((await receive(path, { method: 'PATCH' })).headers, UNCACHED);
  });
});
