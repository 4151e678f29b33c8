import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { after, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { runInTransaction } from '../src/platform/database/index.ts';
import { passTime } from './support/clock.ts';
import { readEvents } from './support/event-log.ts';
import { build, type Answer } from './support/harness.ts';
import { someoneWaits, waitingForLocks } from './support/locks.ts';
import { addPerson, browser, openSession } from './support/people.ts';
import { assertProblem } from './support/problem.ts';
import { answering, startReceiver, type Receiver } from './support/receiver.ts';
import { run } from './support/sql.ts';
import { subtractTime } from './support/times.ts';
import { until } from './support/until.ts';

/* How events reach the endpoints of webhooks, and what happens when these fail. */

const HOOKS = '/api/v1/webhooks';
const HOUR_MS = 60 * 60_000;

/** An account of a service with this schedule, and a function that makes webhooks. */
async function openAccount(scheduleMs: number[] = [0, 0, 0]) {
  const service = await build(
    { after },
    { webhookAllowPrivate: true, webhookScheduleMs: scheduleMs },
  );
  const { db } = service;
  const me = await addPerson(service, { role: 'owner' });
  const send = browser(service, await openSession(service, me));
  const post = (path: string, payload?: object): Promise<Answer> =>
    send({ method: 'POST', url: `${HOOKS}${path}`, ...(payload && { payload }) });
  async function make(more: object = {}): Promise<{ id: string; receiver: Receiver }> {
    const receiver = await startReceiver({ after });
    const answer = await post('', {
      url: receiver.url,
      types: ['tag.*', 'contact.created'],
      ...more,
    });
    assert.equal(answer.status, 201, answer.text);
    return { id: answer.body.id as string, receiver };
  }
  let made = 0;
  /** Adds contacts, one event `contact.created` each, in one transaction. Returns their ids. */
  async function addContacts(count = 1): Promise<string[]> {
    const contacts = Array.from({ length: count }, () => ({ email: `c${++made}@example.com` }));
    const url = '/api/v1/contacts/batch';
    const { body, text } = await send({ method: 'POST', url, payload: { contacts } });
    assert.equal(body.results?.length, count, text);
    return body.results.map(({ contactId }: { contactId: string }) => contactId);
  }
  const show = async (id: string) => (await send({ url: `${HOOKS}/${id}` })).body;
  const list = async (id: string, query = ''): Promise<Answer['body'][]> =>
    (await send({ url: `${HOOKS}/${id}/deliveries?limit=100${query}` })).body.data;
  /** Lets what waits for a later time be due now. */
  async function makeDue(id: string): Promise<void> {
    await run(
      db,
      `update webhook_deliveries set next_attempt_at = now() where webhook_id = $1 and status = 'pending'`,
      [id],
    );
    await run(db, 'update webhooks set due_at = now(), paused_until = null where id = $1', [id]);
  }
  return { service, db, me, send, post, make, addContacts, show, list, makeDue };
}

const createOnly = { types: ['contact.created'] };

test('a webhook sends events although a process whose clock was days ahead was killed while it sent some', async () => {
  const { db, make, addContacts } = await openAccount();
  const { id, receiver } = await make(createOnly);
  const text = `update webhooks set lease = id, lease_until = now() + interval '3 days' where id = $1`;
  await run(db, text, [id]);
  await addContacts();
  await until(() => receiver.received.length === 1);
});

describe('a delivery that fails', () => {
  test('is tried again by the schedule, with the same webhook-id, until it is delivered', async () => {
    const { make, addContacts, list, show } = await openAccount();
    const { id, receiver } = await make(createOnly);
    // The schedule has no delay, so the third attempt may come at once after the second.
    receiver.reply((request, response) => {
      const reply =
        receiver.received.length <= 2 ? answering(503, 'busy') : answering(200, 'thanks');
      reply(request, response);
    });
    await addContacts();
    await until(async () => (await list(id))[0]?.status === 'delivered');
    const [delivery] = await list(id);
    assert.deepEqual([delivery.attempt, delivery.httpStatus, delivery.error], [3, 200, null]);
    assert.equal(delivery.responseStart, 'thanks');
    const ids = new Set(receiver.received.map(({ headers }) => headers['webhook-id']));
    assert.deepEqual([...ids], [delivery.eventId]);
    assert.equal((await show(id)).status, 'enabled');
  });

  test('has failed after the last attempt, and can be tried again', async () => {
    const { make, addContacts, list, post, show } = await openAccount();
    const { id, receiver } = await make(createOnly);
    receiver.reply(answering(302, 'elsewhere', { location: receiver.url }));
    await addContacts();
    await until(async () => (await list(id, '&status=failed')).length === 1);
    const [failed] = await list(id);
    assert.deepEqual([failed.attempt, failed.httpStatus, failed.nextAttemptAt], [3, 302, null]);
    assert.equal(failed.responseStart, 'elsewhere');
    assert.equal((await show(id)).status, 'failing');
    receiver.reply(answering(204));
    const { status, body } = await post(`/${id}/deliveries/${failed.id}/retry`);
    assert.deepEqual([status, body], [202, { deliveries: 1 }]);
    await until(async () => (await list(id, '&status=delivered')).length === 1);
    assert.equal(receiver.received.length, 4);
    assert.deepEqual(
      await list(id, `&event=${failed.eventId}&type=contact.created`),
      await list(id),
    );
    assert.deepEqual(await list(id, '&type=contact.erased'), []);
    const path = `${HOOKS}/${id}/deliveries/${id}/retry`;
    assertProblem(await post(`/${id}/deliveries/${id}/retry`), 'delivery_not_found', path);
  });

  test('is tried again at once also when a person asks for it during the last attempt', async () => {
    const { make, addContacts, list, post } = await openAccount([0, 0]);
    const { id, receiver } = await make(createOnly);
    const held: ServerResponse[] = [];
    receiver.reply((request, response) => {
      if (receiver.received.length === 2) held.push(response);
      else answering(receiver.received.length === 1 ? 503 : 204)(request, response);
    });
    await addContacts();
    await until(() => held.length === 1);
    const [pending] = await list(id);
    assert.equal((await post(`/${id}/deliveries/${pending.id}/retry`)).status, 202);
    held[0]?.writeHead(503).end();
    await until(async () => (await list(id))[0]?.status !== 'pending');
    assert.deepEqual([(await list(id))[0].status, receiver.received.length], ['delivered', 3]);
  });

  test('waits as long as Retry-After says, and at most a day', async () => {
    const { make, addContacts, list } = await openAccount();
    for (const [seconds, expectedMs] of [
      ['3600', HOUR_MS],
      ['864000', 24 * HOUR_MS],
    ] as const) {
      const { id, receiver } = await make(createOnly);
      receiver.reply(answering(429, '', { 'retry-after': seconds }));
      await addContacts();
      await until(async () => (await list(id)).length === 1);
      const [{ at, nextAttemptAt, status }] = await list(id);
      assert.equal(status, 'pending');
      assert.equal(Date.parse(nextAttemptAt) - Date.parse(at), expectedMs);
      assert.equal(receiver.received.length, 1);
    }
  });

  test('is not tried again at the same moment as others that failed with it', async () => {
    const { make, addContacts, list } = await openAccount([0, HOUR_MS]);
    const { id, receiver } = await make(createOnly);
    receiver.reply(answering(500));
    await addContacts(8);
    await until(async () => (await list(id)).length >= 3);
    const waits = (await list(id)).map(
      ({ at, nextAttemptAt }) => Date.parse(nextAttemptAt) - Date.parse(at),
    );
    assert.ok(new Set(waits).size > 1, String(waits));
    for (const waitMs of waits)
      assert.ok(waitMs >= 0.8 * HOUR_MS && waitMs <= 1.2 * HOUR_MS, String(waitMs));
  });
});

describe('a webhook that sends many events', () => {
  for (const method of ['PATCH', 'DELETE'] as const)
    test(`sends no more a second after it is ${method === 'PATCH' ? 'turned off' : 'deleted'}`, async () => {
      const { make, addContacts, send } = await openAccount();
      const { id, receiver } = await make(createOnly);
      const held: ServerResponse[] = [];
      receiver.reply((_request, response) => void held.push(response));
      await addContacts(50);
      await until(() => held.length === 8);
      const payload = method === 'PATCH' && { payload: { enabled: false } };
      const { status } = await send({ method, url: `${HOOKS}/${id}`, ...payload });
      assert.ok(status < 300);
      passTime(1_000);
      receiver.reply(answering(204));
      for (const response of held) response.writeHead(204).end();
      await sleep(300);
      assert.equal(receiver.received.length, 8);
    });
});

describe('a dead endpoint', () => {
  test('gets one request a step, and everything once it is back', async () => {
    const { make, addContacts, list, show, makeDue } = await openAccount([0, HOUR_MS, HOUR_MS]);
    const { id, receiver } = await make(createOnly);
    receiver.reply(answering(500));
    const contacts = await addContacts(50);
    await until(async () => (await list(id)).length > 0);
    const first = receiver.received.length;
    // Up to 8 requests are under way when the third one fails.
    assert.ok(first >= 3 && first <= 11, String(first));
    const { status, failingSince, lag } = await show(id);
    assert.equal(status, 'failing');
    assert.ok(failingSince !== null && lag > 0);
    await makeDue(id);
    await until(() => receiver.received.length === first + 1);
    await until(async () => (await list(id)).length === first + 1);
    receiver.reply(answering(204));
    await makeDue(id);
    const delivered = async () => (await list(id, '&status=delivered')).length;
    await until(async () => {
      if ((await delivered()) >= 1) await makeDue(id);
      return (await delivered()) === 50;
    });
    const ids = new Set(receiver.received.map(({ event }) => event.data.id));
    assert.deepEqual([...ids].toSorted(), contacts.toSorted());
    const shown = await show(id);
    assert.deepEqual([shown.status, shown.lag], ['enabled', 0]);
  });

  for (const [what, makeChange] of [
    ['another URL', (url: string) => ({ url })],
    ['another value of a header', () => ({ headers: { Authorization: 'Bearer right' } })],
  ] as const)
    test(`gets all events at once when its webhook gets ${what}`, async () => {
      const { make, addContacts, list, send } = await openAccount([0, HOUR_MS, HOUR_MS]);
      const headers = { Authorization: 'Bearer wrong' };
      const { id, receiver } = await make({ ...createOnly, headers });
      const other = await startReceiver({ after });
      receiver.reply(answering(401));
      await addContacts(50);
      await until(async () => (await list(id)).length > 0);
      receiver.reply(answering(204));
      const payload = makeChange(other.url);
      await send({ method: 'PATCH', url: `${HOOKS}/${id}`, payload });
      await until(async () => (await list(id, '&status=delivered')).length === 50);
    });

  test('gets the next event at once when its webhook gets another URL while requests to the former one are under way', async () => {
    const { make, addContacts, list, send } = await openAccount([0, HOUR_MS, HOUR_MS]);
    const { id, receiver } = await make(createOnly);
    const { url, received } = await startReceiver({ after });
    const held: ServerResponse[] = [];
    receiver.reply((_request, response) => void held.push(response));
    await addContacts(50);
    await until(() => held.length === 8);
    await send({ method: 'PATCH', url: `${HOOKS}/${id}`, payload: { url } });
    receiver.reply(answering(500));
    for (const response of held) response.writeHead(500).end();
    await until(async () => (await list(id, '&status=delivered')).length > 0);
    assert.ok(received.length > 0);
  });

  test('delays no other webhook, of the same account or of another', async () => {
    const { make, addContacts } = await openAccount([0, HOUR_MS]);
    const hung = await make(createOnly);
    // It never answers.
    hung.receiver.reply(() => undefined);
    const { receiver } = await make(createOnly);
    for (let turn = 1; turn <= 3; turn += 1) {
      await addContacts(20);
      await until(() => receiver.received.length === turn * 20);
    }
    // Up to 8 requests are under way, and two more begin before the third one has waited for too long.
    assert.ok(hung.receiver.received.length <= 10);
  });

  test('is no reason to hold up events when it refuses only one of them', async () => {
    const { make, addContacts, list, show } = await openAccount([0, HOUR_MS]);
    const { id, receiver } = await make(createOnly);
    const [refused] = await addContacts();
    receiver.reply(({ event }, response) =>
      answering(event.data.id === refused ? 400 : 204)({ event } as never, response),
    );
    await until(async () => (await list(id)).length === 1);
    await addContacts();
    await until(async () => (await list(id)).length === 2);
    assert.equal((await show(id)).status, 'enabled');
  });

  test('is disabled after 5 days and 10 failures, which is an event, and can be enabled again', async () => {
    const { db, me, make, addContacts, list, show, makeDue, send } = await openAccount([
      0,
      HOUR_MS,
    ]);
    const { id, receiver } = await make(createOnly);
    const other = await make({ types: ['webhook.disabled'] });
    receiver.reply(answering(500));
    const [first] = await addContacts();
    await until(async () => (await list(id)).length === 1);
    await run(
      db,
      `update webhooks set failures = 9, failing_since = ${subtractTime('failing_since', `interval '5 days'`)} where id = $1`,
      [id],
    );
    await makeDue(id);
    await until(async () => (await show(id)).status === 'disabled');
    assert.equal((await show(id)).disabledReason, 'failing');
    assert.equal((await list(id))[0].nextAttemptAt, null);
    await until(() => other.receiver.received.length === 1);
    const [{ event } = assert.fail()] = other.receiver.received;
    assert.deepEqual(event.data, { id, reason: 'failing' });
    const types = (await readEvents(db, me.accountId)).map(({ type }) => type);
    assert.equal(types.filter((type) => type === 'webhook.disabled').length, 1);
    receiver.reply(answering(204));
    const [second] = await addContacts();
    const url = `${HOOKS}/${id}`;
    await send({ method: 'PATCH', url, payload: { enabled: true } });
    await until(() => receiver.received.some(({ event: { data } }) => data.id === second));
    assert.equal(receiver.received[0]?.event.data.id, first);
  });

  test('that answers 410 is disabled at once, and gets all events when it is enabled again', async () => {
    const { make, addContacts, list, show, post, send } = await openAccount([0, HOUR_MS]);
    const { id, receiver } = await make(createOnly);
    receiver.reply(answering(410));
    await addContacts(20);
    await until(async () => (await show(id)).status === 'disabled');
    assert.equal((await show(id)).disabledReason, 'gone');
    // Eight requests were under way at the first answer.
    assert.ok(receiver.received.length <= 8, String(receiver.received.length));
    const from = new Date(0).toISOString();
    const refused = await post(`/${id}/replay`, { from });
    assertProblem(refused, 'invalid_transition', `${HOOKS}/${id}/replay`);
    receiver.reply(answering(204));
    await send({ method: 'PATCH', url: `${HOOKS}/${id}`, payload: { enabled: true } });
    await until(async () => (await list(id, '&status=delivered')).length === 20);
  });
});

describe('an ordered webhook', () => {
  test('sends an event when the one before it is delivered', async () => {
    const { make, addContacts, list } = await openAccount([0, 0, 0, 0]);
    const { receiver, id } = await make({ ...createOnly, ordered: true });
    let failures = 2;
    receiver.reply((_request, response) => {
      answering(receiver.received.length > 3 && failures-- > 0 ? 500 : 204)(_request, response);
    });
    const contacts = await addContacts(20);
    await until(async () => (await list(id, '&status=delivered')).length === 20);
    const order = receiver.received.map(({ event }) => event.sequence);
    assert.deepEqual(
      order,
      order.toSorted((a, b) => a - b),
    );
    assert.equal(order.length, 22);
    assert.equal(new Set(order).size, contacts.length);
  });

  test('sends the event that waits for its retry before later ones, also after a test event succeeds', async () => {
    const { make, addContacts, list, post } = await openAccount([0, HOUR_MS]);
    const { receiver, id } = await make({ ...createOnly, ordered: true });
    receiver.reply(answering(500));
    const [first] = await addContacts();
    await until(async () => (await list(id))[0]?.attempt === 1);
    receiver.reply(answering(204));
    const [second] = await addContacts();
    assert.equal((await post(`/${id}/test`)).body.delivered, true);
    await until(() => receiver.received.some(({ event }) => event.data.id === second));
    const ids = receiver.received.map(({ event }) => event.data.id);
    assert.deepEqual(ids, [first, id, first, second]);
  });

  test('sends what is pending before later events when its endpoint was dead before it became ordered', async () => {
    const { make, addContacts, list, send, makeDue } = await openAccount([0, HOUR_MS]);
    const { receiver, id } = await make(createOnly);
    receiver.reply(answering(500));
    const failed = await addContacts(3);
    await until(async () => (await list(id, '&status=pending')).length === 3);
    const change = { method: 'PATCH', url: `${HOOKS}/${id}`, payload: { ordered: true } } as const;
    assert.equal((await send(change)).status, 200);
    const [later] = await addContacts();
    receiver.reply(answering(204));
    const before = receiver.received.length;
    await makeDue(id);
    await until(() => receiver.received.length === before + 4);
    const ids = receiver.received.slice(before).map(({ event }) => event.data.id);
    assert.deepEqual(ids, [...failed, later]);
  });

  for (const isRetry of [false, true])
    test(`goes on with the next event when it skips to it while a ${isRetry ? 'retry' : 'first attempt'} fails`, async () => {
      const { make, addContacts, list, send, makeDue } = await openAccount([0, HOUR_MS, HOUR_MS]);
      const { receiver, id } = await make({ ...createOnly, ordered: true });
      receiver.reply(answering(500));
      if (isRetry) {
        await addContacts();
        await until(async () => (await list(id))[0]?.attempt === 1);
      }
      const held: ServerResponse[] = [];
      receiver.reply((_request, response) => void held.push(response));
      await (isRetry ? makeDue(id) : addContacts());
      await until(() => held.length === 1);
      const url = `${HOOKS}/${id}`;
      const skipped = await send({ method: 'PATCH', url, payload: { resumeFrom: 'head' } });
      assert.deepEqual([skipped.status, skipped.body.lag], [200, 0]);
      receiver.reply(answering(204));
      const [later] = await addContacts();
      held[0]?.writeHead(500).end();
      await until(async () => (await list(id, '&status=delivered')).length === 1);
      assert.equal(receiver.received.at(-1)?.event.data.id, later);
      assert.deepEqual(await list(id, '&status=pending'), []);
    });

  test('sends all events of a replay before later ones', async () => {
    const { make, addContacts, list, post, send } = await openAccount([0, HOUR_MS]);
    const head = (await send({ url: '/api/v1/events/head' })).body.cursor;
    const { receiver, id } = await make({ ...createOnly, ordered: true });
    const contacts = await addContacts(60);
    await until(async () => (await list(id, '&status=delivered')).length === contacts.length);
    receiver.reply(answering(500));
    const [failed] = await addContacts();
    await until(async () => (await list(id, '&status=pending')).length === 1);
    const [later] = await addContacts();
    receiver.reply(answering(204));
    const before = receiver.received.length;
    assert.equal((await post(`/${id}/replay`, { from: head })).body.deliveries, 61);
    await until(() => receiver.received.length === before + 62);
    const ids = receiver.received.slice(before).map(({ event }) => event.data.id);
    assert.deepEqual(ids, [...contacts, failed, later]);
  });
});

describe('a list of deliveries', () => {
  test('goes on by the id in its cursor, whatever else a client has written there', async () => {
    const { make, addContacts, list, send } = await openAccount();
    const { id } = await make(createOnly);
    await addContacts(3);
    await until(async () => (await list(id, '&status=delivered')).length === 3);
    const url = `${HOOKS}/${id}/deliveries?limit=2`;
    const { nextCursor } = (await send({ url })).body.pagination;
    const [hash, , last] = JSON.parse(Buffer.from(nextCursor, 'base64url').toString());
    const altered = Buffer.from(JSON.stringify([hash, 'x', last])).toString('base64url');
    const pages = [nextCursor, altered].map((cursor) => send({ url: `${url}&cursor=${cursor}` }));
    const [own, other] = await Promise.all(pages);
    assert.deepEqual([other?.status, other?.body], [200, own?.body]);
    assert.deepEqual(own?.body.data, (await list(id)).slice(2));
  });
});

describe('a replay', () => {
  test('sends events again by time or cursor, all or those that failed', async () => {
    const { make, addContacts, list, post, send } = await openAccount([0]);
    const head = (await send({ url: '/api/v1/events/head' })).body.cursor;
    const { id, receiver } = await make(createOnly);
    receiver.reply(answering(500));
    const [failed] = await addContacts();
    await until(async () => (await list(id, '&status=failed')).length === 1);
    receiver.reply(answering(204));
    await addContacts(2);
    await until(async () => (await list(id)).length === 3);
    const replay = async (body: object) => {
      const before = receiver.received.length;
      const answer = await post(`/${id}/replay`, body);
      assert.equal(answer.status, 202, answer.text);
      const { deliveries } = answer.body;
      await until(() => receiver.received.length === before + deliveries);
      await until(async () => (await list(id, '&status=pending')).length === 0);
      return receiver.received.slice(before).map(({ event }) => event.data.id);
    };
    assert.deepEqual(await replay({ from: head, onlyFailed: true }), [failed]);
    assert.deepEqual(await replay({ from: head, onlyFailed: true }), []);
    assert.equal((await replay({ from: head })).length, 3);
    assert.equal((await replay({ from: new Date(Date.now() - HOUR_MS).toISOString() })).length, 3);
    assert.equal((await replay({ from: head, until: head })).length, 0);
    assert.equal((await replay({ from: head, types: ['contact.erased'] })).length, 0);
    assert.equal((await replay({ from: head, types: ['unit.*', 'webhook.test'] })).length, 0);
    assert.equal((await replay({ from: head, types: ['contact.*'] })).length, 3);
    const fault = assertProblem(
      await post(`/${id}/replay`, { from: 'yesterday' }),
      'invalid_request',
      `${HOOKS}/${id}/replay`,
    );
    assert.equal(fault.errors?.[0]?.pointer, '/from');
    const ids = new Set(receiver.received.map(({ headers }) => headers['webhook-id']));
    assert.equal(ids.size, 3);
  });

  test('leaves out events that arrive meanwhile, and each of them is sent once', async () => {
    const { make, addContacts, list, post, send } = await openAccount();
    const head = (await send({ url: '/api/v1/events/head' })).body.cursor;
    const { id, receiver } = await make(createOnly);
    const old = await addContacts(3);
    await until(async () => (await list(id, '&status=delivered')).length === old.length);
    const held: ServerResponse[] = [];
    receiver.reply((_request, response) => void held.push(response));
    await addContacts();
    await until(() => held.length === 1);
    const added: string[] = [];
    for (let round = 0; round < 30; round += 1) {
      const replay = post(`/${id}/replay`, { from: head });
      added.push(...(await addContacts(2)));
      assert.equal((await replay).body.deliveries, old.length);
    }
    receiver.reply(answering(204));
    for (const response of held) response.writeHead(204).end();
    await until(async () => (await list(id, '&status=delivered')).length === 64);
    const sent = receiver.received.map(({ event }) => event.data.id);
    assert.deepEqual(sent.filter((each) => added.includes(each)).toSorted(), added.toSorted());
  });
});

describe('the object of an event', () => {
  test('is the row now, and what the endpoint says of a contact goes when it is erased', async () => {
    const { make, addContacts, list, send } = await openAccount();
    const { id, receiver } = await make({ ...createOnly, include: ['object'] });
    receiver.reply(answering(200, 'Stored Hana'));
    const [contactId = ''] = await addContacts();
    await until(async () => (await list(id)).length === 1);
    assert.equal(receiver.received[0]?.event.object?.['email'], 'c1@example.com');
    assert.equal((await list(id))[0].responseStart, 'Stored Hana');
    const url = `/api/v1/contacts/${contactId}`;
    assert.equal((await send({ method: 'DELETE', url })).status, 204);
    assert.equal((await list(id))[0].responseStart, '');
  });

  test('leaves nothing of what the endpoint says while its contact is erased', async () => {
    const { db, me, make, addContacts, list, send, makeDue } = await openAccount([0, HOUR_MS, 0]);
    const { id, receiver } = await make(createOnly);
    receiver.reply(answering(500));
    const [contactId = ''] = await addContacts(2);
    await until(async () => (await list(id)).length === 2);
    const held: ServerResponse[] = [];
    receiver.reply((_request, response) => void held.push(response));
    let erasing: Promise<Answer> | undefined;
    let isErased = false;
    await makeDue(id);
    await until(() => held.length === 2);
    await runInTransaction(db, async (tx) => {
      // The service stores the answer to the first event, and then waits for the row of the second one.
      const text = `select from webhook_deliveries where account_id = $1 and webhook_id = $2
        order by sequence desc limit 1 for update`;
      await tx.query({ name: '', text, values: [me.accountId, id] });
      for (const response of held) response.end('Stored Hana');
      await someoneWaits(db);
      erasing = send({ method: 'DELETE', url: `/api/v1/contacts/${contactId}` });
      void erasing.then(() => (isErased = true));
      await until(async () => isErased || (await waitingForLocks(db)) >= 2);
    });
    assert.equal((await erasing)?.status, 204);
    await until(async () => (await list(id, '&status=delivered')).length === 2);
    const answers = (await list(id)).map(({ responseStart }) => responseStart);
    assert.deepEqual(answers, ['Stored Hana', '']);
  });
});
