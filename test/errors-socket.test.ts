import assert from 'node:assert/strict';
import { once } from 'node:events';
import { METHODS } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { LOOK_UP_CACHED_MS, passTime } from './support/clock.ts';
import { developersOf } from './support/developer.ts';
import { build, type Answer } from './support/harness.ts';
import { whileLocked } from './support/locks.ts';
import { assertProblem } from './support/problem.ts';
import { until } from './support/until.ts';

// The parser of Node.js refuses these bytes before there is a request, so the tests write them to a socket.
const service = await build({ after });
const { key, slug, exported } = await developersOf(service)();
const late = await service.key(slug, 'read-write');
const CONTACTS = '/api/v1/contacts';
let port = 0;

before(async () => {
  await service.app.listen({ host: '127.0.0.1', port: 0 });
  port = (service.app.server.address() as AddressInfo).port;
});

/** Writes bytes to a connection, and reads until the service closes it. */
async function converse(...parts: (string | Buffer)[]): Promise<string> {
  const socket = connect({ host: '127.0.0.1', port });
  // The service may refuse and close before all is sent.
  socket.on('error', () => undefined);
  for (const part of parts) socket.write(part);
  return text(socket);
}

function parse(reply: string): Answer {
  const [head = '', body = ''] = [reply.split('\r\n\r\n', 1)[0], reply.split('\r\n\r\n')[1]];
  const [statusLine = '', ...lines] = head.split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [
      line.slice(0, line.indexOf(':')).toLowerCase(),
      line.slice(line.indexOf(':') + 1).trim(),
    ]),
  );
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1]);
  return { status, headers, text: body, body: body === '' ? undefined : JSON.parse(body) };
}

const SENT = '{"email":"framed@example.com"}';

const head = (requestLine: string, ...headers: string[]): string =>
  [requestLine, 'Host: x', 'Connection: close', ...headers, '', ''].join('\r\n');

const posting = (...headers: string[]): string =>
  head(
    `POST ${CONTACTS} HTTP/1.1`,
    `Authorization: Bearer ${key}`,
    'Content-Type: application/json',
    ...headers,
  );

const malformed: [string, string][] = [
  ['no HTTP', 'hello\r\n\r\n'],
  ['an unknown method', head('FOO /api/v1/stocklist HTTP/1.1')],
  ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['a header without a colon', head('GET /livez HTTP/1.1', 'nonsense')],
  ['a control character in a header', head('GET /livez HTTP/1.1', 'X-A: a\u0001b')],
  ['a Content-Length that is no number', posting('Content-Length: x')],
  ['a Content-Length below zero', posting('Content-Length: -1')],
  ['a Content-Length beyond any number', posting(`Content-Length: ${'9'.repeat(30)}`)],
  ['two lengths', posting('Content-Length: 2', 'Transfer-Encoding: chunked')],
  ['two lengths, the other way round', posting('Transfer-Encoding: chunked', 'Content-Length: 2')],
  ['a Content-Length twice', posting('Content-Length: 2', 'Content-Length: 3')],
  ['a coding that does not end in chunks', posting('Transfer-Encoding: gzip')],
  ['a header name with a space', head('GET /livez HTTP/1.1', 'X A: b')],
  ['U+0000 in a header', head('GET /livez HTTP/1.1', 'X-A: a\0b')],
  ['U+0000 in the path', head('GET /livez\0 HTTP/1.1')],
  ['a byte beyond ASCII in the path', head('GET /api/v1/projects/\u00E9 HTTP/1.1')],
  ['HTTP/3.0', head('GET /livez HTTP/3.0')],
  ['a line end in the path', 'GET /a\nb HTTP/1.1\r\n\r\n'],
];
/** The parser of Node.js takes these, so that their problem names the path. */
const malformedRequests: [string, string][] = [
  ['no Host', 'GET /livez HTTP/1.1\r\nConnection: close\r\n\r\n'],
  ['two Hosts', head('GET /livez HTTP/1.1', 'host: y')],
  ['two Hosts of one name, by HTTP/1.0', head('GET /livez HTTP/1.0', 'Host: x')],
  ['HTTP/2.0 in the words of HTTP/1.1', head('GET /livez HTTP/2.0')],
  ['a method of RTSP', 'DESCRIBE /livez RTSP/1.0\r\n\r\n'],
];
for (const [instance, all] of [
  ['/', malformed],
  ['/livez', malformedRequests],
] as const)
  for (const [what, bytes] of all)
    test(`a request that is not valid HTTP gets a 400 malformed_request: ${what}`, async () => {
      assertProblem(parse(await converse(bytes)), 'malformed_request', instance);
    });

test('a request that is not valid HTTP is logged by the id of its answer, and never quoted', async () => {
  const { body } = parse(await converse(head('GET /sesame HTTP/1.1', 'sesame')));
  const lines = service.log.filter((line) => JSON.parse(line).reqId === body.requestId);
  assert.equal(lines.length, 1);
  assert.ok(!service.log.some((line) => line.includes('sesame')));
});

test('POST /contacts answers 400 to a malformed chunk, and imports nothing', async () => {
  const before = await exported();
  const answer = parse(await converse(posting('Transfer-Encoding: chunked'), 'zz\r\n{}\r\n'));
  assert.equal(answer.status, 400);
  assert.deepEqual(await exported(), before);
});

test('headers over 16 KiB get a 431', async () => {
  const answer = parse(await converse(head('GET /livez HTTP/1.1', `X-A: ${'a'.repeat(20_000)}`)));
  assertProblem(answer, 'headers_too_large', '/');
});

test('more than 1,000 header fields get a 431, and 1,000 do not', async () => {
  const fields = Array.from({ length: 999 }, () => 'x: 1');
  const refused = parse(await converse(head('GET /livez HTTP/1.1', ...fields)));
  assertProblem(refused, 'headers_too_large', '/');
  const answer = parse(await converse(head('GET /livez HTTP/1.1', ...fields.slice(1))));
  assert.equal(answer.status, 200);
});

test('a URL over 16 KiB gets a 431', async () => {
  const answer = parse(await converse(head(`GET /${'a'.repeat(20_000)} HTTP/1.1`)));
  assertProblem(answer, 'headers_too_large', '/');
});

test('POST /contacts answers 413 to a chunked body over 1 MiB, and imports nothing', async () => {
  const before = await exported();
  const body = JSON.stringify({ email: 'a@example.com', notes: 'x'.repeat(1_100_000) });
  const chunk = `${Buffer.byteLength(body).toString(16)}\r\n${body}\r\n0\r\n\r\n`;
  const answer = parse(await converse(posting('Transfer-Encoding: chunked'), chunk));
  assertProblem(answer, 'body_too_large', CONTACTS);
  assert.deepEqual(await exported(), before);
});

test('POST /contacts answers 413 to a Content-Length over 1 MiB before the body arrives', async () => {
  const answer = parse(await converse(posting('Content-Length: 1048577')));
  assertProblem(answer, 'body_too_large', CONTACTS);
});

test('a client that sends its whole body before it reads gets the 413', async () => {
  const all = await service.key(slug, 'all');
  for (const [path, type, size] of [
    [CONTACTS, 'application/json', 8_000_000],
    ['/api/v1/media', 'image/png', 24_000_000],
  ] as const) {
    const socket = connect({ host: '127.0.0.1', port });
    const answer = text(socket);
    const fields = [`Authorization: Bearer ${all}`, `Content-Type: ${type}`];
    socket.write(head(`POST ${path} HTTP/1.1`, ...fields, `Content-Length: ${size}`));
    const part = Buffer.alloc(100_000, ' ');
    for (let sent = 0; sent < size; sent += part.length)
      if (!socket.write(part)) await once(socket, 'drain');
    socket.end();
    assertProblem(parse(await answer), 'body_too_large', path);
  }
});

test('the connection of a refused request closes when its body has arrived, before that of one whose body is missing', async () => {
  const refused = head(`POST ${CONTACTS} HTTP/1.1`, `Content-Length: ${SENT.length}`);
  const missing = connect({ host: '127.0.0.1', port });
  missing.write(refused);
  // The service waits for the body since it has answered.
  await once(missing, 'data');
  const first = await Promise.race([once(missing, 'close'), converse(refused, SENT)]);
  missing.destroy();
  assertProblem(parse(String(first)), 'missing_api_key', CONTACTS);
});

test('POST /contacts imports nothing when the body ends before its Content-Length', async () => {
  const before = await exported();
  const socket = connect({ host: '127.0.0.1', port });
  socket.on('error', () => undefined);
  socket.end(`${posting('Content-Length: 500')}{"email":"cut@example.com"}`);
  await text(socket);
  assert.deepEqual(await exported(), before);
});

const chunked = (...chunks: string[]): string =>
  [...chunks, ''].map((each) => `${each.length.toString(16)}\r\n${each}\r\n`).join('');

test('POST /contacts takes a chunked body, cut at any byte', async () => {
  const encoding = 'Transfer-Encoding: chunked';
  const bodies = [
    chunked(SENT),
    chunked(...SENT.split('')),
    `1;x=y\r\n{\r\n${chunked(SENT.slice(1))}`,
  ];
  const replies = bodies.map((body) => converse(posting(encoding), body));
  const statuses = (await Promise.all(replies)).map((reply) => parse(reply).status);
  assert.deepEqual(new Set(statuses), new Set([200, 201]));
  const utf8 = Buffer.from('{"email":"cut@example.com","name":"\u{1F3E1}"}');
  for (let at = utf8.length - 6; at < utf8.length - 2; at += 1) {
    const parts = [utf8.subarray(0, at), utf8.subarray(at)];
    const chunks = parts.flatMap((part) => [`${part.length.toString(16)}\r\n`, part, '\r\n']);
    const answer = parse(await converse(posting(encoding), ...chunks, '0\r\n\r\n'));
    assert.ok(answer.status < 300, answer.text);
  }
  const { contacts } = await exported();
  const cut = contacts.find(({ email }: { email: string }) => email === 'cut@example.com');
  assert.equal(cut.name, '\u{1F3E1}');
});

test('an action and a DELETE with the type of JSON and no body are answered', async () => {
  const all = await service.key(slug, 'all');
  for (const line of ['POST /api/v1/webhooks/none/test', 'DELETE /api/v1/webhooks/none'])
    for (const length of ['', 'Content-Length: 0', 'Transfer-Encoding: chunked']) {
      const [, path = ''] = line.split(' ');
      const bytes = head(
        `${line} HTTP/1.1`,
        `Authorization: Bearer ${all}`,
        'Content-Type: application/json',
        ...(length === '' ? [] : [length]),
      );
      const body = length.endsWith('chunked') ? '0\r\n\r\n' : '';
      assertProblem(parse(await converse(`${bytes}${body}`)), 'webhook_not_found', path);
    }
});

test('POST /contacts answers malformed_body when there is no body', async () => {
  const chunked = `${posting('Transfer-Encoding: chunked')}0\r\n\r\n`;
  for (const bytes of [posting(), posting('Content-Length: 0'), chunked])
    assertProblem(parse(await converse(bytes)), 'malformed_body', CONTACTS);
});

test('POST /contacts answers 415 to a type that is not JSON, with a body or without', async () => {
  const plain = head(
    `POST ${CONTACTS} HTTP/1.1`,
    `Authorization: Bearer ${key}`,
    'Content-Type: text/plain',
  );
  for (const bytes of [plain, plain.replace('\r\n\r\n', '\r\nContent-Length: 2\r\n\r\n{}')])
    assertProblem(parse(await converse(bytes)), 'unsupported_media_type', CONTACTS);
});

test('POST /contacts imports nothing when the Content-Length is too short', async () => {
  const before = await exported();
  // The rest of the body reads as a malformed request, which the parser may refuse first.
  const answer = parse(await converse(posting('Content-Length: 20'), SENT));
  assert.equal(answer.status, 400);
  assert.deepEqual(await exported(), before);
});

test('POST /contacts answers 415 to a transfer coding beside chunked, and imports nothing', async () => {
  const before = await exported();
  for (const coded of [gzipSync(SENT), Buffer.from(SENT)]) {
    const body = Buffer.from(chunked(coded.toString('latin1')), 'latin1');
    const answer = parse(await converse(posting('Transfer-Encoding: gzip, chunked'), body));
    assertProblem(answer, 'unsupported_media_type', CONTACTS);
  }
  assert.deepEqual(await exported(), before);
});

test('a request for another protocol is answered in HTTP/1.1, and its connection closes', async () => {
  const auth = `Authorization: Bearer ${key}`;
  const wishes = [
    ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13'],
    ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABkAAQAAP__'],
  ];
  for (const wish of wishes) {
    const lines = ['GET /api/v1/stocklist HTTP/1.1', 'Host: x', auth, ...wish, '', ''];
    // Sent after it, so that the connection would go on if it could.
    const answer = parse(await converse(lines.join('\r\n'), 'nonsense\r\n\r\n'));
    assert.deepEqual([answer.status, answer.headers['connection']], [200, 'close']);
    const badUrl = ['GET /% HTTP/1.1', 'Host: x', ...wish, '', ''];
    const refused = parse(await converse(badUrl.join('\r\n'), 'nonsense\r\n\r\n'));
    assert.deepEqual([refused.status, refused.headers['connection']], [404, 'close']);
  }
});

test('pipelined requests are answered in their order', async () => {
  const auth = `Authorization: Bearer ${key}`;
  const get = (path: string) => [`GET ${path} HTTP/1.1`, 'Host: x', auth, '', ''].join('\r\n');
  const post = [`POST ${CONTACTS} HTTP/1.1`, 'Host: x', auth, 'Content-Type: application/json'];
  const sent = JSON.stringify({ email: 'in-order@example.com' });
  const imported = [...post, `Content-Length: ${sent.length}`, '', sent].join('\r\n');
  const last = head('GET /livez HTTP/1.1');
  const reply = await converse(get('/api/v1/stocklist') + imported + get('/nothing') + last);
  assert.deepEqual(statusesOf(reply), ['200', '201', '404', '200']);
});

test('pipelined reads, cached and not, are answered in their order', async () => {
  const auth = `Authorization: Bearer ${key}`;
  const get = (path: string) => [`GET ${path} HTTP/1.1`, 'Host: x', auth, '', ''].join('\r\n');
  const limits = Array.from({ length: 300 }, (_, n) => (n % 3 === 0 ? 20 : (n % 100) + 1));
  const all = limits.map((limit) => get(`/api/v1/stocklist?limit=${limit}`)).join('');
  const reply = await converse(all + head('GET /nothing HTTP/1.1'));
  const told = Array.from(reply.matchAll(/"limit":(\d+)/g), ([, limit]) => Number(limit));
  assert.deepEqual(told, limits);
  assert.equal(statusesOf(reply).at(-1), '404');
});

test('a client that leaves with pipelined requests unanswered blocks no other client', async () => {
  const socket = connect({ host: '127.0.0.1', port });
  socket.on('error', () => undefined);
  const auth = `Authorization: Bearer ${key}`;
  const since = (n: number) => `/api/v1/stocklist?updated_since=20${10 + n}-01-01T00:00:00Z`;
  const all = Array.from(
    { length: 60 },
    (_, n) => `GET ${since(n)} HTTP/1.1\r\nHost: x\r\n${auth}\r\n\r\n`,
  );
  await whileLocked(service.db, 'projects', async () => {
    socket.write(all.join(''));
    await sleep(100);
    socket.destroy();
    await sleep(100);
  });
  assert.equal(parse(await converse(head('GET /livez HTTP/1.1'))).status, 200);
  assert.equal(parse(await converse(head(`GET ${since(70)} HTTP/1.1`, auth))).status, 200);
});

const statusesOf = (reply: string): string[] =>
  Array.from(reply.matchAll(/HTTP\/1\.1 (\d{3}) /g), ([, status]) => status ?? '');

for (const nonsense of ['nonsense\r\n\r\n', 'x', '   ', 'DESCRIBE /livez RTSP/1.0\r\n\r\n'])
  test(`malformed bytes behind other requests get their 400 after the answers to those: ${JSON.stringify(nonsense)}`, async () => {
    const auth = `Authorization: Bearer ${key}`;
    const get = (path: string) => [`GET ${path} HTTP/1.1`, 'Host: x', auth, '', ''].join('\r\n');
    const post = [
      `POST ${CONTACTS} HTTP/1.1`,
      'Host: x',
      auth,
      'Content-Type: application/json',
      `Content-Length: ${SENT.length}`,
      '',
      SENT,
    ].join('\r\n');
    await converse(posting(`Content-Length: ${SENT.length}`), SENT);
    for (const requests of [
      [get('/livez')],
      [get('/api/v1/stocklist')],
      [post],
      [post, get('/livez')],
    ]) {
      // In one packet, so that the parser fails before the first answer; then in several.
      const together = await converse(requests.join('') + nonsense);
      assert.deepEqual(statusesOf(together), [...requests.map(() => '200'), '400']);
      const apart = await converse(...requests, nonsense);
      assert.deepEqual(statusesOf(apart), [...requests.map(() => '200'), '400']);
    }
  });

test('a malformed body gets its 400 after the answers to the requests before', async () => {
  const get = ['GET /livez HTTP/1.1', 'Host: x', '', ''].join('\r\n');
  const reply = await converse(`${get}${posting('Transfer-Encoding: chunked')}zz\r\n{}\r\n`);
  assert.deepEqual(statusesOf(reply), ['200', '400']);
});

test('a request that was answered before its body arrived gets no second answer when the body is malformed', async () => {
  const open = (...headers: string[]) =>
    [`POST ${CONTACTS} HTTP/1.1`, 'Host: x', ...headers, '', ''].join('\r\n');
  const auth = `Authorization: Bearer ${key}`;
  for (const [status, headers] of [
    ['401', ['Transfer-Encoding: chunked']],
    ['415', [auth, 'Content-Type: text/plain', 'Transfer-Encoding: chunked']],
  ] as const) {
    const socket = connect({ host: '127.0.0.1', port });
    let reply = '';
    socket.on('data', (chunk: Buffer) => (reply += chunk.toString()));
    socket.write(open(...headers));
    await until(() => reply !== '');
    socket.write('zz\r\n');
    await once(socket, 'close');
    assert.deepEqual(statusesOf(reply), [status]);
    // In one packet the parser fails first.
    assert.equal(statusesOf(await converse(`${open(...headers)}zz\r\n`)).length, 1);
  }
});

test('an HTTP/1.0 request is answered, and its connection closes', async () => {
  const auth = `Authorization: Bearer ${key}`;
  const lines = ['GET /api/v1/stocklist HTTP/1.0', auth, '', ''].join('\r\n');
  const answer = parse(await converse(lines));
  assert.deepEqual([answer.status, answer.headers['connection']], [200, 'close']);
  const type = 'Content-Type: application/json';
  const length = `Content-Length: ${SENT.length}`;
  const post = [`POST ${CONTACTS} HTTP/1.0`, auth, type, length, '', SENT].join('\r\n');
  assert.equal(parse(await converse(post)).status, 200);
});

test('a header that is sent twice counts once', async () => {
  const twice = posting(
    `Content-Length: ${SENT.length}`,
    'Idempotency-Key: \u00E9',
    'X-A: 1',
    'X-A: 2',
  );
  const refused = parse(await converse(Buffer.from(twice, 'latin1'), SENT));
  const { errors } = assertProblem(refused, 'invalid_request', CONTACTS);
  assert.deepEqual(Object.keys(errors?.[0] ?? {}), ['header', 'detail']);
});

test('two Authorization headers get a 400 whichever is the valid one, before the key is looked at', async () => {
  const valid = `Bearer ${key}`;
  const pairs = [
    [valid, 'Bearer other'],
    ['Bearer other', valid],
    [valid, valid],
    [valid, 'Basic eDp5'],
    ['', ''],
  ];
  const before = await exported();
  for (const [first, second] of pairs) {
    const twice = [`Authorization: ${first}`, `authorization: ${second}`];
    const read = await converse(head('GET /api/v1/stocklist HTTP/1.1', ...twice));
    assertProblem(parse(read), 'authorization_repeated', '/api/v1/stocklist');
    const imports = head(
      `POST ${CONTACTS} HTTP/1.1`,
      ...twice,
      'Content-Type: application/json',
      `Content-Length: ${SENT.length}`,
    );
    const refused = await converse(imports, SENT);
    assertProblem(parse(refused), 'authorization_repeated', CONTACTS);
  }
  assert.deepEqual(await exported(), before);
  const unknown = await converse(
    head('GET /api/v1/none HTTP/1.1', 'Authorization: a', 'Authorization: b'),
  );
  assertProblem(parse(unknown), 'route_not_found', '/api/v1/none');
});

test('an unknown Expect header is ignored', async () => {
  const answer = parse(await converse(head('GET /livez HTTP/1.1', 'Expect: miracles')));
  assert.equal(answer.status, 200);
});

test('GET /stocklist answers 400 to two Host headers, also when the page is cached', async () => {
  const auth = `Authorization: Bearer ${key}`;
  assert.equal(parse(await converse(head('GET /api/v1/stocklist HTTP/1.1', auth))).status, 200);
  const refused = await converse(head('GET /api/v1/stocklist HTTP/1.1', auth, 'Host: y'));
  assertProblem(parse(refused), 'malformed_request', '/api/v1/stocklist');
});

test('HTTP/1.0 needs no Host', async () => {
  assert.equal(parse(await converse('GET /livez HTTP/1.0\r\n\r\n')).status, 200);
});

test('Expect: 100-continue gets a 100 before the answer', async () => {
  const body = JSON.stringify({ email: 'continue@example.com' });
  const reply = await converse(
    posting('Expect: 100-continue', `Content-Length: ${body.length}`),
    body,
  );
  assert.match(reply, /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 201 /);
});

test('every other method on a route gets a 405 with Allow', async () => {
  for (const method of METHODS) {
    if (['GET', 'HEAD', 'CONNECT'].includes(method)) continue;
    const answer = parse(await converse(head(`${method} /api/v1/stocklist HTTP/1.1`)));
    assert.equal(answer.headers['allow'], 'GET, HEAD', method);
    assertProblem(answer, 'method_not_allowed', '/api/v1/stocklist');
  }
});

test('a HEAD has the headers of the GET and no body', async () => {
  const auth = `Authorization: Bearer ${key}`;
  const answer = parse(await converse(head('HEAD /api/v1/stocklist HTTP/1.1', auth)));
  assert.deepEqual([answer.status, answer.text], [200, '']);
  assert.ok(Number(answer.headers['content-length']) > 0);
  const none = parse(await converse(head('HEAD /api/v1/stocklist HTTP/1.1')));
  assert.deepEqual([none.status, none.text], [401, '']);
});

test('a problem escapes characters of the path that a URI reference cannot have', async () => {
  for (const [path, instance] of [
    ['/a"b<c>{d}|\\^`[e]', '/a%22b%3Cc%3E%7Bd%7D%7C%5C%5E%60%5Be%5D'],
    ["/a%2Fb;c=d,e(f)!'*@:$&~.-_+", "/a%2Fb;c=d,e(f)!'*@:$&~.-_+"],
  ] as const) {
    const answer = parse(await converse(head(`GET ${path} HTTP/1.1`)));
    assertProblem(answer, 'route_not_found', instance);
  }
});

test('a request line with an absolute URL is answered by its path', async () => {
  const answer = parse(await converse(head('GET http://crm.example.com/livez HTTP/1.1')));
  assert.equal(answer.status, 200);
});

test('a client that closes within its body causes no line of an error, and no import', async () => {
  const before = await exported();
  const from = service.log.length;
  const socket = connect({ host: '127.0.0.1', port });
  socket.write(`${posting('Content-Length: 100')}{"email":`);
  await sleep(100);
  socket.destroy();
  const lines = () => service.log.slice(from).map((line) => JSON.parse(line) as { level: number });
  await until(() => lines().length > 0);
  assert.ok(lines().every(({ level }) => level < 50));
  assert.deepEqual(await exported(), before);
});

test('POST /contacts answers 401 when the key is revoked while the body arrives', async () => {
  const before = await exported();
  const body = '{"email":"slow@example.com"}';
  const socket = connect({ host: '127.0.0.1', port });
  socket.write(posting(`Content-Length: ${body.length}`).replace(key, late));
  await sleep(100);
  await service.db.query({
    name: 'revoke_late',
    text: `update api_keys set revoked_at = now() where key_sha256 = sha256($1)`,
    values: [late],
  });
  passTime(LOOK_UP_CACHED_MS);
  socket.write(body);
  assertProblem(parse(await text(socket)), 'invalid_api_key', CONTACTS);
  assert.deepEqual(await exported(), before);
});

test('a client that closes its side of the connection after its lead gets no answer, and a repeat stores the lead', async () => {
  const lead = '{"email":"half-closed@example.com"}';
  const head = posting(`Content-Length: ${lead.length}`);
  const socket = connect({ host: '127.0.0.1', port, allowHalfOpen: true });
  socket.end(head + lead);
  assert.equal(await text(socket), '');
  const again = connect({ host: '127.0.0.1', port });
  again.write(head.replace('\r\n', '\r\nConnection: close\r\n') + lead);
  assert.match(await text(again), /^HTTP\/1\.1 20[01] /);
  assert.ok(JSON.stringify(await exported()).includes('half-closed@example.com'));
});
