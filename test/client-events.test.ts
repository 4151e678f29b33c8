import assert from 'node:assert/strict';
import { after, test, type TestContext } from 'node:test';
import {
  createClient,
  followEvents,
  ProblemError,
  type ClientOptions,
  type EventBatch,
  type FollowOptions,
} from '../client/src/index.ts';
import { deleteOldEvents } from '../src/events/index.ts';
import { accountIdOf } from './support/accounts.ts';
import { developersOf } from './support/developer.ts';
import { build } from './support/harness.ts';
import { startLossyProxy } from './support/lossy-proxy.ts';
import { until } from './support/until.ts';

const service = await build({ after });
const address = await service.app.listen({ host: '127.0.0.1', port: 0 });
const makeDeveloper = developersOf(service);

/** Makes a developer, and a follower of their contacts' events behind a proxy. */
async function makeFollower(t: TestContext, options: Partial<ClientOptions> = {}) {
  const developer = await makeDeveloper();
  const proxy = await startLossyProxy(t, address);
  const key = await service.key(developer.slug, 'all');
  const baseUrl = `${proxy.url}/api/v1`;
  const client = createClient({ baseUrl, key, wait: async () => {}, ...options });
  const controller = new AbortController();
  const { signal } = controller;
  const types = ['contact.created'];
  const follow = (given: FollowOptions = {}) => followEvents(client, { types, signal, ...given });
  const post = async (name: string) =>
    (await developer.post({ email: `${name}@example.com` })).body;

  /** Collects batches while the test goes on. */
  function collect(batches: AsyncIterable<EventBatch>) {
    const cursors: string[] = [];
    const ids: string[] = [];
    const ended = (async () => {
      for await (const { events, cursor } of batches) {
        cursors.push(cursor);
        ids.push(...events.map(({ data }) => data.id));
      }
    })();
    t.after(() => controller.abort());
    return { cursors, ids, ended };
  }
  return { developer, proxy, follow, post, collect, controller };
}

const TWO = ['1', '2'];

test('followEvents gives all events from the oldest, a batch at a time, and then new ones', async (t) => {
  const { follow, post, collect } = await makeFollower(t);
  const posted: string[] = [];
  for (const name of TWO) posted.push((await post(name)).contactId);
  const { cursors, ids } = collect(follow({ limit: 1 }));
  await until(() => ids.length === 2);
  posted.push((await post('3')).contactId);
  await until(() => ids.length === 3);
  assert.deepEqual(ids, posted);
  assert.equal(new Set(cursors).size, cursors.length);
});

test('followEvents goes on behind a cursor, which comes also when the types leave all events out', async (t) => {
  const { follow, post, collect } = await makeFollower(t);
  const { contactId } = await post('1');
  const { cursors, ids } = collect(follow({ types: ['import.refused'] }));
  await until(() => cursors.length > 0);
  assert.deepEqual(ids, []);
  const next = collect(follow({ after: cursors[0], types: ['contact.*'] }));
  const all = collect(follow({ types: ['contact.*'] }));
  const { contactId: second } = await post('2');
  await until(() => next.ids.includes(second) && all.ids.includes(second));
  assert.deepEqual([next.ids.includes(contactId), all.ids.includes(contactId)], [false, true]);
});

test('followEvents with `head` says at once where it begins', async (t) => {
  const { follow, post, collect } = await makeFollower(t);
  await post('1');
  const { cursors, ids } = collect(follow({ after: 'head' }));
  await until(() => cursors.length === 1);
  const { contactId } = await post('2');
  await until(() => ids.length > 0);
  assert.deepEqual(ids, [contactId]);
});

test('followEvents goes on after more lost answers than a request may have, and misses nothing', async (t) => {
  const { follow, post, collect, proxy } = await makeFollower(t, { retries: 1 });
  const { cursors, ids } = collect(follow({ after: 'head' }));
  await until(() => cursors.length === 1 && proxy.count() > 1);
  proxy.faults.push('lost', 'cut', 'replaced', 'lost', 'lost');
  const posted = [];
  for (const name of TWO) {
    posted.push((await post(name)).contactId);
    const before = proxy.count();
    await until(() => ids.length === posted.length && proxy.count() > before);
  }
  assert.deepEqual(ids, posted);
  assert.deepEqual(proxy.faults, []);
});

test('followEvents goes on when the service is away for longer than the longest wait of the client', async (t) => {
  const { follow, post, collect, proxy } = await makeFollower(t, { maxDelayMs: 100 });
  const { cursors, ids } = collect(follow({ after: 'head' }));
  await until(() => cursors.length === 1 && proxy.count() > 1);
  proxy.faults.push('replaced', 'replaced', 'replaced');
  const posted = [(await post('1')).contactId];
  await until(() => ids.length === 1);
  posted.push((await post('2')).contactId);
  await until(() => ids.length === 2 && proxy.faults.length === 0);
  assert.deepEqual(ids, posted);
});

test('followEvents ends with an error when it cannot begin, or its cursor is too old', async (t) => {
  const { developer, follow, post, proxy } = await makeFollower(t, { retries: 1 });
  proxy.faults.push('lost', 'lost');
  await assert.rejects(follow().next(), TypeError);

  await post('1');
  const { value: batch } = await follow({ limit: 1 }).next();
  const accountId = await accountIdOf(service.db, developer);
  await post('2');
  await deleteOldEvents(service.db, accountId, new Date(Date.now() + 1_000));
  await assert.rejects(follow({ after: batch?.cursor }).next(), (error) => {
    assert.ok(error instanceof ProblemError);
    assert.deepEqual([error.status, error.code], [410, 'cursor_expired']);
    assert.equal(typeof error.problem.headCursor, 'string');
    return true;
  });
});

test('followEvents ends without an error when the signal aborts', async (t) => {
  const { follow, collect, proxy, controller } = await makeFollower(t);
  const { ended } = collect(follow({ after: 'head' }));
  await until(() => proxy.count() === 2);
  controller.abort();
  await ended;
  await collect(follow()).ended;
  assert.equal(proxy.count(), 2);
});

test('followEvents with `include` gives each event with its object', async (t) => {
  const { follow, post } = await makeFollower(t);
  const { contactId } = await post('1');
  for await (const { events } of follow({ include: 'object' })) {
    assert.deepEqual(
      events.map(({ object }) => (object as { id: string }).id),
      [contactId],
    );
    break;
  }
});
