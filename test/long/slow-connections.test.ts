import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { developersOf } from '../support/developer.ts';
import { build, databaseUrl } from '../support/harness.ts';
import { serving } from '../support/process.ts';

const SLOW = 1_000;
const GONE_MS = 15_000;
/** The clients send a byte a second. */
const PAUSE_MS = 1_000;
/** Connections of other clients come and go. */
const FEW = 5;
/** Clients that read nothing: the kernel buffers their answers. */
const UNREAD = 200;
const SCRIPTS = 10;
/** A person notices a longer wait. */
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

/** Connects, sends a beginning and then a byte a second, and stays open when the service closes. */
async function sendSlowly(beginning: string): Promise<{ answer: Promise<string> }> {
  const socket = connect({ host, port: Number(port), allowHalfOpen: true });
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(beginning);
  const timer = setInterval(() => beginning !== '' && socket.write('x'), PAUSE_MS);
  setTimeout(() => {
    clearInterval(timer);
    socket.destroy();
  }, 2 * GONE_MS).unref();
  return { answer: text(socket) };
}

/** Counts the files and sockets that the service has open. */
const countOpenFiles = (): number => readdirSync(`/proc/${server.child.pid}/fd`).length;

/** Reads pages as a website does while `go` returns true. Returns the 99th percentile of the times. */
async function measurePages(go: () => boolean): Promise<number> {
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
  test(`${SLOW} connections that ${what} get a 408 and are closed within 15 s, and other clients notice nothing`, async (t) => {
    const calmMs = performance.now() + 5_000;
    const alone = await measurePages(() => performance.now() < calmMs);
    const before = countOpenFiles();
    const slowClients = await Promise.all(
      Array.from({ length: SLOW }, () => sendSlowly(beginning)),
    );
    const startedMs = performance.now();
    const meanwhile = measurePages(() => performance.now() < startedMs + GONE_MS);
    await sleep(5_000);
    assert.ok(countOpenFiles() >= before + SLOW - FEW, 'the connections are not open');
    await sleep(startedMs + GONE_MS - performance.now());
    const left = countOpenFiles() - before;
    const answers = await Promise.all(slowClients.map((each) => each.answer));
    const slowest = await meanwhile;
    t.diagnostic(`p99 ${alone.toFixed(1)} ms alone, ${slowest.toFixed(1)} ms meanwhile`);
    assert.ok(left <= FEW, `${left} are left`);
    for (const answer of answers) {
      assert.match(answer, /^HTTP\/1\.1 408 /);
      assert.match(answer, /"code":"request_timeout"/);
    }
    assert.ok(slowest <= Math.max(2 * alone, NOTICED_MS), `${slowest} ms against ${alone}`);
  });

/** Sends requests whose answers are larger than all buffers on the way. */
function ask(socket: Socket): void {
  const script = `GET /docs/static/swagger-ui-bundle.js HTTP/1.1\r\nHost: x\r\n`;
  const more = `${script}\r\n`.repeat(SCRIPTS - 1);
  socket.write(`${more}${script}Connection: close\r\n\r\n`);
}

test(`${UNREAD} connections that read nothing of their answers are closed within 30 s, and other clients notice nothing`, async () => {
  const before = countOpenFiles();
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
  assert.ok(countOpenFiles() >= before + UNREAD - FEW, 'the connections are not open');
  const slowest = await measurePages(() => performance.now() < startedMs + 2 * GONE_MS);
  assert.ok(slowest <= NOTICED_MS, `${slowest} ms`);
  const left = countOpenFiles() - before;
  assert.ok(left <= FEW, `${left} are left`);
});

test('a client that reads slowly for 30 s gets all of its answers', async () => {
  const socket = connect({ host, port: Number(port) });
  ask(socket);
  const startedMs = performance.now();
  let chunks = 0;
  const received: Buffer[] = [];
  for await (const chunk of socket) {
    received.push(chunk as Buffer);
    chunks += 1;
    if (performance.now() < startedMs + 2 * GONE_MS && chunks % 8 === 0) await sleep(PAUSE_MS);
  }
  assert.ok(performance.now() > startedMs + GONE_MS, 'the answers arrived at once');
  const answers = Buffer.concat(received).toString('latin1').split('HTTP/1.1 200 OK').length - 1;
  assert.equal(answers, SCRIPTS);
});

test('a kept-alive connection without a request is closed after 72 s', async () => {
  const socket = connect({ host, port: Number(port) });
  socket.write('GET /livez HTTP/1.1\r\nHost: x\r\n\r\n');
  await once(socket, 'data');
  const startedMs = performance.now();
  await text(socket);
  const seconds = (performance.now() - startedMs) / 1_000;
  assert.ok(seconds > 70 && seconds < 80, `${seconds} s`);
});

test('a kept-alive connection may pause for longer than a request may take', async () => {
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
