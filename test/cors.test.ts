import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { developersOf } from './support/developer.ts';
import { build, type Answer, type TestApp } from './support/harness.ts';
import { SECURITY } from './support/headers.ts';
import { assertProblem } from './support/problem.ts';

const OURS = 'https://www.kowhai-lane.example';
const ALSO_OURS = 'http://localhost:5173';
const STRANGERS = [
  'https://evil.example',
  `${OURS}.evil.example`,
  'http://www.kowhai-lane.example',
  'null',
];
const READS = ['/api/v1/stocklist', '/api/v1/projects/harbourlight'];
const WRITES = ['/api/v1/contacts', '/api/v1/contacts/batch'];
const OTHERS = ['/livez', '/docs', '/media/logo.svg', '/api/v1/openapi.json'];

/** How pino writes the level. */
const DEBUG = 20;

const corsOf = ({ headers }: Answer) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('access-control')));

/** The preflight request of a browser before a page's request with a key. */
const preflight = (service: TestApp, url: string, origin: string, method = 'GET') =>
  service.send({
    method: 'OPTIONS',
    url,
    headers: {
      origin,
      'access-control-request-method': method,
      'access-control-request-headers': 'authorization',
    },
  });

describe('with allowed origins', () => {
  const service = build({ after }, { corsOrigins: [OURS, ALSO_OURS] });

  test('scripts of these origins read answers with all their headers', async () => {
    const { key } = await developersOf(await service)();
    for (const origin of [OURS, ALSO_OURS])
      for (const url of READS) {
        const asked = await preflight(await service, url, origin);
        assert.equal(asked.status, 204);
        assert.deepEqual(corsOf(asked), {
          'access-control-allow-origin': origin,
          'access-control-expose-headers': '*',
          'access-control-allow-methods': 'GET, HEAD',
          'access-control-allow-headers': 'authorization, *',
          'access-control-max-age': '7200',
        });
        assert.equal(asked.headers['vary'], 'origin');
        const answer = await (await service).send({ url, key, headers: { origin } });
        assert.equal(answer.status, 200);
        assert.deepEqual(corsOf(answer), {
          'access-control-allow-origin': origin,
          'access-control-expose-headers': '*',
        });
        assert.match(String(answer.headers['vary']), /origin/);
      }
  });

  test('scripts of these origins read a 304 and every problem', async () => {
    const { key } = await developersOf(await service)();
    const [url = ''] = READS;
    const { headers } = await (await service).send({ url, key });
    const condition = { origin: OURS, 'if-none-match': String(headers['etag']) };
    const requests = [
      { status: 304, url, key, headers: condition },
      { status: 401, url, headers: { origin: OURS } },
      { status: 401, url, key: 'x', headers: { origin: OURS } },
      { status: 400, url: `${url}?page=x`, key, headers: { origin: OURS } },
      { status: 404, url: '/api/v1/projects/nothing', key, headers: { origin: OURS } },
    ];
    for (const { status, ...request } of requests) {
      const answer = await (await service).send(request);
      assert.equal(answer.status, status);
      assert.equal(corsOf(answer)['access-control-allow-origin'], OURS, String(status));
    }
  });

  test('scripts of other origins read nothing', async () => {
    const { key } = await developersOf(await service)();
    for (const origin of STRANGERS)
      for (const url of READS) {
        const asked = corsOf(await preflight(await service, url, origin));
        assert.equal(asked['access-control-allow-origin'], undefined);
        assert.deepEqual(corsOf(await (await service).send({ url, key, headers: { origin } })), {});
      }
  });

  test('no script may write', async () => {
    const { key, exported } = await developersOf(await service)();
    const before = await exported();
    for (const url of WRITES) {
      const asked = await preflight(await service, url, OURS, 'POST');
      assertProblem(asked, 'method_not_allowed', url);
      const request = { method: 'POST', url, key, headers: { origin: OURS } } as const;
      assert.deepEqual(corsOf(await (await service).send({ ...request, payload: {} })), {});
    }
    assert.deepEqual(await exported(), before);
  });

  test('other routes have no CORS headers, and no answer allows credentials', async () => {
    for (const url of OTHERS) {
      assert.deepEqual(corsOf(await (await service).send({ url, headers: { origin: OURS } })), {});
      assertProblem(await preflight(await service, url, OURS), 'method_not_allowed', url);
    }
  });

  test('a preflight is logged at the level debug, as reads are', async () => {
    const { headers } = await preflight(await service, '/api/v1/stocklist', OURS);
    const lines = (await service).log.map((line) => JSON.parse(line));
    const line = lines.find(({ reqId }) => reqId === headers['x-request-id']);
    assert.deepEqual([line.method, line.status, line.level], ['OPTIONS', 204, DEBUG]);
  });

  test('a 405 lists OPTIONS among the methods', async () => {
    const [url = ''] = READS;
    const { headers } = await (await service).send({ method: 'DELETE', url });
    assert.equal(headers['allow'], 'GET, HEAD, OPTIONS');
  });
});

test('without allowed origins no answer has CORS headers, and OPTIONS gets a 405', async (t) => {
  const service = await build(t);
  const { key } = await developersOf(service)();
  for (const url of [...READS, ...WRITES, ...OTHERS]) {
    assertProblem(await preflight(service, url, OURS), 'method_not_allowed', url);
    assert.deepEqual(corsOf(await service.send({ url, key, headers: { origin: OURS } })), {});
  }
});

test('the answer to a preflight has the security headers', async (t) => {
  const service = await build(t, { corsOrigins: [OURS] });
  const { headers } = await preflight(service, '/api/v1/stocklist', OURS);
  for (const [name, value] of Object.entries(SECURITY)) assert.equal(headers[name], value);
});
