import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { before, after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { developersOf, type Developer } from './developer.ts';
import { build } from './harness.ts';
import { whileLocked } from './locks.ts';

const MB = 1024 * 1024;
const LONG = 'x'.repeat(MB);
const HELD_MAX = 64 * MB;
const BATCH_MAX = 4 * MB;
const CONTACTS = '/api/v1/contacts';

const service = await build({ after });
const developer = developersOf(service);
let origin = '';
before(async () => {
  await service.app.listen({ port: 0, host: '127.0.0.1' });
  origin = `http://127.0.0.1:${port()}`;
});

const port = (): number => (service.app.server.address() as AddressInfo).port;

const headersOf = ({ key }: Developer) => ({
  authorization: `Bearer ${key}`,
  'content-type': 'application/json',
});

async function post(who: Developer, path: string, body: string) {
  const response = await fetch(origin + path, { method: 'POST', headers: headersOf(who), body });
  return { status: response.status, body: (await response.json()) as { code?: string } };
}

async function read(who: Developer): Promise<number> {
  const response = await fetch(`${origin}/api/v1/stocklist`, { headers: headersOf(who) });
  await response.arrayBuffer();
  return response.status;
}

/** How long many long bodies take that are refused as soon as they are looked at. */
async function tookMs(who: Developer, count: number): Promise<number> {
  const startedMs = performance.now();
  const all = await Promise.all(Array.from({ length: count }, () => post(who, CONTACTS, LONG)));
  assert.deepEqual(new Set(all.map(({ body }) => body.code)), new Set(['malformed_body']));
  return performance.now() - startedMs;
}

test('beside an account that only reads, the long bodies of another are read at 2.5 MB a second', async () => {
  const [busy, quiet] = [await developer(), await developer()];
  const reading = setInterval(() => void read(quiet), 100);
  await read(quiet);
  // The first is read at once; a timer leaves out parts of a millisecond.
  const beside = await tookMs(busy, 4).finally(() => clearInterval(reading));
  assert.ok(beside > (0.9 * 3 * MB) / 2_500, `${beside} ms`);
  // Longer than anyone who was there a moment ago counts as being there.
  await sleep(1_200);
  const alone = await tookMs(busy, 4);
  assert.ok(alone < (0.9 * 3 * MB) / 2_500, `${alone} ms`);
});

for (const [how, send] of [
  ['that say their length', (who: Developer) => tookMs(who, 12)],
  [
    'in chunks',
    (who: Developer) =>
      Promise.all(
        Array(12)
          .fill(LONG)
          .map((each) => chunked(who, each)),
      ),
  ],
] as const)
  test(`beside others the long bodies of one account begin to be received at 8 MB a second: those ${how}`, async (t) => {
    const [busy, quiet] = [await developer(), await developer()];
    const sockets: Socket[] = [];
    service.app.server.on('connection', (socket) => sockets.push(socket));
    const reading = setInterval(() => void read(quiet), 100);
    t.after(() => clearInterval(reading));
    await read(quiet);
    const sent = send(busy);
    await sleep(600);
    const received = sockets.reduce((sum, { bytesRead }) => sum + bytesRead, 0);
    // Of each whose turn has not come no more than 64 KB is taken from the network.
    assert.ok(received > MB && received < 9 * MB, `${received} bytes`);
    await sent;
  });

test('a body in chunks that comes slowly holds up nobody', async () => {
  const busy = await developer();
  await sleep(1_200);
  const slow = await Promise.all(Array.from({ length: 10 }, () => promise(busy)));
  const startedMs = performance.now();
  assert.equal((await post(busy, CONTACTS, LONG)).body.code, 'malformed_body');
  assert.ok(performance.now() - startedMs < 1_000);
  for (const { socket } of slow) socket.destroy();
});

test('the long bodies of one account begin to be received at 25 MB a second', async () => {
  const busy = await developer();
  await sleep(1_200);
  const took = await tookMs(busy, 10);
  assert.ok(took > (0.9 * 9 * MB) / 25_000, `${took} ms`);
});

/** Promises a batch, of up to 4 MB, and sends nothing of it; what is answered all the same. */
async function promise({ key }: Developer): Promise<{ socket: Socket; told: () => string }> {
  const socket = connect(port(), '127.0.0.1');
  after(() => socket.destroy());
  let told = '';
  socket.on('error', () => undefined).on('data', (data) => (told += String(data)));
  await once(socket, 'connect');
  const request = [
    `POST ${CONTACTS}/batch HTTP/1.1`,
    'Host: x',
    `Authorization: Bearer ${key}`,
    'Content-Type: application/json',
    'Transfer-Encoding: chunked',
  ];
  socket.write(`${request.join('\r\n')}\r\n\r\n`);
  return { socket, told: () => told };
}

/** Sends a long body until it is looked at: what was held of others is let go, sooner or later. */
async function sentUntilRead(who: Developer): Promise<void> {
  while ((await post(who, CONTACTS, LONG)).body.code === 'rate_limited') await sleep(20);
}

test('what one account sends at once is held up to 64 MB, beyond which it is 429 with Retry-After', async () => {
  const [busy, quiet] = [await developer(), await developer()];
  const most = Math.floor(HELD_MAX / (BATCH_MAX + 4_096));
  const promised = await Promise.all(Array.from({ length: most - 1 }, () => promise(busy)));
  await sleep(100);
  // What is read is held no more.
  for (let n = 0; n < 5; n += 1)
    assert.equal((await post(busy, CONTACTS, LONG)).body.code, 'malformed_body');
  promised.push(await promise(busy));
  await sleep(100);
  assert.equal(promised.map(({ told }) => told()).join(''), '');
  const beyond = await promise(busy);
  while (!beyond.told().endsWith('}')) await sleep(10);
  assert.match(beyond.told(), /^HTTP\/1\.1 429 /);
  assert.match(beyond.told(), /^retry-after: [1-9]/im);
  assert.match(beyond.told(), /"code":"rate_limited"/);
  // What another sends is none of this.
  assert.equal((await post(quiet, CONTACTS, LONG)).body.code, 'malformed_body');
  for (const { socket } of [...promised, beyond]) socket.destroy();
  await sentUntilRead(busy);
});

test('short bodies are held until they are answered, and are 429 beyond 64 MB, too', async () => {
  const [busy, quiet] = [await developer(), await developer()];
  let refused = 0;
  const sockets: Socket[] = [];
  const body = JSON.stringify({ email: 'short@example.com', notes: 'x'.repeat(31_000) });
  const fields = Object.entries(headersOf(busy)).map(([name, value]) => `${name}: ${value}`);
  const head = [
    `POST ${CONTACTS} HTTP/1.1`,
    'Host: x',
    ...fields,
    `Content-Length: ${body.length}`,
  ];
  const lead = `${head.join('\r\n')}\r\n\r\n${body}`;
  await whileLocked(service.db, 'imports', async () => {
    for (let n = 0; n < HELD_MAX / lead.length; n += 12) {
      const socket = connect(port(), '127.0.0.1');
      socket
        .on('error', () => undefined)
        .on('data', (data) => {
          refused += String(data).split('"code":"rate_limited"').length - 1;
        });
      sockets.push(socket);
      socket.write(lead.repeat(12));
      await sleep(5);
    }
    assert.ok(refused > 0);
    assert.equal((await post(quiet, CONTACTS, LONG)).body.code, 'malformed_body');
    for (const socket of sockets) socket.destroy();
  });
  await sleep(100);
  assert.ok((await post(busy, CONTACTS, '{"email":"one@example.com"}')).status < 300);
});

test('nothing is held of who leaves while the key is looked up', async () => {
  const busy = await developer();
  await whileLocked(service.db, 'api_keys', async () => {
    const leaving = await Promise.all(
      Array.from({ length: HELD_MAX / BATCH_MAX }, () => promise(busy)),
    );
    await sleep(100);
    for (const { socket } of leaving) socket.destroy();
    await sleep(100);
  });
  assert.equal((await post(busy, CONTACTS, LONG)).body.code, 'malformed_body');
});

/** Sends a body in one chunk. */
const chunked = ({ key }: Developer, body: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const headers = { ...headersOf({ key } as Developer), 'transfer-encoding': 'chunked' };
    request(origin + CONTACTS, { method: 'POST', headers }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    })
      .on('error', reject)
      .end(body);
  });

test('short bodies in chunks are held as what they are, and wait for nothing', async () => {
  const busy = await developer();
  const count = 2 * (HELD_MAX / MB);
  const sent: Promise<number>[] = [];
  await whileLocked(service.db, 'imports', async () => {
    for (let n = 0; n < count; n += 1) {
      sent.push(chunked(busy, `{"email":"chunked-${n}@example.com"}`));
      // So that the service looks at it before there are more.
      if (n % 32 === 31) await sleep(30);
    }
  });
  assert.deepEqual(new Set(await Promise.all(sent)), new Set([201]));
});
