import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import type { Role, Scope } from '../src/access/index.ts';
import { issueKey } from '../src/keys/index.ts';
import { readChanges, readEvents } from './support/event-log.ts';
import { build, type Answer } from './support/harness.ts';
import { addPerson, browser, openSession } from './support/people.ts';
import { assertProblem } from './support/problem.ts';
import { answering, startReceiver, type Receiver } from './support/receiver.ts';
import { searchDump } from './support/search-dump.ts';
import { readRows, run } from './support/sql.ts';
import { until } from './support/until.ts';

const service = await build({ after }, { webhookAllowPrivate: true });
const { db } = service;
const HOOKS = '/api/v1/webhooks';

/** An account with an owner who is signed in, and what they send. */
async function openAccount(role: Role = 'owner') {
  const me = await addPerson(service, { role });
  const send = browser(service, await openSession(service, me));
  const post = (path: string, payload?: object, headers = {}): Promise<Answer> =>
    send({ method: 'POST', url: `${HOOKS}${path}`, headers, ...(payload && { payload }) });
  const patch = (id: string, payload: object, headers = {}): Promise<Answer> =>
    send({ method: 'PATCH', url: `${HOOKS}/${id}`, payload, headers });
  const get = (path = ''): Promise<Answer> => send({ url: `${HOOKS}${path}` });
  /** Makes a webhook to a receiver of its own. */
  async function make(more: object = {}): Promise<{ hook: Answer['body']; receiver: Receiver }> {
    const receiver = await startReceiver({ after });
    const answer = await post('', { url: receiver.url, types: ['*'], ...more });
    assert.equal(answer.status, 201, answer.text);
    return { hook: answer.body, receiver };
  }
  /** Makes an event `tag.*` has none: a new contact has several. */
  async function addContact(email: string, more: object = {}): Promise<string> {
    const payload = { email, ...more };
    const answer = await send({ method: 'POST', url: '/api/v1/contacts', payload });
    assert.equal(answer.status, 201, answer.text);
    return answer.body.contactId as string;
  }
  return { me, send, post, patch, get, make, addContact };
}

describe('a webhook that is made', () => {
  test('shows its secret once, and neither the values of its headers', async () => {
    const { me, make, get } = await openAccount();
    const { hook } = await make({
      types: ['contact.*', 'unit.created'],
      description: 'Tells the website.',
      include: ['object'],
      headers: { Authorization: 'Bearer hush' },
    });
    const { secret, ...shown } = hook;
    assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
    const { id, createdAt: _at, url, ...others } = shown;
    assert.match(url, /^http:/);
    assert.deepEqual(others, {
      types: ['contact.*', 'unit.created'],
      description: 'Tells the website.',
      include: ['object'],
      bulk: 'summary',
      ordered: false,
      headerNames: ['Authorization'],
      status: 'enabled',
      disabledReason: null,
      createdBy: { type: 'user', id: me.id, name: 'Hana' },
      lastSuccessAt: null,
      failingSince: null,
      lag: 0,
      etag: '"1"',
    });
    const answer = await get(`/${id}`);
    assert.deepEqual(answer.body, shown);
    const list = await get();
    assert.deepEqual(list.body.data, [shown]);
    const rows = await readRows(db, 'select webhooks::text as row from webhooks where id = $1', [
      id,
    ]);
    for (const hidden of [secret, 'hush']) {
      assert.ok(!JSON.stringify(rows).includes(hidden));
      assert.ok(!JSON.stringify([answer.text, list.text]).includes(hidden));
      assert.ok(!service.log.join('\n').includes(hidden));
    }
  });
});

describe('the secrets of a webhook and the values of its headers', () => {
  test('names the API key that made it', async () => {
    const { me } = await openAccount();
    const scopes: Scope[] = ['webhooks:write', 'events:read', 'contacts:read'];
    const key = await issueKey(db, me.accountId, { name: 'crm', scopes });
    const receiver = await startReceiver({ after });
    const payload = { url: receiver.url, types: ['contact.*'] };
    const { body } = await service.send({ method: 'POST', url: HOOKS, key, payload });
    assert.deepEqual([body.createdBy.type, body.createdBy.name], ['key', 'crm']);
    const shown = await service.send({ url: `${HOOKS}/${body.id}`, key });
    assert.deepEqual(shown.body.createdBy, body.createdBy);
  });

  test('are in no table and no line of the log as they are', async () => {
    const { post, patch, make, addContact, send } = await openAccount();
    const headers = { 'idempotency-key': 'once' };
    const { hook, receiver } = await make({ types: ['contact.created'] });
    const payload = { url: receiver.url, types: ['unit.*'], headers: { 'X-Key': 'hush-first' } };
    const { body: repeated } = await post('', payload, headers);
    await post('', payload, headers);
    await patch(hook.id, { headers: { 'X-Key': 'hush-second' } });
    const { body: rotated } = await post(`/${hook.id}/rotate-secret`, {});
    await post(`/${hook.id}/test`);
    await receiver.close();
    await addContact('nobody-receives@example.com');
    await until(async () => {
      const { body } = await send({ url: `${HOOKS}/${hook.id}/deliveries?status=pending` });
      return body.data.length === 1;
    });
    await post(`/${hook.id}/test`);
    const hidden = ['hush-', Buffer.from('hush-').toString('hex')];
    for (const { secret } of [hook, repeated, rotated]) {
      const text = secret.slice('whsec_'.length);
      hidden.push(text, Buffer.from(text, 'base64').toString('hex'));
      hidden.push(Buffer.from(text).toString('hex'));
    }
    const log = service.log.join('\n');
    for (const text of hidden) assert.ok(!log.includes(text));
    assert.deepEqual(await searchDump(db, ...hidden), []);
  });
});

describe('an event', () => {
  test('reaches the webhooks that want it, signed as Standard Webhooks 1.0 says', async () => {
    const { make, addContact, get } = await openAccount();
    const { hook, receiver } = await make({
      types: ['contact.created'],
      headers: { 'X-Key': 'hush' },
    });
    const all = await make();
    const id = await addContact('hana@example.com', { notes: 'Hello' });
    await until(() => receiver.received.length > 0 && all.receiver.received.length >= 3);
    const [{ headers, text, event } = assert.fail()] = receiver.received;
    assert.equal(event.data.id, id);
    assert.equal(headers['webhook-id'], event.id);
    assert.equal(headers['content-type'], 'application/json');
    assert.equal(headers['x-key'], 'hush');
    new Webhook(hook.secret).verify(text, headers as Record<string, string>);
    assert.equal('object' in event, false);
    assert.deepEqual(receiver.types(), ['contact.created']);
    const types = all.receiver.types();
    for (const type of ['contact.created', 'contact.enquired', 'activity.created'])
      assert.ok(types.includes(type), type);
    await until(async () => (await get(`/${hook.id}/deliveries`)).body.data.length === 1);
    const { body } = await get(`/${hook.id}/deliveries`);
    const [{ id: _id, at: _at, ms: _ms, ...delivery }] = body.data;
    assert.deepEqual(delivery, {
      eventId: event.id,
      type: 'contact.created',
      attempt: 1,
      status: 'delivered',
      httpStatus: 204,
      error: null,
      nextAttemptAt: null,
      responseStart: '',
    });
    const shown = await get(`/${hook.id}`);
    assert.ok(shown.body.lastSuccessAt);
    assert.equal(shown.body.lag, 0);
  });
});

describe('a webhook with faults', () => {
  test('is refused, and names the fault', async () => {
    const { post } = await openAccount();
    const url = 'https://receiver.example/hooks';
    for (const [body, pointer] of [
      [{ types: ['*'] }, '/url'],
      [{ url: ` ${url}`, types: ['*'] }, '/url'],
      [{ url: `${url}\n`, types: ['*'] }, '/url'],
      [{ url: `${url}#part`, types: ['*'] }, '/url'],
      [{ url, types: [] }, '/types'],
      [{ url, types: ['contact'] }, '/types/0'],
      [{ url, types: ['*'], include: ['all'] }, '/include/0'],
      [{ url, types: ['*'], bulk: 'none' }, '/bulk'],
      [{ url, types: ['*'], headers: { 'webhook-id': '1' } }, '/headers'],
      [{ url, types: ['*'], headers: { 'Webhook-Id': '1' } }, '/headers'],
      [{ url, types: ['*'], headers: { 'a b': '1' } }, '/headers'],
      [{ url, types: ['*'], headers: { A: ' b' } }, '/headers'],
      [{ url, types: ['*'], headers: { A: 'a\r\nB: b' } }, '/headers'],
      [{ url, types: ['*'], headers: { a: '', b: '', c: '', d: '', e: '', f: '' } }, '/headers'],
      [{ url, types: ['*'], secret: 'whsec_' }, '/secret'],
    ] as const) {
      const { errors } = assertProblem(await post('', body), 'invalid_request', HOOKS);
      assert.equal(errors?.[0]?.pointer, pointer, JSON.stringify(body));
    }
  });

  test('to an address that is not public is a 422, also when it is changed', async () => {
    const strict = await build({ after });
    const me = await addPerson(strict, { role: 'owner' });
    const send = browser(strict, await openSession(strict, me));
    const refused = (answer: Answer, path = HOOKS) =>
      assertProblem(answer, 'webhook_url_refused', path);
    for (const url of [
      'http://receiver.example',
      'https://127.0.0.1',
      'https://a:b@receiver.example',
      'https://receiver.example:0',
    ])
      refused(await send({ method: 'POST', url: HOOKS, payload: { url, types: ['*'] } }));
    const payload = { url: 'https://receiver.example/hooks', types: ['key.rotated'] };
    const { body } = await send({ method: 'POST', url: HOOKS, payload });
    const path = `${HOOKS}/${body.id}`;
    refused(await send({ method: 'PATCH', url: path, payload: { url: 'https://[::1]/' } }), path);
  });

  test('of a key that may not read its events is a 403, also when the key would turn it on', async () => {
    const { me, make: makeOwn } = await openAccount();
    const key = await issueKey(db, me.accountId, {
      name: 'hooks',
      scopes: ['webhooks:write', 'events:read', 'projects:read'],
    });
    const make = (types: string[]): Promise<Answer> =>
      service.send({
        method: 'POST',
        url: HOOKS,
        key,
        payload: { url: 'https://receiver.example', types },
      });
    const { detail } = assertProblem(await make(['contact.created']), 'scope_not_grantable', HOOKS);
    assert.match(detail, /contacts:read/);
    assertProblem(await make(['*']), 'scope_not_grantable', HOOKS);
    assert.equal((await make(['unit.*'])).status, 201);
    const { hook } = await makeOwn();
    const url = `${HOOKS}/${hook.id}`;
    const enable = (enabled: boolean): Promise<Answer> =>
      service.send({ method: 'PATCH', url, key, payload: { enabled } });
    assert.equal((await enable(false)).status, 200);
    assertProblem(await enable(true), 'scope_not_grantable', url);
  });

  test('is one too many after 100', async () => {
    const { post, me } = await openAccount();
    await run(
      db,
      `insert into webhooks (account_id, id, url, types, with_objects, bulk, ordered, header_names, secret, created_at,
          created_by_type, cursor, disabled_reason)
        select $1, gen_random_uuid(), 'x', '{*}', false, 'each', false, '{}', '', now(), 'system', 0, 'turned_off'
        from generate_series(1, 100)`,
      [me.accountId],
    );
    const payload = { url: 'https://receiver.example', types: ['*'] };
    assertProblem(await post('', payload), 'limit_reached', HOOKS);
  });

  test('is a 503 without the key that secrets are encrypted with', async () => {
    const keyless = await build({ after }, {}, undefined, null);
    const me = await addPerson(keyless, { role: 'owner' });
    const send = browser(keyless, await openSession(keyless, me));
    const payload = { url: 'https://receiver.example', types: ['*'] };
    const answer = await send({ method: 'POST', url: HOOKS, payload });
    const { detail } = assertProblem(answer, 'unavailable', HOOKS);
    assert.match(detail, /^Webhooks need OFFPLAN_SECRET_KEY/);
  });
});

describe('a repeat of POST /webhooks with its Idempotency-Key', () => {
  test('makes no second webhook, and does not show the secret again', async () => {
    const { post, get } = await openAccount();
    const payload = { url: 'https://receiver.example', types: ['key.rotated'] };
    const headers = { 'idempotency-key': 'once' };
    const first = await post('', payload, headers);
    const again = await post('', payload, headers);
    assertProblem(again, 'secret_shown_once', HOOKS);
    assert.equal(again.headers['location'], `${HOOKS}/${first.body.id}`);
    assert.equal((await get()).body.data.length, 1);
  });
});

describe('a webhook that is changed', () => {
  test('has its new settings, a new version, and its changes in the log', async () => {
    const { me, make, patch } = await openAccount();
    const { hook } = await make({ types: ['unit.*'], headers: { A: 'hush', B: '2' } });
    const changes = { description: 'Stock', types: ['key.*'], headers: { b: null, C: '3' } };
    const answer = await patch(hook.id, changes, { 'if-match': '"1"' });
    assert.equal(answer.status, 200, answer.text);
    const { description, types, headerNames, etag } = answer.body;
    assert.deepEqual(
      [description, types, headerNames, etag],
      ['Stock', ['key.*'], ['A', 'C'], '"2"'],
    );
    assert.equal((await patch(hook.id, changes)).body.etag, '"2"');
    const stale = await patch(hook.id, { ordered: true }, { 'if-match': '"1"' });
    assert.equal(assertProblem(stale, 'precondition_failed', `${HOOKS}/${hook.id}`).etag, '"2"');
    const hookChanges = await readChanges(db, me.accountId, hook.id);
    assert.deepEqual(
      hookChanges.map(({ before, after: values }) => [before, values]),
      [
        [
          null,
          {
            url: hook.url,
            types: ['unit.*'],
            bulk: 'summary',
            ordered: false,
            headerNames: ['A', 'B'],
            enabled: true,
          },
        ],
        [
          { types: ['unit.*'], headerNames: ['A', 'B'] },
          { description: 'Stock', types: ['key.*'], headerNames: ['A', 'C'] },
        ],
      ],
    );
    // A new value of a header is an event, and its text is nowhere.
    const { body } = await patch(hook.id, { headers: { A: 'hush too' } });
    assert.equal(body.etag, '"3"');
    const events = await readEvents(db, me.accountId);
    assert.deepEqual(events.at(-1)?.data, { changed: ['headers'] });
    assert.ok(!JSON.stringify([events, hookChanges]).includes('hush'));
  });

  test('gets nothing while it is turned off, and goes on where it stopped or with the next event', async () => {
    const { make, patch, addContact, get } = await openAccount();
    for (const [resumeFrom, expected] of [
      ['where_it_stopped', 2],
      ['head', 1],
    ] as const) {
      const { hook, receiver } = await make({ types: ['contact.created'] });
      const off = await patch(hook.id, { enabled: false });
      assert.deepEqual([off.body.status, off.body.disabledReason], ['disabled', 'turned_off']);
      const missed = await addContact(`${resumeFrom}@example.com`);
      assert.ok((await get(`/${hook.id}`)).body.lag > 0);
      const on = await patch(hook.id, { enabled: true, resumeFrom });
      assert.equal(on.body.status, 'enabled');
      const next = await addContact(`next-${resumeFrom}@example.com`);
      await until(() => receiver.received.length === expected);
      const ids = receiver.received.map(({ event }) => event.data.id);
      assert.deepEqual(ids.toSorted(), [missed, next].slice(-expected).toSorted());
    }
  });

  test('is gone when it is deleted, with its deliveries', async () => {
    const { make, send, get, addContact } = await openAccount();
    const { hook, receiver } = await make({ types: ['contact.created'] });
    await addContact('gone@example.com');
    await until(() => receiver.received.length === 1);
    const url = `${HOOKS}/${hook.id}`;
    const stale = await send({ method: 'DELETE', url, headers: { 'if-match': '"9"' } });
    assertProblem(stale, 'precondition_failed', url);
    assert.equal((await send({ method: 'DELETE', url })).status, 204);
    assertProblem(await get(`/${hook.id}`), 'webhook_not_found', url);
    const left = await readRows(db, 'select from webhook_deliveries where webhook_id = $1', [
      hook.id,
    ]);
    assert.equal(left.length, 0);
  });
});

describe('a secret that is rotated', () => {
  test('signs beside the former one until the overlap is over', async () => {
    const { make, post, addContact } = await openAccount();
    const { hook, receiver } = await make({ types: ['contact.created'] });
    const receive = async (email: string) => {
      const before = receiver.received.length;
      await addContact(email);
      await until(() => receiver.received.length > before);
      return receiver.received.at(-1) ?? assert.fail();
    };
    const { body, status } = await post(`/${hook.id}/rotate-secret`, { overlapSeconds: 3_600 });
    assert.equal(status, 200);
    assert.notEqual(body.secret, hook.secret);
    const both = await receive('both@example.com');
    for (const secret of [hook.secret, body.secret])
      new Webhook(secret).verify(both.text, both.headers as Record<string, string>);
    assert.equal(String(both.headers['webhook-signature']).split(' ').length, 2);
    const last = (await post(`/${hook.id}/rotate-secret`, { overlapSeconds: 0 })).body.secret;
    const one = await receive('one@example.com');
    new Webhook(last).verify(one.text, one.headers as Record<string, string>);
    assert.equal(String(one.headers['webhook-signature']).split(' ').length, 1);
  });
});

describe('a test event', () => {
  test('is sent to one webhook alone, and says what became of it', async () => {
    const { me, make, post, get } = await openAccount();
    const { hook, receiver } = await make({ types: ['unit.*'] });
    const other = await make();
    const { body } = await post(`/${hook.id}/test`);
    assert.deepEqual({ ...body, ms: 0 }, { delivered: true, httpStatus: 204, ms: 0, error: null });
    const [{ event, text, headers } = assert.fail()] = receiver.received;
    assert.deepEqual([event.type, event.data.id], ['webhook.test', hook.id]);
    new Webhook(hook.secret).verify(text, headers as Record<string, string>);
    receiver.reply(answering(500, 'no'));
    const failed = await post(`/${hook.id}/test`);
    assert.deepEqual([failed.body.delivered, failed.body.httpStatus], [false, 500]);
    const { data } = (await get(`/${hook.id}/deliveries?type=webhook.test`)).body;
    assert.deepEqual(
      data.map((each: { status: string; responseStart: string }) => [
        each.status,
        each.responseStart,
      ]),
      [
        ['failed', 'no'],
        ['delivered', ''],
      ],
    );
    assert.equal((await get(`/${hook.id}`)).body.status, 'enabled');
    // The other webhook gets the next event of the account, and had no test before it.
    await post(`/${hook.id}/rotate-secret`, {});
    await until(() => other.receiver.types().includes('webhook.rotated'));
    assert.ok(!other.receiver.types().includes('webhook.test'));
    const types = (await readEvents(db, me.accountId)).map(({ type }) => type);
    assert.ok(types.includes('webhook.test'));
  });

  test('is answered when the webhook is deleted before its endpoint fails', async () => {
    const { make, send, post } = await openAccount();
    const { hook, receiver } = await make({ types: ['unit.*'] });
    receiver.reply((request, response) => {
      const url = `${HOOKS}/${hook.id}`;
      void send({ method: 'DELETE', url }).then(() => answering(500)(request, response));
    });
    const { status, body } = await post(`/${hook.id}/test`);
    assert.deepEqual([status, body.delivered, body.httpStatus], [200, false, 500]);
  });
});
