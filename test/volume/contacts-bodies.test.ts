import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { before, after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { developersOf, type Developer } from '../support/developer.ts';
import { build } from '../support/harness.ts';
import { BATCH, SINGLE } from '../support/imports.ts';
import { someoneWaits, waitingForLocks, whileLocked } from '../support/locks.ts';
import { readRows } from '../support/sql.ts';
import { until } from '../support/until.ts';

const MB = 1024 * 1024;
const ACCOUNT_MAX_BYTES = 64 * MB;
const BATCH_MAX_BYTES = 4 * MB;
const LONG = 'x'.repeat(MB);

const service = await build({ after });
const makeDeveloper = developersOf(service);
let port = 0;
before(async () => {
  await service.app.listen({ port: 0, host: '127.0.0.1' });
  ({ port } = service.app.server.address() as AddressInfo);
});

const headersOf = ({ key }: Developer) => ({
  authorization: `Bearer ${key}`,
  'content-type': 'application/json',
});

async function post(who: Developer, url: string, payload: string) {
  const headers = headersOf(who);
  const answer = await service.inject({ method: 'POST', url, headers, payload });
  return { status: answer.statusCode, code: answer.json<{ code?: string }>().code };
}

/** Begins a batch in chunks, which may have up to 4 MiB, and sends no chunk. */
async function beginBatch({ key }: Developer): Promise<{ socket: Socket; received: () => string }> {
  const socket = connect(port, '127.0.0.1');
  after(() => socket.destroy());
  let text = '';
  socket.on('error', () => undefined).on('data', (data) => (text += String(data)));
  await once(socket, 'connect');
  const head = [
    `POST ${BATCH} HTTP/1.1`,
    'Host: x',
    `Authorization: Bearer ${key}`,
    'Content-Type: application/json',
    'Transfer-Encoding: chunked',
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  return { socket, received: () => text };
}

const MOST_BATCHES = Math.floor(ACCOUNT_MAX_BYTES / (BATCH_MAX_BYTES + 4_096));

test('bodies of one account that are under way are 429 with Retry-After beyond 64 MiB, and another account’s are not', async () => {
  const [busy, quiet] = [await makeDeveloper(), await makeDeveloper()];
  const batches = await Promise.all(
    Array.from({ length: MOST_BATCHES + 3 }, () => beginBatch(busy)),
  );
  const answered = () => batches.map(({ received }) => received()).filter(Boolean);
  await until(() => answered().filter((text) => text.endsWith('}')).length === 3);
  for (const text of answered()) {
    assert.match(text, /^HTTP\/1\.1 429 /);
    assert.match(text, /^retry-after: [1-9]/im);
    assert.match(text, /"code":"rate_limited"/);
  }
  assert.equal((await post(quiet, SINGLE, LONG)).code, 'malformed_body');
  for (const { socket } of batches) socket.destroy();
  await until(async () => (await post(busy, SINGLE, LONG)).code === 'malformed_body');
});

test('beyond 256 MiB of all accounts, a batch is 503 with Retry-After, and each account can still send a lead', async () => {
  const busy = await Promise.all(Array.from({ length: 4 }, () => makeDeveloper()));
  const batches = await Promise.all(
    busy.flatMap((who) => Array.from({ length: MOST_BATCHES }, () => beginBatch(who))),
  );
  const quiet = await makeDeveloper();
  const refused = await Promise.all(Array.from({ length: 6 }, () => beginBatch(quiet)));
  const answers = () =>
    refused.map(({ received }) => received()).filter((text) => text.endsWith('}'));
  // The rest of the 256 MiB has room for three of these batches.
  await until(() => answers().length === 3);
  for (const text of answers()) {
    assert.match(text, /^HTTP\/1\.1 503 /);
    assert.match(text, /^retry-after: [1-9]/im);
    assert.match(text, /"code":"unavailable"/);
  }
  assert.equal((await post(await makeDeveloper(), SINGLE, LONG)).code, 'malformed_body');
  for (const { socket } of [...batches, ...refused]) socket.destroy();
  await until(async () => (await post(quiet, BATCH, LONG)).code === 'malformed_body');
});

test('bodies that are answered no longer count', async () => {
  const busy = await makeDeveloper();
  for (let sentBytes = 0; sentBytes <= ACCOUNT_MAX_BYTES; sentBytes += 2 * LONG.length)
    for (const url of [SINGLE, BATCH])
      assert.equal((await post(busy, url, LONG)).code, 'malformed_body');
});

test('short bodies count until they are answered', async () => {
  const [busy, quiet] = [await makeDeveloper(), await makeDeveloper()];
  const lead = JSON.stringify({ email: 'short@example.com', notes: 'x'.repeat(31_000) });
  const url = `${SINGLE}?dryRun=true`;
  let sent: Promise<{ code: string | undefined; status: number }>[] = [];
  await whileLocked(service.db, 'contacts', async () => {
    const count = Math.ceil(ACCOUNT_MAX_BYTES / lead.length);
    sent = Array.from({ length: count }, () => post(busy, url, lead));
    const first = await Promise.race(sent);
    assert.deepEqual([first.status, first.code], [429, 'rate_limited']);
    assert.equal((await post(quiet, SINGLE, LONG)).code, 'malformed_body');
  });
  const statuses = (await Promise.all(sent)).map(({ status }) => status);
  assert.deepEqual(new Set(statuses), new Set([201, 429]));
  assert.equal((await post(busy, url, lead)).status, 201);
});

test('a client that leaves while its key is looked up does not count', async () => {
  const busy = await makeDeveloper();
  await whileLocked(service.db, 'api_keys', async () => {
    const leaving = await Promise.all(
      Array.from({ length: ACCOUNT_MAX_BYTES / BATCH_MAX_BYTES }, () => beginBatch(busy)),
    );
    await until(async () => (await waitingForLocks(service.db)) > 0);
    await Promise.all(
      leaving.map(({ socket }) => {
        socket.destroy();
        return once(socket, 'close');
      }),
    );
  });
  assert.equal((await post(busy, SINGLE, LONG)).code, 'malformed_body');
});

test('short bodies in chunks count with the length that they turn out to have', async () => {
  const busy = await makeDeveloper();
  const count = 2 * (ACCOUNT_MAX_BYTES / MB);
  const chunked = async (n: number): Promise<number> => {
    const headers = { ...headersOf(busy), 'transfer-encoding': 'chunked' };
    // A stream has no Content-Length.
    const payload = Readable.from([`{"email":"chunked-${n}@example.com"}`]);
    const answer = await service.inject({ method: 'POST', url: SINGLE, headers, payload });
    return answer.statusCode;
  };
  const sent: Promise<number>[] = [];
  await whileLocked(service.db, 'imports', async () => {
    for (let n = 0; n < count; n += 1) {
      sent.push(chunked(n));
      // The service reads each body in a later turn of the event loop.
      if (n % 8 === 7) await waitingForLocks(service.db);
    }
  });
  assert.deepEqual(new Set(await Promise.all(sent)), new Set([201]));
});

test('imports that wait for their slot when the service stops are answered 503, and are not made', async (t) => {
  const givingUp = new AbortController();
  const shutdown = { stopping: new AbortController().signal, givingUp: givingUp.signal };
  const stopped = await build(t, {}, shutdown);
  const who = await developersOf(stopped)();
  const address = await stopped.app.listen({ port: 0, host: '127.0.0.1' });
  const send = async (url: string, body: object): Promise<number> => {
    const request = { method: 'POST', headers: headersOf(who), body: JSON.stringify(body) };
    return (await fetch(address + url, request)).status;
  };
  let received = 0;
  stopped.app.server.on('request', () => (received += 1));
  const sent: Promise<number>[] = [];
  await whileLocked(stopped.db, 'imports', async () => {
    // An account has two slots.
    for (const email of ['a@example.com', 'b@example.com'])
      sent.push(send(BATCH, { contacts: [{ email }] }));
    await someoneWaits(stopped.db, 2);
    const large = { unknown: LONG.slice(0, 100_000) };
    sent.push(send(BATCH, { contacts: [{ email: 'c@example.com' }] }));
    sent.push(send(SINGLE, { email: 'd@example.com', ...large }));
    await until(() => received === 4);
    // The bodies arrive after the heads, and the batches and the lead then wait.
    await sleep(200);
    givingUp.abort();
    assert.deepEqual(await Promise.all(sent), [503, 503, 503, 503]);
  });
  const read = () =>
    readRows<{ email: string }>(stopped.db, 'select email from contacts order by email');
  await until(async () => (await read()).length >= 2);
  // The others would take the slots now.
  await sleep(200);
  assert.deepEqual(
    (await read()).map(({ email }) => email),
    ['a@example.com', 'b@example.com'],
  );
});
