import assert from 'node:assert/strict';
import { get } from 'node:http';
import { after, describe, test } from 'node:test';
import { deleteOldEvents } from '../src/events/index.ts';
import { issueKey } from '../src/keys/index.ts';
import { accountIdOf } from './support/accounts.ts';
import { expireLookUps, passTime } from './support/clock.ts';
import { developersOf, LIVE, type Developer } from './support/developer.ts';
import { build } from './support/harness.ts';
import { keyIdOf } from './support/keys.ts';
import { whileLocked } from './support/locks.ts';
import { addPerson, browser, SAME_ORIGIN, openSession } from './support/people.ts';
import { assertProblem } from './support/problem.ts';
import { run } from './support/sql.ts';
import { subtractTime } from './support/times.ts';
import { until } from './support/until.ts';

const service = await build({ after });
const { db } = service;
const base = await service.app.listen({ port: 0 });
const makeDeveloper = developersOf(service);
const URL_OF_EVENTS = '/api/v1/events';

interface Event {
  id: string;
  type: string;
  sequence: number;
  data: { id: string } & Record<string, unknown>;
}

/** A developer whose reader has all scopes. */
async function makeReader() {
  const mine = await makeDeveloper();
  const reader = await service.key(mine.slug, 'all');
  const ask = (query = '') => service.send({ url: `${URL_OF_EVENTS}${query}`, key: reader });
  return { mine, reader, ask };
}

/** Revokes a key over HTTP. */
async function revoke(key: string, admin: string): Promise<void> {
  const url = `/api/v1/keys/${await keyIdOf(db, key)}/revoke`;
  assert.equal((await service.send({ method: 'POST', url, key: admin })).status, 200);
}

const lead = (mine: Developer, email: string) => mine.post({ email, projectId: LIVE });

/** Follows the log from a cursor to its end. */
async function walk(ask: (query: string) => Promise<{ body: unknown }>, limit: number) {
  const events: Event[] = [];
  let query = `?limit=${limit}`;
  for (;;) {
    const page = (await ask(query)).body as { data: Event[]; cursor: string; hasMore: boolean };
    assert.ok(page.data.length <= limit);
    events.push(...page.data);
    if (!page.hasMore) return { events, cursor: page.cursor };
    query = `?limit=${limit}&after=${page.cursor}`;
  }
}

test('GET /events gives every event once and in order, whatever the size of its pages', async () => {
  const { mine, ask } = await makeReader();
  await lead(mine, 'hana@example.com');
  const { events } = await walk(ask, 3);
  assert.deepEqual(
    events.map(({ sequence }) => sequence),
    events.map((_, index) => index + 1),
  );
  assert.equal(events.at(-1)?.type, 'contact.enquired');
  assert.deepEqual((await walk(ask, 1_000)).events, events);
  const { body } = await ask('?limit=5000');
  assert.equal(body.data.length, events.length);
});

test('GET /events gives at most 1,000 events', async () => {
  const contacts = Array.from({ length: 1_010 }, (_, n) => ({ email: `${n}@example.com` }));
  const mine = await makeDeveloper(contacts);
  const key = await service.key(mine.slug, 'all');
  const { body } = await service.send({ url: `${URL_OF_EVENTS}?limit=5000`, key });
  assert.deepEqual([body.data.length, body.hasMore], [1_000, true]);
});

test('GET /events shows no email, name, phone or note', async () => {
  const { mine, ask } = await makeReader();
  const secrets = {
    name: 'Hineira',
    phone: '+64215550142',
    notes: 'Krokodil',
    companyName: 'Zzyx',
  };
  await mine.post({ email: 'hana@secret.example', ...secrets });
  const { text } = await ask('?limit=1000&types=contact.*,activity.*');
  assert.match(text, /contact.created/);
  for (const secret of [...Object.values(secrets), 'secret.example'])
    assert.ok(!text.includes(secret), secret);
});

test('after=head gives the events from now on, and GET /events/head the same cursor', async () => {
  const { mine, ask } = await makeReader();
  const { body } = await ask('?after=head');
  assert.deepEqual(body.data, []);
  assert.deepEqual((await ask('/head')).body, { cursor: body.cursor });
  await lead(mine, 'hana@example.com');
  const next = (await ask(`?after=${body.cursor}&limit=1`)).body;
  assert.equal(next.data[0].type, 'contact.created');
  assert.equal(next.hasMore, true);
});

test('types takes exact types and all of a noun, and subject a row with its activities', async () => {
  const { mine, ask } = await makeReader();
  const { body: result } = await mine.post({ email: 'hana@example.com', notes: 'Hello' });
  await lead(mine, 'mele@example.com');
  const typesOf = async (query: string) =>
    (await ask(query)).body.data.map(({ type }: Event) => type);
  assert.deepEqual(await typesOf('?types=activity.*,contact.linked'), [
    'activity.created',
    'contact.linked',
  ]);
  assert.deepEqual(await typesOf(`?subject=${result.contactId}`), [
    'contact.created',
    'activity.created',
    'contact.enquired',
  ]);
  assert.deepEqual(await typesOf('?subject=none'), []);
});

describe('GET /events answers 400', () => {
  for (const [what, query, parameter] of [
    ['an unknown type', '?types=contact.created,contact.sold', 'types'],
    ['an unknown noun', '?types=lead.*', 'types'],
    ['a limit of 0', '?limit=0', 'limit'],
    ['a wait of 26 seconds', '?wait=26', 'wait'],
    ['an unknown parameter', '?since=1', 'since'],
    ['a parameter that is sent twice', '?limit=1&limit=2', 'limit'],
  ])
    test(`to ${what}`, async () => {
      const { ask } = await makeReader();
      const answer = await ask(query);
      const { errors } = assertProblem(answer, 'invalid_request', URL_OF_EVENTS);
      assert.deepEqual(
        errors?.map((each) => 'parameter' in each && each.parameter),
        [parameter],
      );
    });

  test('to a cursor that is none', async () => {
    const { ask, reader } = await makeReader();
    const inQuery = await ask('?after=MTIz');
    const headers = { accept: 'text/event-stream', 'last-event-id': 'MTIz' };
    const inHeader = await service.send({ url: URL_OF_EVENTS, key: reader, headers });
    for (const [answer, name] of [
      [inQuery, 'after'],
      [inHeader, 'Last-Event-ID'],
    ] as const) {
      const { detail } = assertProblem(answer, 'cursor_invalid', URL_OF_EVENTS);
      assert.equal(detail, `${name} must be the cursor of an earlier answer, or head.`);
    }
  });
});

test('an event that is too old is gone: an older cursor is a 410 with both ends of the log', async () => {
  const { mine, ask } = await makeReader();
  const { cursor } = (await ask('?limit=1')).body;
  const first = (await ask('?limit=1')).body.data[0];
  const accountId = await accountIdOf(db, mine);
  await run(
    db,
    `update events set at = ${subtractTime('at', `interval '31 days'`)} where account_id = $1 and sequence <= 2`,
    [accountId],
  );
  await deleteOldEvents(db, accountId, new Date(Date.now() - 30 * 86_400_000));
  const answer = await ask(`?after=${cursor}`);
  assertProblem(answer, 'cursor_expired', URL_OF_EVENTS);
  const { oldestCursor, headCursor } = answer.body;
  assert.equal((await ask(`?after=${oldestCursor}`)).body.data[0].sequence, 3);
  assert.equal((await ask()).body.data[0].sequence, 3);
  assert.deepEqual((await ask(`?after=${headCursor}`)).body.data, []);
  assertProblem(await ask(`/${first.id}`), 'event_not_found', `${URL_OF_EVENTS}/${first.id}`);
});

test('a cursor past the end of the log is a 410: it is of a database that was restored since', async () => {
  const { ask } = await makeReader();
  const longer = await makeReader();
  await lead(longer.mine, 'hana@example.com');
  const { cursor } = (await longer.ask('/head')).body;
  assertProblem(await ask(`?after=${cursor}`), 'cursor_expired', URL_OF_EVENTS);
});

test('GET /events/:id shows one event', async () => {
  const { ask } = await makeReader();
  const [event] = (await ask('?types=unit.*')).body.data;
  assert.deepEqual((await ask(`/${event.id}`)).body, event);
});

test('a caller gets the events of the nouns that they may read', async () => {
  const { mine } = await makeReader();
  await lead(mine, 'hana@example.com');
  const accountId = await accountIdOf(db, mine);
  const key = await issueKey(db, accountId, {
    name: 'stock',
    scopes: ['events:read', 'projects:read'],
  });
  const { body } = await service.send({ url: `${URL_OF_EVENTS}?limit=1000`, key });
  const nouns = new Set(body.data.map(({ type }: Event) => type.split('.')[0]));
  assert.deepEqual([...nouns], ['project', 'unit']);
});

test('wait holds the answer until an event comes', async () => {
  const { mine, ask } = await makeReader();
  const { cursor } = (await ask('/head')).body;
  const waiting = ask(`?after=${cursor}&wait=25&types=contact.created`);
  await lead(mine, 'hana@example.com');
  const { body } = await waiting;
  assert.deepEqual(
    body.data.map(({ type }: Event) => type),
    ['contact.created'],
  );
});

test(
  'a wait ends with an empty page when the service begins to stop',
  { timeout: 10_000 },
  async (t) => {
    const stopping = new AbortController();
    const shutdown = { stopping: stopping.signal, givingUp: new AbortController().signal };
    const own = await build(t, {}, shutdown);
    const mine = await developersOf(own)();
    const key = await own.key(mine.slug, 'all');
    const { cursor } = (await own.send({ url: `${URL_OF_EVENTS}/head`, key })).body;
    const waiting = own.send({ url: `${URL_OF_EVENTS}?after=head&wait=25`, key });
    setTimeout(() => stopping.abort(), 50);
    const { body, headers } = await waiting;
    assert.deepEqual(body, { data: [], cursor, hasMore: false });
    assert.equal(headers['connection'], 'close');
  },
);

test('a wait whose key is revoked meanwhile answers 401', async () => {
  const { mine, reader } = await makeReader();
  const accountId = await accountIdOf(db, mine);
  const key = await issueKey(db, accountId, {
    name: 'gone',
    scopes: ['events:read', 'contacts:read'],
  });
  const waiting = service.send({ url: `${URL_OF_EVENTS}?after=head&wait=25`, key });
  await revoke(key, reader);
  await lead(mine, 'hana@example.com');
  assertProblem(await waiting, 'invalid_api_key', URL_OF_EVENTS);
});

test('a caller may wait 20 times at once; one more wait is a 429', async () => {
  const { ask, mine } = await makeReader();
  const waiting = Array.from({ length: 21 }, () => ask('?after=head&wait=25&types=contact.*'));
  assertProblem(await Promise.race(waiting), 'rate_limited', URL_OF_EVENTS);
  await lead(mine, 'hana@example.com');
  const statuses = (await Promise.all(waiting)).map(({ status }) => status);
  assert.equal(statuses.filter((status) => status === 200).length, 20);
  assert.equal((await ask('?after=head&wait=1')).status, 200);
});

test('a wait does not count when its client has left before the service had checked its key', async () => {
  const { ask, reader } = await makeReader();
  let [received, closed] = [0, 0];
  service.app.server.on('request', (_request, response) => {
    received += 1;
    response.once('close', () => (closed += 1));
  });
  await whileLocked(db, 'api_keys', async () => {
    const url = `${base}${URL_OF_EVENTS}?after=head&wait=25`;
    const headers = { authorization: `Bearer ${reader}` };
    const requests = Array.from({ length: 25 }, () => get(url, { headers, agent: false }));
    for (const each of requests) each.on('error', () => undefined);
    await until(() => received === 25);
    for (const each of requests) each.destroy();
    await until(() => closed === 25);
  });
  // The answers without a wait give the service time to handle the requests whose clients have left.
  for (const wait of [0, 0, 0, 1])
    assert.equal((await ask(`?after=head&wait=${wait}`)).status, 200);
});

describe('with Accept: text/event-stream', () => {
  /** Opens a stream, and returns a function that reads its text until a part of it is there. */
  const open = (base: string, key: string, query: string, headers: object = {}) =>
    openWith(base, query, { authorization: `Bearer ${key}`, ...headers });

  async function openWith(base: string, query: string, headers: object) {
    const response = await fetch(`${base}${URL_OF_EVENTS}${query}`, {
      headers: { accept: 'text/event-stream', ...headers },
    });
    assert.match(response.headers.get('content-type') ?? '', /^text\/event-stream/);
    assert.ok(response.body);
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    async function readUntil(part: string, times = 1): Promise<string> {
      while (text.split(part).length <= times) {
        const { done, value } = await reader.read();
        if (done) return text;
        text += value;
      }
      return text;
    }
    return { readUntil, cancel: () => reader.cancel() };
  }

  test('GET /events streams events as they come, and goes on after Last-Event-ID', async () => {
    const { mine, reader } = await makeReader();
    const stream = await open(base, reader, '?after=head&types=contact.*');
    assert.match(await stream.readUntil('\n\n'), /^: /);
    await lead(mine, 'hana@example.com');
    const text = await stream.readUntil('event: contact.enquired');
    await stream.cancel();
    const ids = [...text.matchAll(/^id: (\S+)$/gm)].map(([, id]) => id ?? '');
    const types = [...text.matchAll(/^event: (\S+)$/gm)].map(([, type]) => type);
    assert.deepEqual(types, ['contact.created', 'contact.linked', 'contact.enquired']);
    const data = JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? '');
    assert.equal(data.type, 'contact.created');
    const again = await open(base, reader, '?after=head&types=contact.*', {
      'last-event-id': ids[1] ?? '',
    });
    const more = await again.readUntil('event: contact.enquired');
    await again.cancel();
    assert.ok(!more.includes('contact.created') && more.includes('contact.linked'));
  });

  test(
    'GET /events sends a comment, with the place that it has reached, after 15 seconds without an event',
    { timeout: 12_000 },
    async () => {
      const { mine, reader } = await makeReader();
      const stream = await open(base, reader, '?after=head&types=contact.*');
      await stream.readUntil('\n\n');
      await lead(mine, 'hana@example.com');
      await stream.readUntil('event: contact.enquired');
      passTime(15_000);
      const more = await stream.readUntil(': waiting', 2);
      await stream.cancel();
      const ids = [...more.matchAll(/^id: (\S+)$/gm)].map(([, id]) => id);
      assert.ok(more.endsWith(`: waiting\nid: ${ids.at(-2)}\n\n`), more);
    },
  );

  test('GET /events streams to a caller 20 times at once, and again when some have ended', async () => {
    const { reader } = await makeReader();
    const streams = await Promise.all(
      Array.from({ length: 20 }, () => open(base, reader, '?after=head')),
    );
    const headers = { authorization: `Bearer ${reader}`, accept: 'text/event-stream' };
    async function ask(): Promise<number> {
      const { status, body } = await fetch(`${base}${URL_OF_EVENTS}`, { headers });
      await body?.cancel();
      return status;
    }
    assert.equal(await ask(), 429);
    for (const { cancel } of streams) await cancel();
    await until(async () => (await ask()) === 200);
  });

  test('GET /events answers with JSON when Accept gives the stream a lower weight or refuses it', async () => {
    const { reader } = await makeReader();
    async function askFor(accept: string): Promise<string> {
      const { headers, body } = await fetch(`${base}${URL_OF_EVENTS}?after=head`, {
        headers: { authorization: `Bearer ${reader}`, accept },
      });
      await body?.cancel();
      return headers.get('content-type') ?? '';
    }
    for (const accept of [
      'text/event-stream;q=0, application/json',
      'text/event-stream; q=0.5, application/json;q=0.8',
      'text/event-stream;q=0.1, */*',
      'application/*, text/event-stream;q=0.9',
    ])
      assert.match(await askFor(accept), /^application\/json/, accept);
    for (const accept of [
      'application/json, text/event-stream',
      'TEXT/EVENT-STREAM; charset=utf-8; q=0.5, */*;q=0.1',
      '*/*, application/json;q=0.5, text/event-stream;q=0.9',
    ])
      assert.match(await askFor(accept), /^text\/event-stream/, accept);
  });

  test('GET /events ends when the key is revoked', async () => {
    const { mine, reader } = await makeReader();
    const accountId = await accountIdOf(db, mine);
    const key = await issueKey(db, accountId, { name: 'gone', scopes: ['events:read'] });
    const stream = await open(base, key, '?after=head');
    await revoke(key, reader);
    assert.ok(!(await stream.readUntil('never')).includes('never'));
  });

  test('GET /events ends when the account begins to require a second step that the person has not', async () => {
    const { mine, reader } = await makeReader();
    const cookie = await openSession(service, await addPerson(service, { slug: mine.slug }));
    const stream = await openWith(base, '?after=head', { cookie, ...SAME_ORIGIN });
    await stream.readUntil('\n\n');
    const { status } = await service.send({
      method: 'PATCH',
      url: '/api/v1/organization',
      key: reader,
      payload: { secondStepFor: 'everybody' },
    });
    assert.equal(status, 200);
    expireLookUps();
    await lead(mine, 'late@example.com');
    const text = await stream.readUntil('event: contact.enquired');
    await stream.cancel();
    assert.ok(!text.includes('event: contact.enquired'), text);
  });
});

test('an agent who sees their own contacts gets no events of those of others', async () => {
  const person = await addPerson(service, { role: 'agent' });
  const { accountId } = person;
  await run(db, `update accounts set agents_see = 'own' where account_id = $1`, [accountId]);
  const key = await service.key(person.slug, 'read-write');
  const post = (payload: object) =>
    service.send({ method: 'POST', url: '/api/v1/contacts', key, payload });
  const { id } = person;
  const colleague = (
    await run(
      db,
      `insert into users (account_id, id, email, email_key, name, active)
        values ($1, gen_random_uuid(), 'b@x.example', 'b@x.example', 'B', true) returning id`,
      [accountId],
    )
  ).rows[0]?.['id'] as string;
  await post({ email: 'own@example.com', assignedAccountUserId: id });
  await post({ email: 'nobody@example.com' });
  const { body: theirs } = await post({ email: 't@example.com', assignedAccountUserId: colleague });
  const send = browser(service, await openSession(service, person));
  const url = `${URL_OF_EVENTS}?limit=1000&types=contact.*,activity.*`;
  const { body } = await send({ url });
  const subjects = new Set(body.data.map(({ data }: Event) => data.id));
  assert.equal(subjects.size, 2);
  assert.ok(!subjects.has(theirs.contactId));
  const all = await service.send({ url, key: await service.key(person.slug, 'all') });
  const hidden = all.body.data.find(({ data }: Event) => data.id === theirs.contactId);
  assert.equal((await send({ url: `${URL_OF_EVENTS}/${hidden.id}` })).status, 404);
});
