import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import http, { type IncomingMessage, type RequestListener } from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test, type TestContext } from 'node:test';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { startNameServer } from '../../../test/support/name-server.ts';
import { withoutOpenssl } from '../../../test/support/postgres-tls.ts';
import { makeSender, type Sender, type SendResult } from './index.ts';

/** A public address that no machine has: its network, 3ffe::/16, was given back. */
const NOBODY = '3ffe::1';
const TIMEOUT_MS = 15_000;

/** A server that counts its connections; on this machine. */
async function listen(t: TestContext, server: http.Server, host = '127.0.0.1') {
  const seen = { connections: 0 };
  server.on('connection', () => (seen.connections += 1));
  server.listen(0, host);
  await once(server, 'listening');
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return { seen, port: (server.address() as AddressInfo).port };
}

const listenHttp = (t: TestContext, answer: RequestListener, host?: string) =>
  listen(t, http.createServer(answer), host);

function makeSend(t: TestContext, { allowPrivate = true } = {}) {
  const sender: Sender = makeSender({ allowPrivate });
  t.after(() => sender.close());
  return (url: string, timeoutMs = TIMEOUT_MS): Promise<SendResult> =>
    sender.send({ url, body: '{"é":1}', headers: { 'webhook-id': 'e1' }, timeoutMs });
}

test('a delivery posts the body and the headers, and tells status, start of the answer and Retry-After', async (t) => {
  const requests: [IncomingMessage, string][] = [];
  const { port, seen } = await listenHttp(t, (request, response) => {
    void text(request).then((body) => {
      requests.push([request, body]);
      response.writeHead(requests.length === 1 ? 204 : 503, { 'retry-after': '120' });
      response.end(requests.length === 1 ? '' : 'bu\0sy');
    });
  });
  const send = makeSend(t);
  const { ms, ...first } = await send(`http://127.0.0.1:${port}/hooks?a=1`);
  assert.ok(Number.isInteger(ms));
  assert.deepEqual(first, { status: 204, error: null, responseStart: '', retryAfterSeconds: 120 });
  const second = await send(`HTTP://127.0.0.1:${port}/`);
  assert.equal(second.error, 'answered 503');
  assert.equal(second.responseStart, 'bu\uFFFDsy');
  const [request, body] = requests[0] ?? assert.fail();
  assert.equal(`${request.method} ${request.url} ${body}`, 'POST /hooks?a=1 {"é":1}');
  assert.equal(request.headers['webhook-id'], 'e1');
  assert.equal(request.headers['content-length'], '8');
  assert.equal(seen.connections, 1);
});

for (const [value, expected] of [
  ['Wed, 01 Jan 2020 00:00:00 GMT', 0],
  ['soon', null],
  ['-5', null],
] as const)
  test(`Retry-After: ${value} is read as ${expected}`, async (t) => {
    const { port } = await listenHttp(t, (_, response) => {
      response.writeHead(429, { 'retry-after': value }).end();
    });
    const { retryAfterSeconds } = await makeSend(t)(`http://127.0.0.1:${port}`);
    assert.equal(retryAfterSeconds, expected);
  });

test('an answer without an end is read to 4 KiB', async (t) => {
  let isClosed = false;
  const { port } = await listenHttp(t, (_, response) => {
    response.once('close', () => (isClosed = true));
    const write = () => {
      while (!response.destroyed && response.write('x'.repeat(1_000)));
    };
    response.on('drain', write);
    write();
  });
  const { status, responseStart } = await makeSend(t)(`http://127.0.0.1:${port}`);
  assert.equal(status, 200);
  assert.equal(responseStart.length, 4_096);
  await t.waitFor(() => assert.ok(isClosed), { timeout: TIMEOUT_MS });
});

test('an answer that comes byte by byte is not waited for longer than the time limit', async (t) => {
  const { port } = await listenHttp(t, (_, response) => {
    const timer = setInterval(() => response.write('x'), 10);
    response.once('close', () => clearInterval(timer));
  });
  const { status, error } = await makeSend(t)(`http://127.0.0.1:${port}`, 300);
  // On a slow machine the head, too, can come late.
  assert.ok(status === 200 || error === 'no answer in 0.3 s', error ?? '');
});

test('a receiver that switches to another protocol has not taken the delivery', async (t) => {
  const { port } = await listenHttp(t, ({ socket }) => {
    socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n');
  });
  const { status, error } = await makeSend(t)(`http://127.0.0.1:${port}`);
  assert.deepEqual([status, error], [null, 'answered 101, which switches to another protocol']);
});

test('a receiver that does not answer in time, or closes the connection, has not taken the delivery', async (t) => {
  const silent = await listenHttp(t, () => undefined);
  const cutting = await listenHttp(t, (request) => request.socket.destroy());
  const send = makeSend(t);
  const late = await send(`http://127.0.0.1:${silent.port}`, 50);
  assert.deepEqual([late.status, late.error], [null, 'no answer in 0.05 s']);
  const cut = await send(`http://127.0.0.1:${cutting.port}`);
  assert.deepEqual([cut.status, cut.error], [null, 'the host 127.0.0.1 closed the connection']);
});

test('a delivery over a connection that the receiver has just closed is sent again over a new one', async (t) => {
  let isFirst = true;
  const { port, seen } = await listenHttp(t, (request, response) => {
    // The second request on the first connection is not read.
    if (seen.connections === 1 && !isFirst) request.socket.resetAndDestroy();
    else response.end();
    isFirst = false;
  });
  const send = makeSend(t);
  assert.equal((await send(`http://127.0.0.1:${port}`)).status, 200);
  assert.equal((await send(`http://127.0.0.1:${port}`)).status, 200);
  assert.equal(seen.connections, 2);
});

test('a redirect is not followed, and is a failure', async (t) => {
  const target = await listenHttp(t, (_, response) => response.end());
  for (const status of [301, 302, 303, 307, 308]) {
    const { port } = await listenHttp(t, (_, response) => {
      response.writeHead(status, { location: `http://127.0.0.1:${target.port}/` }).end();
    });
    const result = await makeSend(t)(`http://127.0.0.1:${port}`);
    assert.equal(result.error, `answered ${status}; redirects are not followed`);
  }
  assert.equal(target.seen.connections, 0);
});

test('no spelling of an address of this machine is connected to', async (t) => {
  const { port, seen } = await listenHttp(t, (_, response) => response.end());
  const ipv6 = await listenHttp(t, (_, response) => response.end(), '::1').catch(() => undefined);
  const send = makeSend(t, { allowPrivate: false });
  for (const host of '127.0.0.1 127.1 2130706433 0x7f000001 0177.0.0.1 0 0.0.0.0 localhost'.split(
    ' ',
  ))
    for (const protocol of ['http', 'https']) {
      const { status, error } = await send(`${protocol}://${host}:${port}/`);
      assert.equal(status, null);
      assert.match(error ?? '', /^the address must (begin|be an address in the public)/);
    }
  for (const host of [
    '[::1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[64:ff9b::7f00:1]',
  ])
    assert.equal((await send(`https://${host}:${ipv6?.port ?? port}/`)).status, null);
  assert.equal(seen.connections, 0);
  assert.equal(ipv6?.seen.connections ?? 0, 0);
});

const REFUSED = 'the name leads to an address that is not in the public internet';

for (const [what, addresses] of Object.entries({
  'an address of this machine': ['127.0.0.1'],
  'its IPv6 address': ['::1'],
  'an address of the cloud': ['169.254.169.254'],
  'an IPv4 address in an IPv6 one': ['::ffff:127.0.0.1'],
  'a public and a private address': [NOBODY, '127.0.0.1'],
  'a private and a public address': ['127.0.0.1', '127.0.0.2', NOBODY],
  'a public IPv4 and a private IPv6 address': ['8.8.8.8', '::1'],
}))
  test(`a name with ${what} is refused, and nothing is connected to`, async (t) => {
    const { port, seen } = await listenHttp(t, (_, response) => response.end());
    const server = await startNameServer(t);
    server.names['hooks.test'] = [addresses];
    const { status, error } = await makeSend(t, { allowPrivate: false })(
      `https://hooks.test:${port}/`,
    );
    assert.deepEqual([status, error], [null, REFUSED]);
    assert.equal(seen.connections, 0);
  });

test('a name is looked up once for a connection, and refused when it leads elsewhere the second time', async (t) => {
  const { port, seen } = await listenHttp(t, (_, response) => response.end());
  const server = await startNameServer(t);
  server.names['hooks.test'] = [[NOBODY], ['127.0.0.1']];
  const send = makeSend(t, { allowPrivate: false });
  const first = await send(`https://hooks.test:${port}/`, 200);
  assert.notEqual(first.error, REFUSED);
  assert.equal(server.countLookUps('hooks.test'), 1);
  assert.equal((await send(`https://hooks.test:${port}/`)).error, REFUSED);
  assert.equal(server.countLookUps('hooks.test'), 2);
  assert.equal(seen.connections, 0);
});

test('a name that is not there is an error that names it', async (t) => {
  await startNameServer(t);
  const { error } = await makeSend(t, { allowPrivate: false })('https://nowhere.test/');
  assert.equal(error, 'the host nowhere.test has no address');
});

test(
  'a delivery over TLS needs a certificate that the machine trusts',
  { skip: withoutOpenssl },
  async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'offplan-webhooks-'));
    t.after(() => rmSync(folder, { recursive: true }));
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
    const make = `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout ${key} -out ${cert} -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost`;
    execFileSync('openssl', make.split(' '), { stdio: 'pipe' });
    const tls = { key: readFileSync(key), cert: readFileSync(cert) };
    const server = https.createServer(tls, (_, response) => response.end());
    const { port } = await listen(t, server);
    const send = makeSend(t);
    assert.equal(
      (await send(`https://localhost:${port}/`)).error,
      'the host localhost has a self-signed certificate',
    );
    const trusted = getCACertificates();
    t.after(() => setDefaultCACertificates(trusted));
    setDefaultCACertificates([...trusted, tls.cert.toString()]);
    assert.equal((await send(`https://localhost:${port}/`)).status, 200);
    const wrongName = await send(`https://127.0.0.1:${port}/`);
    assert.match(wrongName.error ?? '', /does not match certificate/);
  },
);
