import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { createServer as createSocketServer, type AddressInfo, type Socket } from 'node:net';
import { after, describe, test, type TestContext } from 'node:test';
import { gzipSync } from 'node:zlib';
import pino from 'pino';
import { build, SECRET_KEY, SETTINGS, type Answer, type TestApp } from './support/harness.ts';
import { buildApp } from './support/internals.ts';
import { startNameServer } from './support/name-server.ts';
import { addPerson } from './support/people.ts';
import { assertProblem } from './support/problem.ts';
import { until } from './support/until.ts';

/* Which addresses the service sends events to, seen from the API and from a server on this machine. */

const HOOKS = '/api/v1/webhooks';
/** A public address that no machine has: its network, 3ffe::/16, was given back. */
const NOBODY = '3ffe::1';

/** Hosts that are refused when a webhook is saved, and again at each attempt. */
const PRIVATE_HOSTS =
  `127.0.0.1 127.1 2130706433 0x7f000001 0177.0.0.1 127.0.0.1. 0 0.0.0.0 10.0.0.1 172.16.0.1 192.168.1.1 169.254.169.254
  100.64.0.1 192.0.0.1 192.0.2.1 198.18.0.1 198.51.100.1 203.0.113.1 224.0.0.1 240.0.0.1 255.255.255.255 %31%32%37.1 ①②⑦.0.0.1
  [::1] [::] [::ffff:127.0.0.1] [::ffff:7f00:1] [::127.0.0.1] [64:ff9b::7f00:1] [64:ff9b:1::1] [2002:7f00:1::] [2001::1] [fc00::1]
  [fd12::1] [fe80::1] [fec0::1] [ff02::1] [2001:db8::1] [3fff::1] [0:0:0:0:0:0:0:1]
  localhost LOCALHOST localhost. a.localhost a.localhost. ｌｏｃａｌｈｏｓｔ`.split(/\s+/);

/** Names and their addresses, for each time that they are looked up. */
const PRIVATE_NAMES: Record<string, string[][]> = {
  'loopback.test': [['127.0.0.1']],
  'loopback6.test': [['::1']],
  'cloud.test': [['169.254.169.254']],
  'mapped.test': [['::ffff:127.0.0.1']],
  'nat64.test': [['64:ff9b::7f00:1']],
  'sixtofour.test': [['2002:7f00:1::']],
  'link-local.test': [['fe80::1']],
  'public-first.test': [[NOBODY, '127.0.0.1']],
  'private-first.test': [['127.0.0.1', '127.0.0.2', NOBODY]],
  'mixed.test': [['8.8.8.8', '::1']],
  'second-time.test': [[NOBODY], ['127.0.0.1']],
};

/** Servers on one port of both loopback addresses, which count connections. Without IPv6 there is one. */
async function startListeners(t: Pick<TestContext, 'after'>) {
  const seen = { connections: 0 };
  async function listen(host: string, port = 0): Promise<number> {
    const server: Server = createServer((_, response) => response.end());
    server.on('connection', () => (seen.connections += 1));
    t.after(() => {
      server.close();
      server.closeAllConnections();
    });
    server.listen(port, host);
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  }
  const port = await listen('127.0.0.1');
  await listen('::1', port).catch(() => undefined);
  return { port, seen };
}

const strict = await build({ after }, { webhookScheduleMs: [0, 0] });
const open = await build({ after }, { webhookAllowPrivate: true, webhookScheduleMs: [0] });

/** An account of a service, and what its owner sends. */
async function openAccount(service: TestApp) {
  const { slug } = await addPerson(service, { role: 'owner' });
  const key = await service.key(slug, 'all');
  const send = (method: 'POST' | 'PATCH', url: string, payload: object): Promise<Answer> =>
    service.send({ method, url, key, payload });
  const list = async (id: string): Promise<Answer['body'][]> =>
    (await service.send({ url: `${HOOKS}/${id}/deliveries`, key })).body.data;
  /** Makes one event `contact.created`. */
  async function addContact(): Promise<void> {
    const answer = await send('POST', '/api/v1/contacts', { email: 'ana@example.com' });
    assert.equal(answer.status, 201, answer.text);
  }
  /** Waits until an event has failed at this webhook, and returns the delivery. */
  async function waitForFailure(id: string): Promise<Answer['body']> {
    await until(async () => (await list(id))[0]?.status === 'failed');
    return (await list(id))[0];
  }
  return { key, send, addContact, list, waitForFailure };
}

const types = ['contact.created'];

describe('a service that sends to the public internet alone', () => {
  test('refuses each spelling of a private address when a webhook is saved', async () => {
    const { send } = await openAccount(strict);
    const url = 'https://receiver.example/hooks';
    const { body: hook } = await send('POST', HOOKS, { url, types });
    const path = `${HOOKS}/${hook.id}`;
    const hosts = [...PRIVATE_HOSTS, '[fe80::1%25eth0]', '[fe80::1%lo]'];
    await Promise.all(
      hosts.map(async (host) => {
        const payload = { url: `https://${host}:8443/hooks`, types };
        assertProblem(await send('POST', HOOKS, payload), 'webhook_url_refused', HOOKS);
        assertProblem(await send('PATCH', path, payload), 'webhook_url_refused', path);
      }),
    );
  });

  test('sends nothing to a private address that was saved while these were allowed', async (t) => {
    const { port, seen } = await startListeners(t);
    const { key, send, addContact, waitForFailure } = await openAccount(strict);
    const former = await buildApp({
      config: { ...SETTINGS, webhookAllowPrivate: true },
      secretKey: SECRET_KEY,
      db: strict.db,
      logger: pino({ level: 'silent' }),
    });
    const ids = await Promise.all(
      ['http://127.0.0.1', ...PRIVATE_HOSTS.map((host) => `https://${host}`)].map(async (url) => {
        const response = await former.inject({
          method: 'POST',
          url: HOOKS,
          headers: { authorization: `Bearer ${key}` },
          payload: { url: `${url}:${port}/hooks`, types },
        });
        assert.equal(response.statusCode, 201, response.payload);
        return [response.json<{ id: string }>().id, url] as const;
      }),
    );
    await former.close();
    await addContact();
    for (const [id, url] of ids) {
      const { httpStatus, error } = await waitForFailure(id);
      assert.equal(httpStatus, null, url);
      assert.match(error, /^the address must (be an address in the public|begin with https)/, url);
    }
    const [[id] = assert.fail()] = ids;
    const { body } = await send('POST', `${HOOKS}/${id}/test`, {});
    assert.deepEqual([body.delivered, body.httpStatus], [false, null]);
    assert.equal(seen.connections, 0);
  });

  test('sends nothing to a name that leads to a private address, beside a public one or only the second time', async (t) => {
    const { port, seen } = await startListeners(t);
    const names = await startNameServer(t);
    Object.assign(names.names, PRIVATE_NAMES);
    const { send, addContact, waitForFailure } = await openAccount(strict);
    const ids = await Promise.all(
      [...Object.keys(PRIVATE_NAMES), 'LOOPBACK.test', 'loopback.test.'].map(async (name) => {
        const url = `https://${name}:${port}/hooks`;
        const { body, text } = await send('POST', HOOKS, { url, types });
        return [(body.id as string) ?? assert.fail(text), name] as const;
      }),
    );
    await addContact();
    for (const [id, name] of ids) {
      const { attempt, httpStatus, error } = await waitForFailure(id);
      assert.deepEqual([attempt, httpStatus], [2, null], name);
      assert.equal(error, 'the name leads to an address that is not in the public internet', name);
    }
    assert.equal(names.countLookUps('second-time.test'), 2);
    assert.equal(seen.connections, 0);
  });
});

describe('the answer of an endpoint', () => {
  /** A webhook whose endpoint answers with these bytes, and then goes on as it likes. */
  async function openWith(t: TestContext, answer: (socket: Socket) => void) {
    const server = createSocketServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => answer(socket));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const sockets = new Set<Socket>();
    server.on('connection', (socket) => sockets.add(socket));
    t.after(() => {
      for (const socket of sockets) socket.destroy();
      server.close();
    });
    const account = await openAccount(open);
    const { port } = server.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}/hooks`;
    const { body: hook } = await account.send('POST', HOOKS, { url, types });
    await account.addContact();
    await until(async () => /delivered|failed/.test((await account.list(hook.id))[0]?.status));
    const [delivery = assert.fail()] = await account.list(hook.id);
    return { delivery, sockets };
  }

  test('is kept to 4 KiB, and its connection closed, when it has no end', async (t) => {
    const { delivery, sockets } = await openWith(t, (socket) => {
      socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n');
      const write = (): void => {
        while (!socket.destroyed && socket.write(`400\r\n${'x'.repeat(1_024)}\r\n`));
      };
      socket.on('drain', write);
      write();
    });
    assert.deepEqual([delivery.status, delivery.httpStatus], ['delivered', 200]);
    assert.equal(delivery.responseStart, 'x'.repeat(4_096));
    await until(() => [...sockets].every(({ destroyed }) => destroyed));
  });

  test('is kept as it came, and not unpacked, when it is compressed', async (t) => {
    const bomb = gzipSync(Buffer.alloc(20_000_000));
    const { delivery } = await openWith(t, (socket) => {
      const head = `HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${bomb.length}\r\n\r\n`;
      socket.write(head);
      socket.write(bomb);
    });
    assert.equal(delivery.status, 'delivered');
    assert.ok(delivery.responseStart.length <= 4_096);
    assert.doesNotMatch(delivery.responseStart, /\0/);
  });

  test('is a failure when its headers are larger than 16 KiB, or it is no HTTP', async (t) => {
    for (const [answer, error] of [
      [`HTTP/1.1 200 OK\r\nX-Large: ${'x'.repeat(100_000)}\r\n\r\n`, /Header overflow/],
      ['SSH-2.0-OpenSSH_9.9\r\n', /Parse Error/],
      [
        'HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n',
        /^answered 101/,
      ],
    ] as const) {
      const { delivery } = await openWith(t, (socket) => void socket.write(answer));
      assert.deepEqual([delivery.status, delivery.httpStatus], ['failed', null]);
      assert.match(delivery.error, error);
    }
  });

  test('is a failure when it redirects, and the address that it names gets nothing', async (t) => {
    const { port, seen } = await startListeners(t);
    const { delivery } = await openWith(t, (socket) => {
      const location = `http://127.0.0.1:${port}/`;
      socket.end(`HTTP/1.1 307 Temporary Redirect\r\nLocation: ${location}\r\n\r\n`);
    });
    assert.deepEqual([delivery.status, delivery.httpStatus], ['failed', 307]);
    assert.equal(delivery.error, 'answered 307; redirects are not followed');
    assert.equal(seen.connections, 0);
  });
});
