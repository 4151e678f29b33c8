import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import pino from 'pino';
import type { Config } from '../src/platform/config/index.ts';
import { build, type Answer } from './support/harness.ts';
import { slugsOf, tenancies } from './support/tenancy.ts';

const ORIGIN = 'https://www.example.com';

/** A developer with a project and one key, so that a repeated request finds a cached answer. */
async function polling(settings: Partial<Config> = {}) {
  const service = await build({ after }, settings);
  const { account, slug } = await tenancies(service).makeTenantWith(1);
  const key = await service.key(account.slug, 'read');
  const get = (path: string, headers: Record<string, string> = {}): Promise<Answer> =>
    service.send({ url: `/api/v1${path}`, key, headers });
  return { service, account, key, slug, get };
}

/** The parts of an answer that do not depend on the single request. */
function lasting({ status, text, headers }: Answer) {
  const { 'x-request-id': requestId, date, ...rest } = headers;
  assert.match(String(requestId), /^[0-9a-f]{12}-[0-9a-z]+$/);
  assert.ok(date);
  return { status, text, headers: Object.entries(rest) };
}

const { service, account, key, slug, get } = await polling();
const etag = String((await get('/stocklist')).headers['etag']);

for (const [what, path, headers, status] of [
  ['a page', '/stocklist', {}, 200],
  ['a page that its client has', '/stocklist', { 'if-none-match': etag }, 304],
  ['a page by its filter', '/stocklist?limit=1&city=nowhere', {}, 200],
  ['a project', `/projects/${slug}`, {}, 200],
] as const)
  test(`an answer from the cache equals the one that was built: ${what}`, async () => {
    const unused = await service.key(account.slug, 'read');
    const ask = () => service.send({ url: `/api/v1${path}`, key: unused, headers });
    const [built, cached, again] = [await ask(), await ask(), await ask()];
    assert.equal(built.status, status);
    assert.deepEqual(lasting(cached), lasting(built));
    assert.deepEqual(lasting(again), lasting(built));
    assert.notEqual(cached.headers['x-request-id'], again.headers['x-request-id']);
  });

test('the log has a cached answer by its route and the request id that its client got', async () => {
  await get(`/projects/${slug}`);
  const { headers } = await get(`/projects/${slug}`);
  const lines = service.log.map((line) => JSON.parse(line) as Record<string, unknown>);
  const {
    ms,
    time: _time,
    ...line
  } = lines.find(({ reqId }) => reqId === headers['x-request-id']) as { ms: number; time: string };
  assert.ok(ms >= 0);
  assert.deepEqual(line, {
    level: pino.levels.values['debug'],
    reqId: headers['x-request-id'],
    method: 'GET',
    route: '/api/v1/projects/:slug',
    status: 200,
    msg: 'request',
  });
});

test('HEAD gets the headers of a cached answer and no body', async () => {
  const cached = await get('/stocklist');
  const { status, text, headers } = await service.send({
    method: 'HEAD',
    url: '/api/v1/stocklist',
    key,
  });
  assert.equal(status, 200);
  assert.equal(text, '');
  assert.equal(headers['content-length'], cached.headers['content-length']);
});

test('a cached answer is sent only to keys of its account', async () => {
  await get('/stocklist');
  for (const authorization of ['', `Bearer ${key}x`, `Basic ${key}`, 'Bearer '])
    assert.equal(
      (await service.send({ url: '/api/v1/stocklist', headers: { authorization } })).status,
      401,
    );
  const other = await tenancies(service).makeTenantWith(1);
  const otherKey = await service.key(other.account.slug, 'read');
  for (const [asking, shown] of [
    [key, slug],
    [otherKey, other.slug],
    [key, slug],
    [otherKey, other.slug],
  ] as const)
    assert.deepEqual(slugsOf(await service.send({ url: '/api/v1/stocklist', key: asking })), [
      shown,
    ]);
});

test('a cached answer counts against the rate limit of its key', async () => {
  const { get: ask } = await polling({ readsPerMinute: 3 });
  const left = [await ask('/stocklist'), await ask('/stocklist'), await ask('/stocklist')].map(
    ({ headers }) => /r=(\d)/.exec(String(headers['ratelimit']))?.[1],
  );
  assert.deepEqual(left, ['2', '1', '0']);
  assert.equal((await ask('/stocklist')).status, 429);
});

test('a cached answer has the CORS headers of its request', async () => {
  const { get: ask } = await polling({ corsOrigins: [ORIGIN] });
  await ask('/stocklist');
  const { headers } = await ask('/stocklist', { origin: ORIGIN });
  assert.equal(headers['access-control-allow-origin'], ORIGIN);
});
