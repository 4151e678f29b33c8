import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, createServer, request, type IncomingMessage } from 'node:http';
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { accountIdOf } from '../support/accounts.ts';
import { developersOf } from '../support/developer.ts';
import { build, databaseUrl } from '../support/harness.ts';
import { dataFolder, offplan, serving } from '../support/process.ts';
import { KEY_LOOK_UP, PAGE_LOOK_UP } from '../support/statements.ts';

/** A field of a protobuf message: its number, and a length-delimited value or a number. */
type Field = [number: number, value: Buffer | bigint];

// https://protobuf.dev/programming-guides/encoding/
function* fieldsOf(message: Buffer): Generator<Field> {
  for (let at = 0; at < message.length;) {
    const varint = (): bigint => {
      for (let value = 0n, shift = 0n; ; shift += 7n) {
        const byte = message[at] ?? 0;
        at += 1;
        value |= BigInt(byte & 127) << shift;
        if (byte < 128) return value;
      }
    };
    const bytes = (length: number): Buffer => message.subarray(at, (at += length));
    const tag = Number(varint());
    const wire = tag & 7;
    if (wire === 0) yield [tag >> 3, varint()];
    else yield [tag >> 3, bytes(wire === 2 ? Number(varint()) : wire === 1 ? 8 : 4)];
  }
}

const all = (message: Buffer, ...path: number[]): Buffer[] =>
  path.reduce<Buffer[]>(
    (messages, number) =>
      messages.flatMap((each) =>
        [...fieldsOf(each)].flatMap(([n, value]) =>
          n === number && Buffer.isBuffer(value) ? value : [],
        ),
      ),
    [message],
  );

const hex = (message: Buffer, number: number): string =>
  all(message, number)[0]?.toString('hex') ?? '';
const textOf = (message: Buffer, number: number): string =>
  all(message, number)[0]?.toString() ?? '';

// Only texts and whole numbers are read as values.
function attributesOf(message: Buffer, number: number): Record<string, string> {
  return Object.fromEntries(
    all(message, number).map((pair) => {
      const [value = Buffer.alloc(0)] = all(pair, 2);
      const [[, first] = [0, 0n]] = [...fieldsOf(value)] as Field[];
      return [textOf(pair, 1), String(first)];
    }),
  );
}

interface Sent {
  traceId: string;
  spanId: string;
  parent: string;
  name: string;
  attributes: Record<string, string>;
  links: string[];
  failed: boolean;
}

// opentelemetry/proto/trace/v1/trace.proto
const toSpan = (span: Buffer): Sent => ({
  traceId: hex(span, 1),
  spanId: hex(span, 2),
  parent: hex(span, 4),
  name: textOf(span, 5),
  attributes: attributesOf(span, 9),
  links: all(span, 13).map((link) => hex(link, 2)),
  failed: all(span, 15).some((status) =>
    [...fieldsOf(status)].some(([n, value]) => n === 3 && value === 2n),
  ),
});

/** Starts a collector that stores the bodies that it gets. */
async function collector() {
  const bodies: Buffer[] = [];
  const server = createServer((request, response) => {
    void buffer(request).then((body) => {
      assert.equal(request.url, '/v1/traces');
      bodies.push(body);
      response.end();
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    endpoint: `http://127.0.0.1:${port}`,
    bodies,
    spans: () => bodies.flatMap((body) => all(body, 1, 2, 2).map(toSpan)),
    resources: () => bodies.flatMap((body) => all(body, 1, 1).map((each) => attributesOf(each, 1))),
    close: () => server.close(),
  };
}

const SECRET = 'sesame';
const service = await build({ after });
const makeDeveloper = developersOf(service);
const collected = await collector();
const server = await serving({
  DATABASE_URL: await databaseUrl(service.db),
  OTEL_EXPORTER_OTLP_ENDPOINT: collected.endpoint,
  OTEL_BSP_SCHEDULE_DELAY: '100',
});
let log = '';
server.child.stderr?.on('data', (chunk: Buffer) => (log += chunk.toString()));
after(async () => {
  await server.stop();
  collected.close();
});

async function send(
  path: string,
  key: string,
  body?: object,
  headers: Record<string, string> = {},
) {
  const response = await fetch(server.url + path, {
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  });
  await response.text();
  return { status: response.status, requestId: String(response.headers.get('x-request-id')) };
}

async function until<T>(look: () => T | undefined): Promise<T> {
  for (const endMs = Date.now() + 20_000; Date.now() < endMs; await sleep(50)) {
    const seen = look();
    if (seen !== undefined) return seen;
  }
  throw new Error('it did not come to that');
}

/** The span of a request, once it was sent. */
const spanOf = (requestId: string): Promise<Sent> =>
  until(() =>
    collected.spans().find(({ attributes }) => attributes['offplan.request_id'] === requestId),
  );

const childrenOf = ({ spanId }: Sent): Sent[] =>
  collected.spans().filter(({ parent }) => parent === spanId);

test('a request is a span named by its route, below the caller’s, and its statements are below it', async () => {
  const { key } = await makeDeveloper();
  const [traceId, parent] = ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331'];
  const { requestId } = await send('/api/v1/stocklist?limit=3', key, undefined, {
    traceparent: `00-${traceId}-${parent}-01`,
  });
  const span = await spanOf(requestId);
  assert.deepEqual([span.traceId, span.parent], [traceId, parent]);
  assert.equal(span.name, 'GET /api/v1/stocklist');
  assert.deepEqual(span.attributes, {
    'http.request.method': 'GET',
    'http.route': '/api/v1/stocklist',
    'http.response.status_code': '200',
    'offplan.request_id': requestId,
  });
  const names = new Set(childrenOf(span).map(({ name }) => name));
  for (const name of [KEY_LOOK_UP, PAGE_LOOK_UP]) assert.ok(names.has(name), name);
  assert.ok(childrenOf(span).every((child) => child.traceId === traceId));
});

test('an import has its transaction below its request, and the statements below that', async () => {
  const { key } = await makeDeveloper();
  for (const action of ['create', 'merge']) {
    const { requestId } = await send('/api/v1/contacts', key, { email: 'one@example.com' });
    const span = await spanOf(requestId);
    const [batch, ...others] = childrenOf(span).filter(({ name }) => name === 'import');
    assert.ok(batch);
    assert.deepEqual(others, []);
    assert.ok(childrenOf(batch).length > 0, action);
  }
});

test('an import whose body arrives late is below its request all the same', async () => {
  const { key } = await makeDeveloper();
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  // The second on the connection: what the socket knows of a request would be that of the first.
  for (const name of ['first', 'second']) {
    const sent = request(`${server.url}/api/v1/contacts`, { agent, method: 'POST', headers });
    sent.write(`{"email": "${name}@`);
    await sleep(100);
    sent.end('example.com"}');
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    response.resume();
    await once(response, 'end');
    const span = await spanOf(String(response.headers['x-request-id']));
    assert.equal(childrenOf(span).filter((child) => child.name === 'import').length, 1, name);
  }
  agent.destroy();
});

test('imports that share a transaction are linked with it, and it with them', async () => {
  const { key } = await makeDeveloper();
  const sent = await Promise.all(
    Array.from({ length: 12 }, (_, n) => send('/api/v1/contacts', key, { email: `${n}@x.com` })),
  );
  const spans = await Promise.all(sent.map(({ requestId }) => spanOf(requestId)));
  const shared = await until(() =>
    collected.spans().find(({ name, links }) => name === 'import' && links.length > 1),
  );
  assert.equal(shared.parent, '');
  const members = spans.filter(({ spanId }) => shared.links.includes(spanId));
  assert.equal(members.length, shared.links.length);
  for (const { links } of members) assert.deepEqual(links, [shared.spanId]);
});

test('a failure shows in the spans by its SQLSTATE, and the log line has the id of the trace', async (t) => {
  const { key } = await makeDeveloper();
  const alter = (text: string) => service.db.query({ name: '', text, values: [] });
  await alter(`alter table activities add constraint odd check (body <> '${SECRET}')`);
  t.after(async () => void (await alter('alter table activities drop constraint odd')));
  const body = { email: `${SECRET}@example.com`, notes: SECRET };
  const { status, requestId } = await send('/api/v1/contacts', key, body);
  assert.equal(status, 500);
  const span = await spanOf(requestId);
  assert.deepEqual([span.failed, span.attributes['error.type']], [true, '500']);
  const write = await until(() =>
    collected
      .spans()
      .find(
        ({ traceId, failed, attributes }) =>
          traceId === span.traceId && failed && attributes['error.type'] === '23514',
      ),
  );
  assert.ok(write);
  const lines = await until(() => {
    const found = log.split('\n').filter((line) => line.includes(`"${requestId}"`));
    return found.length === 2 ? found : undefined;
  });
  for (const line of lines) assert.equal(JSON.parse(line).traceId, span.traceId);
});

test('a caller that is not sampled is not sent, and a malformed traceparent begins a new trace', async () => {
  const { key } = await makeDeveloper();
  const traceId = '1af7651916cd43dd8448eb211c80319c';
  const quiet = { traceparent: `00-${traceId}-b7ad6b7169203331-00` };
  await send('/api/v1/stocklist', key, undefined, quiet);
  const zero = { traceparent: `00-${'0'.repeat(32)}-b7ad6b7169203331-01` };
  const span = await spanOf((await send('/api/v1/stocklist', key, undefined, zero)).requestId);
  assert.deepEqual([span.parent, /^0+$/.test(span.traceId)], ['', false]);
  assert.deepEqual(
    collected.spans().filter((each) => each.traceId === traceId),
    [],
  );
});

test('no span has a value, a key, an account, a query or a path that a client sent', async () => {
  const { key, slug } = await makeDeveloper();
  const accountId = await accountIdOf(service.db, { slug });
  await send(`/api/v1/stocklist?city=${SECRET}`, key, undefined, { 'user-agent': SECRET });
  await send(`/api/v1/projects/${SECRET}`, key);
  await send(`/${SECRET}`, key);
  const body = { email: `${SECRET}@example.com`, name: SECRET };
  await spanOf((await send('/api/v1/contacts', key, body)).requestId);
  const sent = Buffer.concat(collected.bodies);
  for (const secret of [SECRET, key.slice(8, 40), slug, accountId])
    assert.equal(sent.indexOf(secret), -1, secret);
});

test('the service names itself and its release', async () => {
  const [resource] = collected.resources();
  assert.equal(resource?.['service.name'], 'offplan');
  assert.match(String(resource?.['service.version']), /^\d+\.\d+\.\d+/);
});

test('without its collector of traces the service answers and stops as usual, and the log says why none are sent', async (t) => {
  const { key } = await makeDeveloper();
  const alone = await serving({
    DATABASE_URL: await databaseUrl(service.db),
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9',
    OTEL_BSP_SCHEDULE_DELAY: '50',
    OTEL_EXPORTER_OTLP_TIMEOUT: '200',
  });
  t.after(() => alone.child.kill('SIGKILL'));
  let said = '';
  alone.child.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const headers = { authorization: `Bearer ${key}` };
  assert.equal((await fetch(`${alone.url}/api/v1/stocklist`, { headers })).status, 200);
  await until(() => (said.includes('traces could not be sent: ECONNREFUSED') ? true : undefined));
  assert.equal(await alone.stop(), 0);
});

test('a certificate for the collector that cannot be read stops the start with one line', async (t) => {
  const folder = dataFolder(t);
  const garbage = join(folder, 'collector.crt');
  writeFileSync(garbage, 'no certificate\n');
  const database = { DATABASE_URL: await databaseUrl(service.db), PORT: '0' };
  for (const [name, file, reason] of [
    ['CERTIFICATE', join(folder, 'none.crt'), /a file that can be read; .* cannot \(ENOENT\)/],
    ['CERTIFICATE', folder, /a file that can be read; .* cannot \(EISDIR\)/],
    ['CERTIFICATE', garbage, /a file of certificates in PEM; .* has none/],
    ['CLIENT_CERTIFICATE', garbage, /a file of certificates in PEM; .* has none/],
    ['CLIENT_KEY', folder, /a file that can be read; .* cannot \(EISDIR\)/],
  ] as const) {
    const setting = `OTEL_EXPORTER_OTLP_${name}`;
    const settings = { ...database, OTEL_EXPORTER_OTLP_ENDPOINT: 'https://127.0.0.1:9' };
    const { code, stderr } = await offplan(['serve'], { ...settings, [setting]: file });
    assert.equal(code, 1);
    assert.match(stderr, new RegExp(`^offplan: ${setting} must name ${reason.source}\\.\n$`));
    // A command sends no traces.
    assert.equal((await offplan(['accounts', 'list'], { ...settings, [setting]: file })).code, 0);
  }
});

test('what was not sent yet is sent when the service ends', async (t) => {
  const own = await collector();
  t.after(() => own.close());
  const { key } = await makeDeveloper();
  const short = await serving({
    DATABASE_URL: await databaseUrl(service.db),
    OTEL_EXPORTER_OTLP_ENDPOINT: own.endpoint,
    OTEL_BSP_SCHEDULE_DELAY: '60000',
  });
  t.after(() => short.child.kill('SIGKILL'));
  const headers = { authorization: `Bearer ${key}` };
  assert.equal((await fetch(`${short.url}/api/v1/stocklist`, { headers })).status, 200);
  assert.deepEqual(own.spans(), []);
  assert.equal(await short.stop(), 0);
  assert.ok(own.spans().some(({ name }) => name === 'GET /api/v1/stocklist'));
});

test('without an endpoint nothing of it is loaded, and no line of the log has a trace', async () => {
  const { key } = await makeDeveloper();
  await service.send({ url: '/api/v1/stocklist?limit=0', key });
  assert.ok(service.log.every((line) => !line.includes('traceId')));
  await import('../../src/cli/serve/serve.ts');
  const { cache } = createRequire(import.meta.url);
  const loaded = () => Object.keys(cache).filter((path) => path.includes('@opentelemetry'));
  assert.deepEqual(loaded(), []);
  const { loadTraces } = await import('../../src/platform/telemetry/index.ts');
  await loadTraces();
  assert.notDeepEqual(loaded(), []);
});
