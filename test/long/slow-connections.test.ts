import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { developersOf } from '../developer.ts';
import { build, databaseUrl } from '../harness.ts';
import { serving } from '../process.ts';

const SLOW = 1_000;
const GONE_MS = 15_000;
/** A byte a second, for longer than anybody has patience. */
const PAUSE_MS = 1_000;
/** Connections of others, that come and go. */
const FEW = 5;
/** Those that read nothing: what they leave unread is held by the kernel. */
const UNREAD = 200;
const SCRIPTS = 10;
/** What a person would notice. */
const NOTICED_MS = 100;

const service = await build({ after });
const { key } = await developersOf(service)();
const server = await serving({ DATABASE_URL: await databaseUrl(service.db), LOG_LEVEL: 'warn' });
after(() => server.stop());
const { hostname: host, port } = new URL(server.url);

const HEADERS = 'GET /api/v1/stocklist HTTP/1.1\r\n';
const BODY = [
  'POST /api/v1/contacts HTTP/1.1',
  'Host: x',
  `Authorization: Bearer ${key}`,
  'Content-Type: application/json',
  'Content-Length: 1000',
  '',
  '{',
].join('\r\n');

/** Connects, sends a beginning and then a byte a second, and does not close when the service does. */
async function dawdle(beginning: string): Promise<{ told: Promise<string> }> {
  const socket = connect({ host, port: Number(port), allowHalfOpen: true });
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(beginning);
  const timer = setInterval(() => beginning !== '' && socket.write('x'), PAUSE_MS);
  setTimeout(() => {
    clearInterval(timer);
    socket.destroy();
  }, 2 * GONE_MS).unref();
  return { told: text(socket) };
}

/** How many files and sockets the service has open. */
const openFiles = (): number => readdirSync(`/proc/${server.child.pid}/fd`).length;

/** How long a website waits for a page, while `go` says so: the slowest of a hundred. */
async function served(go: () => boolean): Promise<number> {
  const times: number[] = [];
  while (go()) {
    const startedMs = performance.now();
    const headers = { authorization: `Bearer ${key}` };
    const answer = await fetch(`${server.url}/api/v1/stocklist`, { headers });
    await answer.arrayBuffer();
    assert.equal(answer.status, 200);
    times.push(performance.now() - startedMs);
    await sleep(10);
  }
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? NaN;
}

for (const [what, beginning] of [
  ['send nothing', ''],
  ['send headers byte by byte', HEADERS],
  ['send bodies byte by byte', BODY],
] as const)
  test(`${SLOW} connections that ${what} are told 408 and gone within 15 s, others are served as before`, async (t) => {
    const calmMs = performance.now() + 5_000;
    const alone = await served(() => performance.now() < calmMs);
    const before = openFiles();
    const dawdlers = await Promise.all(Array.from({ length: SLOW }, () => dawdle(beginning)));
    const startedMs = performance.now();
    const meanwhile = served(() => performance.now() < startedMs + GONE_MS);
    await sleep(5_000);
    assert.ok(openFiles() >= before + SLOW - FEW, 'they are not there');
    await sleep(startedMs + GONE_MS - performance.now());
    const left = openFiles() - before;
    const told = await Promise.all(dawdlers.map((each) => each.told));
    const slowest = await meanwhile;
    t.diagnostic(`p99 ${alone.toFixed(1)} ms alone, ${slowest.toFixed(1)} ms meanwhile`);
    assert.ok(left <= FEW, `${left} are left`);
    for (const answer of told) {
      assert.match(answer, /^HTTP\/1\.1 408 /);
      assert.match(answer, /"code":"request_timeout"/);
    }
    assert.ok(slowest <= Math.max(2 * alone, NOTICED_MS), `${slowest} ms against ${alone}`);
  });

/** Asks for more than all buffers between here and the service hold. */
function ask(socket: Socket): void {
  const script = `GET /docs/static/swagger-ui-bundle.js HTTP/1.1\r\nHost: x\r\n`;
  const more = `${script}\r\n`.repeat(SCRIPTS - 1);
  socket.write(`${more}${script}Connection: close\r\n\r\n`);
}

test(`${UNREAD} connections that read nothing of their answers are gone within 30 s, others are served as before`, async () => {
  const before = openFiles();
  const sockets = await Promise.all(
    Array.from({ length: UNREAD }, async () => {
      const socket = connect({ host, port: Number(port) });
      socket.on('error', () => undefined);
      await once(socket, 'connect');
      ask(socket.pause());
      return socket;
    }),
  );
  after(() => sockets.forEach((socket) => socket.destroy()));
  const startedMs = performance.now();
  await sleep(5_000);
  assert.ok(openFiles() >= before + UNREAD - FEW, 'they are not there');
  const slowest = await served(() => performance.now() < startedMs + 2 * GONE_MS);
  assert.ok(slowest <= NOTICED_MS, `${slowest} ms`);
  const left = openFiles() - before;
  assert.ok(left <= FEW, `${left} are left`);
});

test('who reads for longer than a client may rest in the middle gets all of the answer', async () => {
  const socket = connect({ host, port: Number(port) });
  ask(socket);
  const startedMs = performance.now();
  let chunks = 0;
  const told: Buffer[] = [];
  for await (const chunk of socket) {
    told.push(chunk as Buffer);
    chunks += 1;
    if (performance.now() < startedMs + 2 * GONE_MS && chunks % 8 === 0) await sleep(PAUSE_MS);
  }
  assert.ok(performance.now() > startedMs + GONE_MS, 'it was there at once');
  const answers = Buffer.concat(told).toString('latin1').split('HTTP/1.1 200 OK').length - 1;
  assert.equal(answers, SCRIPTS);
});

test('a connection that is kept alive without a request is closed after 72 s', async () => {
  const socket = connect({ host, port: Number(port) });
  socket.write('GET /livez HTTP/1.1\r\nHost: x\r\n\r\n');
  await once(socket, 'data');
  const startedMs = performance.now();
  await text(socket);
  const seconds = (performance.now() - startedMs) / 1_000;
  assert.ok(seconds > 70 && seconds < 80, `${seconds} s`);
});

test('a connection that is kept alive may rest for longer than a request may take', async () => {
  const socket = connect({ host, port: Number(port) });
  const page = `GET /livez HTTP/1.1\r\nHost: x\r\n`;
  socket.write(`${page}\r\n`);
  await once(socket, 'data');
  await sleep(GONE_MS);
  socket.write(`${page}Connection: close\r\n\r\n`);
  assert.match(await text(socket), /^HTTP\/1\.1 200 /);
});

test('a body that takes eight seconds is imported', async () => {
  const socket = connect({ host, port: Number(port) });
  const body = JSON.stringify({ email: 'slow-link@example.com', notes: 'x'.repeat(900_000) });
  socket.write(BODY.replace('1000', String(body.length)).slice(0, -1));
  for (let n = 0; n < 8; n += 1) {
    socket.write(body.slice((n * body.length) / 8, ((n + 1) * body.length) / 8));
    await sleep(1_000);
  }
  socket.end();
  assert.match(await text(socket), /^HTTP\/1\.1 201 /);
});
