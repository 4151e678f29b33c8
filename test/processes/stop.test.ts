import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, get, request, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { developersOf } from '../support/developer.ts';
import { build, databaseUrl } from '../support/harness.ts';
import { whileLocked } from '../support/locks.ts';
import { serving } from '../support/process.ts';
import { isUnavailable, oneOfEachKind, lead, send } from '../support/requests.ts';
import { addAccount, addProject } from '../support/stock.ts';
import { until } from '../support/until.ts';

const CLIENTS = 8;
/** A client that learns of the stop from a load balancer goes on sending for this number of requests. */
const LATE_REQUESTS = 5;

const service = await build({ after });
const { key } = await developersOf(service)();
const environment = { DATABASE_URL: await databaseUrl(service.db), LOG_LEVEL: 'silent' };

/** Sends an import without its last byte, which `finish` sends. */
async function beginImport(url: string) {
  const agent = new Agent({ keepAlive: true });
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    // The answer to this header says that the request has begun to arrive.
    expect: '100-continue',
  };
  const sent = request(`${url}/api/v1/contacts`, { agent, method: 'POST', headers });
  const body = JSON.stringify(lead());
  const status = once(sent, 'response').then((of) => {
    const [response] = of as [IncomingMessage];
    response.resume();
    return response.statusCode;
  });
  await once(sent, 'continue');
  sent.write(body.slice(0, -1));
  return { status, finish: () => void sent.end(body.slice(-1)) };
}

/** Sends imports as 8 clients behind a load balancer, until /readyz is not 200 any more. */
function balancedLoad(url: string) {
  const statuses: number[] = [];
  const unready = new AbortController();
  const post = async () => (await send(url, key, '/api/v1/contacts', lead())).status;
  async function balance(): Promise<void> {
    while ((await send(url, key, '/readyz')).status === 200) await sleep(50);
    unready.abort();
  }
  async function client(): Promise<void> {
    while (!unready.signal.aborted) statuses.push(await post());
  }
  const ended = Promise.all([balance(), ...Array.from({ length: CLIENTS }, client)]);
  return { statuses, post, ended };
}

describe('on SIGTERM', () => {
  for (const [what, workers] of [
    ['one process', 1],
    ['workers', 2],
  ] as const)
    test(`/readyz is 503 first, each request is answered, and the service exits: ${what}`, async (t) => {
      const settings = { ...environment, OFFPLAN_WORKERS: String(workers) };
      const server = await serving(settings);
      t.after(() => server.child.kill('SIGKILL'));
      const load = balancedLoad(server.url);
      const begun = await beginImport(server.url);
      await sleep(500);
      const stopped = server.stop('SIGTERM');
      await load.ended;
      // A client that has not noticed yet is answered, and its connection closes.
      for (let n = 0; n < LATE_REQUESTS; n += 1) {
        assert.equal(await load.post(), 201);
        const { headers } = await fetch(`${server.url}/livez`);
        assert.equal(headers.get('connection'), 'close');
      }
      begun.finish();
      assert.equal(await begun.status, 201);
      assert.deepEqual(new Set(load.statuses), new Set([201]));
      assert.ok(load.statuses.length >= CLIENTS, `${load.statuses.length} imports`);
      assert.equal(await stopped, 0);
    });

  test('Ctrl-C after it skips the 3 seconds of draining', async (t) => {
    const servers = await Promise.all([serving(environment), serving(environment)]);
    const [hurrying, draining] = servers;
    t.after(() => servers.forEach(({ child }) => child.kill('SIGKILL')));
    const begun = await beginImport(hurrying.url);
    const ended: string[] = [];
    const drained = draining.stop('SIGTERM').then(() => ended.push('draining'));
    const stopped = hurrying.stop('SIGTERM').finally(() => ended.push('hurrying'));
    await until(async () => (await send(hurrying.url, key, '/readyz')).status === 503);
    hurrying.child.kill('SIGINT');
    begun.finish();
    assert.equal(await begun.status, 201);
    assert.equal(await stopped, 0);
    await drained;
    assert.deepEqual(ended, ['hurrying', 'draining']);
  });
});

test('requests that are not done when the service gives up get a 503 with Retry-After, also in the middle of a body', async (t) => {
  const server = await serving(environment);
  t.after(() => server.child.kill('SIGKILL'));
  const { status: unended } = await beginImport(server.url);
  let stopped: Promise<number | null> | undefined;
  await whileLocked(service.db, 'projects, contacts, imports, schema_migrations', async () => {
    const asked = oneOfEachKind(server.url, key).map((ask) => ask());
    // Send more imports than the service runs at once, so that some wait in its queue.
    const behind = Array.from({ length: 20 }, () =>
      send(server.url, key, '/api/v1/contacts/batch', { contacts: [lead()] }),
    );
    // The service has accepted these connections when it answers on a later one. `fetch` connects a moment after its call, and
    // `get` at once: so call `get` after a `fetch` is answered.
    assert.equal((await fetch(`${server.url}/livez`)).status, 200);
    await once(get(`${server.url}/livez`, { agent: false }), 'response');
    stopped = server.stop();
    const answers = await Promise.all([...asked, ...behind]);
    assert.deepEqual(
      answers.filter((answer) => !isUnavailable(answer)),
      [],
    );
    assert.equal(await unended, 503);
  });
  assert.equal(await stopped, 0);
});

test('a request whose head has half arrived when the service stops is answered', async (t) => {
  const server = await serving(environment);
  t.after(() => server.child.kill('SIGKILL'));
  const head = 'GET /livez HTTP/1.1\r\nHost: x\r\n\r\n';
  const port = Number(new URL(server.url).port);
  const [idle, sending] = [connect(port, '127.0.0.1'), connect(port, '127.0.0.1')];
  for (const socket of [idle, sending]) {
    socket.write(head);
    await once(socket, 'data');
  }
  sending.write(head.slice(0, 20));
  // The service has read this part when it answers on a later connection.
  await once(get(`${server.url}/livez`, { agent: false }), 'response');
  const stopped = server.stop();
  await once(idle.resume(), 'close');
  sending.write(head.slice(20));
  assert.match(await text(sending), /^HTTP\/1\.1 200 /);
  assert.equal(await stopped, 0);
});

test('a client that had just connected when the service stops is answered', async (t) => {
  const server = await serving(environment);
  t.after(() => server.child.kill('SIGKILL'));
  const port = Number(new URL(server.url).port);
  const open = () => connect(port, '127.0.0.1');
  const [silent, idle, sending] = [open(), open(), open()];
  const head = 'GET /livez HTTP/1.1\r\nHost: x\r\n\r\n';
  idle.write(head);
  await once(idle, 'data');
  // The service has accepted the two others when it answers on a later connection.
  await once(get(`${server.url}/livez`, { agent: false }), 'response');
  const stopped = server.stop();
  await once(idle.resume(), 'close');
  sending.write(head);
  assert.match(await text(sending), /^HTTP\/1\.1 200 /);
  // A client that never sends its request does not hold up the stop.
  await once(silent.resume(), 'close');
  assert.equal(await stopped, 0);
});

/** Creates a key of an account whose page has 8 MB. */
async function createKeyOfLongPages(): Promise<string> {
  const account = await addAccount(service.db);
  const aspect = 'x'.repeat(800_000);
  for (let n = 0; n < 10; n += 1) await addProject(service.db, account, {}, [{ aspect }]);
  return service.key(account.slug, 'read');
}
const longPages = await createKeyOfLongPages();

test('a client that is still reading its answer when the service stops gets all of it', async (t) => {
  const server = await serving(environment);
  t.after(() => server.child.kill('SIGKILL'));
  const headers = { authorization: `Bearer ${longPages}` };
  const asked = get(`${server.url}/api/v1/stocklist?limit=100`, { headers });
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  const stopped = server.stop();
  // The service closes idle connections meanwhile.
  await sleep(500);
  const taken = Buffer.byteLength(await text(response));
  assert.equal(taken, Number(response.headers['content-length']));
  assert.equal(await stopped, 0);
});
