import assert from 'node:assert/strict';
import { after, describe, test, type TestContext } from 'node:test';
import {
  createClient,
  listItems,
  ProblemError,
  type ClientOptions,
  type OffplanClient,
} from '../client/src/index.ts';
import { accountIdOf } from './support/accounts.ts';
import { passTime } from './support/clock.ts';
import { developersOf, NOWHERE, type Developer } from './support/developer.ts';
import { faultyDatabase } from './support/faults.ts';
import { build } from './support/harness.ts';
import { instance } from './support/instances.ts';
import { someoneWaits, whileEmailsLocked } from './support/locks.ts';
import { startLossyProxy } from './support/lossy-proxy.ts';
import { until } from './support/until.ts';

const service = await build({ after });
const address = await service.app.listen({ host: '127.0.0.1', port: 0 });
const makeDeveloper = developersOf(service);

const EMAIL = 'aroha@example.com';
const LEAD = { email: EMAIL, notes: 'Call back on Friday.' };

interface Made {
  client: OffplanClient;
  /** The waits of the client so far, in milliseconds. */
  waits: number[];
}

/** Makes a client that does not wait. */
function clientOf(
  url: string,
  { key }: Pick<Developer, 'key'>,
  options: Partial<ClientOptions> = {},
): Made {
  const waits: number[] = [];
  const client = createClient({
    baseUrl: `${url}/api/v1`,
    key,
    wait: async (ms) => void waits.push(ms),
    ...options,
  });
  return { client, waits };
}

/** Makes a developer, and a client of theirs behind a proxy. */
async function behindProxy(t: TestContext, options: Partial<ClientOptions> = {}) {
  const developer = await makeDeveloper();
  const proxy = await startLossyProxy(t, address);
  return { developer, proxy, ...clientOf(proxy.url, developer, options) };
}

async function notesOf({ contact }: Developer): Promise<string[]> {
  const { activities = [] } = await contact(EMAIL);
  return activities.map(({ body }: { body: string }) => body);
}

/** The problem that a call ends with. */
async function refusal(call: Promise<unknown>): Promise<ProblemError> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof ProblemError, String(error));
  return error;
}

describe('the client', () => {
  test('gives the body of a success, and the headers', async () => {
    const { client } = clientOf(address, await makeDeveloper());
    const { data, response } = await client.GET('/projects/{slug}', {
      params: { path: { slug: 'harbourlight' } },
    });
    assert.equal(data.project.slug, 'harbourlight');
    assert.match(response.headers.get('etag') ?? '', /"$/);
  });

  test('gives an answer without a body for a 304', async () => {
    const { client } = clientOf(address, await makeDeveloper());
    const etag = (await client.GET('/stocklist')).response.headers.get('etag') ?? '';
    const { data, response } = await client.GET('/stocklist', {
      params: { header: { 'If-None-Match': etag } },
    });
    assert.deepEqual([data, response.status], [undefined, 304]);
  });

  test('throws a problem with its code, the fields at fault and the id of the request', async () => {
    const { client, waits } = clientOf(address, await makeDeveloper());
    const error = await refusal(client.POST('/contacts', { body: { email: 'ana' } }));
    assert.deepEqual(
      [error.name, error.status, error.code],
      ['ProblemError', 400, 'invalid_request'],
    );
    assert.deepEqual(error.errors, [{ pointer: '/email', detail: error.errors[0]?.detail }]);
    assert.equal(error.message, `400 invalid_request: ${error.detail}`);
    assert.ok(service.log.some((line) => line.includes(String(error.requestId))));
    assert.deepEqual([error.retryAfter, waits], [undefined, []]);
  });

  test('throws a problem for an answer that is not of the service', async (t) => {
    const { client, proxy } = await behindProxy(t, { retries: 0 });
    proxy.faults.push('replaced');
    const error = await refusal(client.GET('/stocklist'));
    assert.deepEqual([error.status, error.code, error.detail], [502, 'unknown', 'Bad Gateway']);
  });

  test('calls the routes of a person without a key', async () => {
    const client = createClient({ baseUrl: `${address}/api/v1` });
    const body = { account: 'nobody', email: EMAIL, password: 'a long and secret text' };
    assert.equal((await refusal(client.POST('/sign-in', { body }))).code, 'sign_in_failed');
    assert.equal((await refusal(client.GET('/stocklist'))).code, 'missing_api_key');
  });
});

describe('the client sends a request again', { timeout: 60_000 }, () => {
  test('whose answer was lost, and a lead then writes its note once', async (t) => {
    const { client, developer, proxy, waits } = await behindProxy(t);
    proxy.faults.push('lost', 'cut');
    const { data, response } = await client.POST('/contacts', { body: LEAD });
    assert.deepEqual([data.action, response.status], ['created', 201]);
    assert.equal(response.headers.get('idempotent-replayed'), 'true');
    assert.deepEqual([proxy.count(), waits.length], [3, 2]);
    assert.deepEqual(await notesOf(developer), [LEAD.notes]);
  });

  test('under the Idempotency-Key that the caller chose', async (t) => {
    const { client, developer, proxy } = await behindProxy(t);
    const call = () =>
      client.POST('/contacts', { body: LEAD, params: { header: { 'Idempotency-Key': 'mine' } } });
    proxy.faults.push('lost');
    await call();
    assert.equal((await call()).response.headers.get('idempotent-replayed'), 'true');
    assert.deepEqual(await notesOf(developer), [LEAD.notes]);
  });

  test('while an earlier attempt of a lead is still running', async (t) => {
    const developer = await makeDeveloper();
    const proxy = await startLossyProxy(t, address);
    proxy.faults.push('held');
    const lead = await whileEmailsLocked(
      service.db,
      await accountIdOf(service.db, developer),
      [EMAIL],
      async () => {
        const { client, waits } = clientOf(proxy.url, developer);
        const sent = client.POST('/contacts', { body: LEAD, retries: 20, timeoutMs: 500 });
        await someoneWaits(service.db);
        await until(() => waits.includes(1_000));
        return { sent };
      },
    );
    assert.equal((await lead.sent).data.action, 'created');
    assert.deepEqual(await notesOf(developer), [LEAD.notes]);
  });

  test('that found the database out of reach', async (t) => {
    const developer = await makeDeveloper();
    const { pool, breakNextCommit } = await faultyDatabase(t, service.db);
    const app = await instance(t, pool);
    const { client, waits } = clientOf(await app.listen({ host: '127.0.0.1', port: 0 }), developer);
    breakNextCommit('answer is lost');
    const { response } = await client.POST('/contacts', { body: LEAD });
    assert.equal(response.headers.get('idempotent-replayed'), 'true');
    assert.equal(waits.length, 1);
    assert.deepEqual(await notesOf(developer), [LEAD.notes]);
  });

  test('that was over the rate limit, when the time in Retry-After is over', async (t) => {
    const limited = await build(t, { readsPerMinute: 1, importsPerMinute: 1 });
    const url = await limited.app.listen({ host: '127.0.0.1', port: 0 });
    const waits: number[] = [];
    const { client } = clientOf(url, await developersOf(limited)(), {
      wait: async (ms) => {
        waits.push(ms);
        passTime(ms);
      },
    });
    for (const expected of [0, 1]) {
      await client.GET('/stocklist');
      assert.equal(waits.length, expected);
    }
    assert.ok(Number(waits[0]) > 50_000 && Number(waits[0]) <= 60_000, String(waits));
  });

  test('but not when Retry-After is longer than the client may wait', async (t) => {
    const limited = await build(t, { readsPerMinute: 1 });
    const url = await limited.app.listen({ host: '127.0.0.1', port: 0 });
    const options = { maxDelayMs: 10_000 };
    const { client, waits } = clientOf(url, await developersOf(limited)(), options);
    await client.GET('/stocklist');
    const error = await refusal(client.GET('/stocklist'));
    assert.deepEqual([error.code, waits], ['rate_limited', []]);
    assert.ok(Number(error.retryAfter) > 10);
  });

  test('at most as often as `retries` says, each time after a longer wait', async (t) => {
    const { client, proxy, waits } = await behindProxy(t, { retries: 3, timeoutMs: 200 });
    proxy.faults.push('replaced', 'cut', 'held', 'lost');
    await assert.rejects(client.GET('/stocklist'), TypeError);
    assert.equal(proxy.count(), 4);
    for (const [attempt, longest] of [250, 500, 1_000].entries())
      assert.ok(Number(waits[attempt]) >= longest / 2 && Number(waits[attempt]) <= longest);

    proxy.faults.push('lost');
    await assert.rejects(client.GET('/stocklist', { retries: 0 }), TypeError);
    assert.equal(proxy.count(), 5);
  });

  test('after at most `maxDelayMs` when the answer names no time', async (t) => {
    const { client, proxy, waits } = await behindProxy(t, { maxDelayMs: 400 });
    proxy.faults.push('replaced', 'replaced', 'replaced', 'replaced');
    await client.GET('/stocklist');
    assert.equal(waits.length, 4);
    assert.ok(Math.max(...waits) <= 400, String(waits));
  });

  test('but not one that may have changed something and takes no Idempotency-Key', async (t) => {
    const { developer, proxy } = await behindProxy(t);
    const { client, waits } = clientOf(proxy.url, {
      key: await service.key(developer.slug, 'all'),
    });
    proxy.faults.push('lost');
    const init = { params: { path: { importId: NOWHERE } }, body: {} };
    await assert.rejects(client.POST('/imports/{importId}/dismiss', init), TypeError);
    assert.deepEqual([proxy.count(), waits], [1, []]);
  });

  test('until the caller aborts', async (t) => {
    const { developer, proxy } = await behindProxy(t);
    const controller = new AbortController();
    const { signal } = controller;
    const client = createClient({ baseUrl: `${proxy.url}/api/v1`, key: developer.key });
    proxy.faults.push(...Array.from({ length: 4 }, () => 'lost' as const), 'held');
    const call = client.GET('/stocklist', { signal, retries: 1_000 });
    await until(() => proxy.count() > 0);
    controller.abort(new Error('enough'));
    await assert.rejects(call, { message: 'enough' });
    const count = proxy.count();
    await assert.rejects(client.GET('/stocklist', { signal }), { message: 'enough' });
    assert.equal(proxy.count(), count);
  });
});

async function readAll<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

describe('listItems', () => {
  test('goes through all pages of a list, with the filter', async () => {
    const developer = await makeDeveloper();
    const { client } = clientOf(address, { key: await service.key(developer.slug, 'all') });
    const contacts = ['1', '2', '3', '4', '5'].map((name) => ({ email: `${name}@example.com` }));
    await client.POST('/contacts/batch', { body: { contacts: [...contacts, { email: '6' }] } });
    const list = (query: { limit?: number; outcome?: string }) =>
      readAll(listItems(client, '/imports', { params: { query } }));
    const all = await readAll(listItems(client, '/imports'));
    assert.equal(new Set(all.map(({ id }) => id)).size, 6);
    assert.deepEqual(await list({ limit: 2 }), all);
    assert.equal((await list({ limit: 2, outcome: 'created' })).length, 5);
  });

  test('reads no page that nobody asked for', async (t) => {
    const { developer, proxy } = await behindProxy(t);
    const { client } = clientOf(proxy.url, { key: await service.key(developer.slug, 'all') });
    const contacts = ['1', '2', '3'].map((name) => ({ email: `${name}@example.com` }));
    await client.POST('/contacts/batch', { body: { contacts } });
    const before = proxy.count();
    const items = listItems(client, '/imports', { params: { query: { limit: 1 } } });
    for await (const { outcome } of items) {
      assert.equal(outcome, 'created');
      break;
    }
    assert.equal(proxy.count(), before + 1);
  });
});
