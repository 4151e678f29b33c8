import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { SCOPES } from '../src/access/index.ts';
import { issueKey } from '../src/keys/index.ts';
import { testAccountsOf, type Api } from './support/test-accounts.ts';
import { build } from './support/harness.ts';
import { assertProblem } from './support/problem.ts';
import { run } from './support/sql.ts';
import { KEY_LOOK_UP, statementsOf } from './support/statements.ts';

const service = await build({ after });
const { db } = service;
const base = await service.app.listen({ port: 0, host: '127.0.0.1' });
const makeAccount = testAccountsOf(service);

interface Event {
  id: string;
  type: string;
  data: { id: string };
  object?: { id: string } | null;
  objectOmitted?: boolean;
}

async function setUp() {
  const account = await makeAccount();
  const api = await account.program(...SCOPES);
  const { cursor } = (await api.get('/events/head')).body;
  const events = async (query = '', reader: Api = api): Promise<Event[]> =>
    (await reader.get(`/events?after=${cursor}&limit=1000&include=object${query}`)).body.data;
  return { ...account, api, cursor, events };
}

const notesOf = (kib: number) => 'n'.repeat(kib * 1024);

describe('include=object', () => {
  test('adds what happened to each event as the API shows it now', async () => {
    const { api, events, lead, developer } = await setUp();
    const contactId = await lead({ email: 'a@example.com', tag: 'Hot' });
    const activity = { type: 'call', body: 'No answer' };
    const { id: activityId } = (await api.post(`/contacts/${contactId}/activities`, activity)).body;
    await api.patch(`/contacts/${contactId}`, { name: 'Aroha' });
    const person = { email: 'b@example.com', name: 'B', role: 'viewer' };
    const { id: userId } = (await api.post('/users', person)).body;
    const { id: keyId } = (await api.post('/keys', { name: 'k', scopes: ['stats:read'] })).body;
    await developer.post({ email: 'no email' });
    const found = await events();
    const one = (type: string) => found.find((event) => event.type === type);
    const paths: [string, string][] = [
      ['contact.created', `/contacts/${contactId}`],
      ['activity.created', `/activities?contact=${contactId}&limit=1`],
      ['user.created', `/users/${userId}`],
      ['key.created', `/keys/${keyId}`],
      ['import.refused', `/imports?limit=1`],
    ];
    for (const [type, path] of paths) {
      const { body } = await api.get(path);
      assert.deepEqual(one(type)?.object, body.data?.[0] ?? body, type);
    }
    assert.equal(one('activity.created')?.data.id, activityId);
    const { id, ...event } = one('contact.created') ?? assert.fail();
    assert.deepEqual((await api.get(`/events/${id}?include=object`)).body, { id, ...event });
    const { object: _object, ...own } = event;
    assert.deepEqual((await api.get(`/events/${id}`)).body, { id, ...own });
    const slip = await api.get(`/events/${id}?object=true`);
    assert.match(slip.body.detail, /^object is not a parameter here; use include\.$/);
  });

  test('adds the organization, projects and units, and null for what is gone', async () => {
    const { api, events, lead, accountId, developer } = await setUp();
    await run(db, `update account_revisions set sequence = sequence + 1 where account_id = $1`, [
      accountId,
    ]);
    await run(
      db,
      `insert into events (account_id, sequence, at, actor_type, type, subject, data)
        select $1, sequence, now(), 'system', 'organization.updated', $1, '{"changed":["name"]}'
        from account_revisions where account_id = $1`,
      [accountId],
    );
    const id = await lead({ email: 'a@example.com' });
    assert.equal((await api.remove(`/contacts/${id}`)).status, 204);
    const found = await events('&types=organization.*,contact.*');
    const [organization, ...ofContact] = found;
    assert.deepEqual(organization?.object, (await api.get('/organization')).body);
    assert.ok(ofContact.length > 1);
    assert.ok(ofContact.every(({ object }) => object === null));
    const first = (await api.get('/events?limit=1000&types=project.*,unit.*&include=object')).body
      .data as Event[];
    assert.ok(first.length > 0, developer.slug);
    for (const { type, data, object } of first) {
      const kind = type.startsWith('unit.') ? 'units' : 'projects';
      assert.deepEqual(object, (await api.get(`/stock/${kind}/${data.id}`)).body);
    }
  });

  test('leaves out what has over 16 KiB, and says so', async () => {
    const { api, events, lead } = await setUp();
    const [long, short] = [
      await lead({ email: 'a@example.com' }),
      await lead({ email: 'b@example.com' }),
    ];
    await api.patch(`/contacts/${long}`, { notes: notesOf(16) });
    await api.patch(`/contacts/${short}`, { notes: notesOf(14) });
    const listed = await events('&types=contact.updated');
    assert.deepEqual(
      listed.map(({ data, object, objectOmitted }) => [data.id, object?.id, objectOmitted]),
      [
        [long, undefined, true],
        [short, short, undefined],
      ],
    );
  });

  test('shows an agent no contact that is not theirs any more', async () => {
    const { api, events, lead, accountId, person } = await setUp();
    await run(db, `update accounts set agents_see = 'own' where account_id = $1`, [accountId]);
    const [agent, other] = [await person('agent'), await person('agent')];
    const id = await lead({ email: 'a@example.com', assignedAccountUserId: agent.id });
    const [created] = await events('&types=contact.created', agent);
    assert.equal(created?.object?.id, id);
    await api.patch(`/contacts/${id}`, { assignedAccountUserId: other.id });
    const seen = await events('&types=contact.*', agent);
    assert.deepEqual(
      seen.map(({ type, object }) => [type, object]),
      [['contact.assigned', null]],
    );
    const [assigned] = await events('&types=contact.assigned', other);
    assert.equal(assigned?.object?.id, id);
  });

  test('takes one statement for each kind on a page, however many events it has', async () => {
    const { events, lead } = await setUp();
    // A cached key is looked up again after a while.
    const count = async (work: () => Promise<unknown>) =>
      (await statementsOf(work)).filter((name) => name !== KEY_LOOK_UP).length;
    const withoutEvents = await count(() => events());
    for (let n = 0; n < 10; n += 1) await lead({ email: `${n}@example.com`, notes: 'Hello' });
    const withEvents = await count(async () => {
      const found = await events();
      assert.ok(found.length >= 30 && found.every(({ object }) => object?.id));
    });
    // One more finds the events of a log that is not at its end.
    assert.equal(withEvents, withoutEvents + 3);
  });

  test('is the only value of include, once', async () => {
    const { api, cursor } = await setUp();
    const [event] = (await api.get('/events?limit=1')).body.data;
    for (const url of [`/events?after=${cursor}`, `/events/${event.id}?`])
      for (const include of ['contact', '', 'object,contact', 'object&include=object']) {
        const answer = await api.get(`${url}&include=${include}`);
        assertProblem(answer, 'invalid_request', `/api/v1${url.split('?')[0]}`);
      }
  });

  test('is in a stream and in a long poll, too', async () => {
    const { api, cursor, accountId, lead } = await setUp();
    const key = await issueKey(db, accountId, { name: 'stream', scopes: [...SCOPES] });
    const query = `after=${cursor}&types=contact.created&include=object`;
    const waiting = api.get(`/events?${query}&wait=25`);
    const response = await fetch(`${base}/api/v1/events?${query}`, {
      headers: { authorization: `Bearer ${key}`, accept: 'text/event-stream' },
    });
    const id = await lead({ email: 'a@example.com' });
    let text = '';
    for await (const part of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += part;
      if (text.includes('data: ')) break;
    }
    const streamed = JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? '') as Event;
    const [polled] = (await waiting).body.data as Event[];
    const contact = (await api.get(`/contacts/${id}`)).body;
    assert.deepEqual([streamed.object, polled?.object], [contact, contact]);
  });
});
