import assert from 'node:assert/strict';
import { connect, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import type { InjectOptions } from 'fastify';
import { neverShutDown } from '../src/platform/http/index.ts';
import { developersOf, NOWHERE } from './support/developer.ts';
import { build, type TestApp } from './support/harness.ts';
import { someoneWaits, whileLocked } from './support/locks.ts';
import { until } from './support/until.ts';

const CONTACTS = '/api/v1/contacts';

/** The lines that lead from a `requestId`. */
// Lines of a log are of every shape.
// eslint-disable-next-line typescript/no-explicit-any
function linesOf({ log }: TestApp, requestId: string): any[] {
  return log.map((line) => JSON.parse(line)).filter(({ reqId }) => reqId === requestId);
}

const run = ({ db }: TestApp, text: string) => db.query({ name: '', text, values: [] });

const service = await build({ after }, { readsPerMinute: 40 });
const developer = await developersOf(service)([{ email: 'twin@x.com' }, { email: 'twin@x.com' }]);
const { key, slug } = developer;
const reader = await service.key(slug, 'read');

const post = (payload: object | string, more: object = {}) => ({
  method: 'POST' as const,
  url: CONTACTS,
  key,
  payload,
  headers: { 'content-type': 'application/json', ...more },
});

const refusals: [string, InjectOptions & { url: string; key?: string }][] = [
  ['malformed_body', post('{"email"')],
  ['malformed_body', post('')],
  ['invalid_request', post({ email: 'no email' })],
  ['invalid_request', { url: '/api/v1/stocklist?limit=0', key }],
  ['missing_api_key', { url: '/api/v1/stocklist' }],
  ['invalid_api_key', { url: '/api/v1/stocklist', key: 'offplan_x' }],
  ['insufficient_access', { ...post({}), key: reader }],
  ['project_not_found', { url: '/api/v1/projects/none', key }],
  ['route_not_found', { url: '/nothing' }],
  ['route_not_found', { url: '/api/v1/%zz' }],
  ['method_not_allowed', { ...post({}), method: 'PUT' }],
  ['duplicate_contacts', post({ email: 'twin@x.com' })],
  ['body_too_large', post({ email: 'a@x.com', notes: 'n'.repeat(1_100_000) })],
  ['unsupported_media_type', post('a', { 'content-type': 'text/plain' })],
  ['project_not_available', post({ email: 'a@x.com', projectId: NOWHERE })],
  ['user_not_active', post({ email: 'a@x.com', assignedAccountUserId: NOWHERE })],
];
for (const [code, request] of refusals)
  test(`the requestId of a refusal finds the line of its request, with its code: ${code}`, async () => {
    const answer = await service.send(request);
    assert.equal(answer.body.code, code);
    const [line, ...others] = linesOf(service, answer.body.requestId);
    assert.deepEqual([line.status, line.code, others], [answer.status, code, []]);
  });

test('the requestId of a repeated refusal finds the line of its request', async () => {
  const request = post({ email: 'twin@x.com' }, { 'idempotency-key': 'the-key-of-a-refusal' });
  await service.send(request);
  const { headers } = await service.send(request);
  assert.equal(headers['idempotent-replayed'], 'true');
  const [line] = linesOf(service, String(headers['x-request-id']));
  assert.deepEqual([line.status, line.code], [409, 'duplicate_contacts']);
});

test('the requestId of a 429 finds the line of its request', async () => {
  let answer = await service.send({ url: '/api/v1/stocklist', key: reader });
  for (let sent = 0; sent < 50 && answer.status === 200; sent += 1)
    answer = await service.send({ url: '/api/v1/stocklist', key: reader });
  assert.equal(answer.status, 429);
  const [line] = linesOf(service, answer.body.requestId);
  assert.deepEqual([line.status, line.code], [429, 'rate_limited']);
});

test('the line of a refusal names the error of the framework that caused it', async () => {
  const { body } = await service.send(post({ notes: 'n'.repeat(1_100_000) }));
  const [line] = linesOf(service, body.requestId);
  assert.deepEqual([line.code, line.cause], ['body_too_large', 'FST_ERR_CTP_BODY_TOO_LARGE']);
});

test('a client that leaves before its answers causes a line with the status 499 for each request', async (t) => {
  const listening = await build(t);
  const { key } = await developersOf(listening)();
  await listening.app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = listening.app.server.address() as AddressInfo;
  const lines = () =>
    listening.log.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request');
  await whileLocked(listening.db, 'projects', async () => {
    const socket = connect({ host: '127.0.0.1', port });
    const stocklist = `GET /api/v1/stocklist HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`;
    // The first request waits for the lock. The answer to the last one is ready, and waits for the first.
    socket.write(`${stocklist}${stocklist}GET /livez HTTP/1.1\r\nHost: x\r\n\r\n`);
    await someoneWaits(listening.db);
    socket.destroy();
    await until(() => lines().length >= 3);
  });
  const told = lines().map(({ route, status }) => `${status} ${route}`);
  assert.deepEqual(told.toSorted(), [
    '499 /api/v1/stocklist',
    '499 /api/v1/stocklist',
    '499 /livez',
  ]);
});

test('the requestId of a malformed request finds the error of the parser', async (t) => {
  const listening = await build(t);
  await listening.app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = listening.app.server.address() as AddressInfo;
  const cases = [
    ['FOO / HTTP/1.1\r\nHost: x\r\n\r\n', 'malformed_request', 'HPE_INVALID_METHOD'],
    [`GET /${'a'.repeat(20_000)} HTTP/1.1\r\n\r\n`, 'headers_too_large', 'HPE_HEADER_OVERFLOW'],
  ] as const;
  for (const [bytes, code, cause] of cases) {
    const socket = connect({ host: '127.0.0.1', port });
    socket.write(bytes);
    const { requestId } = JSON.parse((await text(socket)).split('\r\n\r\n')[1] ?? '');
    const [line] = linesOf(listening, requestId);
    assert.deepEqual([line.code, line.cause], [code, cause]);
  }
});

test('the requestId of a 500 finds the cause: its type, SQLSTATE and stack', async (t) => {
  const broken = await build(t);
  const developer = await developersOf(broken)();
  await run(broken, `alter table activities add check (body <> 'odd')`);
  const answer = await developer.post({ email: 'a@x.com', notes: 'odd' });
  const [cause, line] = linesOf(broken, answer.body.requestId);
  assert.equal(cause.code, '23514');
  assert.equal(typeof cause.errorType, 'string');
  assert.match(cause.stack.join('\n'), /^at /m);
  assert.deepEqual([line.status, line.code], [500, 'internal_error']);
});

test('an import that fails in a shared transaction is found with its cause', async (t) => {
  const broken = await build(t);
  const { key } = await developersOf(broken)();
  await run(broken, `alter table activities add check (body <> 'odd')`);
  const send = (n: number) =>
    broken.send({ ...post({ email: `${n}@x.com`, notes: n === 5 ? 'odd' : 'even' }), key });
  const answers = await Promise.all(Array.from({ length: 10 }, (_, n) => send(n)));
  for (const [n, { status, headers }] of answers.entries()) {
    const lines = linesOf(broken, String(headers['x-request-id']));
    assert.equal(status, n === 5 ? 500 : 201);
    assert.deepEqual(
      lines.map(({ code }) => code),
      n === 5 ? ['23514', 'internal_error'] : [undefined],
    );
  }
});

test('the requestId of a 503 finds the cause, and the cause of the cause', async (t) => {
  const broken = await build(t);
  await run(broken, 'alter table schema_migrations rename to gone');
  const answer = await broken.send({ url: '/readyz' });
  assert.equal(answer.status, 503);
  const [line, request] = linesOf(broken, answer.body.requestId);
  assert.deepEqual([line.msg, line.cause.message], ['unavailable', OUTDATED]);
  assert.deepEqual([request.status, request.code], [503, 'unavailable']);
});

test('/readyz of a stopping service logs no error', async (t) => {
  const stopping = await build(t, {}, { ...neverShutDown(), stopping: AbortSignal.abort() });
  const answer = await stopping.send({ url: '/readyz' });
  assert.equal(answer.status, 503);
  const lines = linesOf(stopping, answer.body.requestId);
  assert.deepEqual(
    lines.map(({ msg, status }) => [msg, status]),
    [['request', 503]],
  );
});

const OUTDATED = 'The database schema is not up to date. Run `offplan migrate` first.';
