import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { testAccountsOf } from './support/test-accounts.ts';
import { readEvents } from './support/event-log.ts';
import { build } from './support/harness.ts';
import { assertProblem } from './support/problem.ts';

const service = await build({ after });
const makeAccount = testAccountsOf(service);

async function setUp() {
  const account = await makeAccount();
  const id = await account.lead({ email: 'aroha@example.com' });
  const api = await account.program('contacts:write');
  return { ...account, api, path: `/contacts/${id}` };
}

describe('an activity', () => {
  test('is added with who, when and how it ended, and counts as a change of its contact', async () => {
    const { api, path, accountId } = await setUp();
    const { body: before } = await api.get(path);
    const occurredAt = new Date(Date.now() - 60_000).toISOString();
    const sent = { type: 'call', body: 'Wants lot 12', outcome: 'Reached', occurredAt };
    const { status, headers, body } = await api.post(`${path}/activities`, sent);
    assert.equal(status, 201);
    const { id, createdAt, etag, actor, ...shown } = body;
    assert.deepEqual(shown, { ...sent, contactId: before.id, values: null, editedAt: null });
    assert.deepEqual([actor.type, actor.name], ['key', 'crm']);
    assert.ok(createdAt >= occurredAt);
    assert.deepEqual([headers['etag'], headers['location']], [etag, `/api/v1/activities/${id}`]);
    const read = await api.get(`/activities/${id}`);
    assert.deepEqual([read.status, read.headers['etag'], read.body], [200, etag, body]);
    assert.equal((await api.get(`/activities/${id}`, { 'if-none-match': etag })).status, 304);
    const unknown = await api.get('/activities/none');
    assertProblem(unknown, 'activity_not_found', '/api/v1/activities/none');
    const { body: contact } = await api.get(path);
    assert.notEqual(contact.etag, before.etag);
    const [last] = (await readEvents(service.db, accountId)).slice(-1);
    assert.deepEqual(
      [last?.type, last?.subject, last?.data],
      ['activity.created', id, { contactId: before.id, activityType: 'call' }],
    );
  });

  test('is added once when the request is repeated with its Idempotency-Key', async () => {
    const { api, path } = await setUp();
    const key = { 'idempotency-key': 'call-1' };
    const send = () => api.post(`${path}/activities`, { type: 'note', body: 'Hi' }, key);
    const [first, second] = await Promise.all([send(), send()]);
    assert.deepEqual([first?.status, second?.status, second?.body], [201, 201, first?.body]);
    const replays = [first, second].map((answer) => answer?.headers['idempotent-replayed']);
    assert.deepEqual(new Set(replays), new Set([undefined, 'true']));
    const other = await api.post(`${path}/activities`, { type: 'note', body: 'Ho' }, key);
    assertProblem(other, 'idempotency_key_reused', `/api/v1${path}/activities`);
  });

  test('of each caller is its own, also with one Idempotency-Key and one body', async () => {
    const { api, path, program } = await setUp();
    const other = await program('contacts:write');
    const send = ({ post }: typeof api) =>
      post(`${path}/activities`, { type: 'note', body: 'Hi' }, { 'idempotency-key': 'shared' });
    const [one, two] = [(await send(api)).body, (await send(other)).body];
    assert.notEqual(one.id, two.id);
    assert.deepEqual([(await send(api)).body, (await send(other)).body], [one, two]);
  });

  test('is changed and deleted, by the version that is named', async () => {
    const { api, path } = await setUp();
    const { body: made } = await api.post(`${path}/activities`, { type: 'note', body: 'Hi' });
    const own = `/activities/${made.id}`;
    const { body } = await api.patch(
      own,
      { body: 'Hello', outcome: 'Sent' },
      { 'if-match': made.etag },
    );
    assert.deepEqual([body.body, body.outcome, body.editedAt !== null], ['Hello', 'Sent', true]);
    assert.deepEqual((await api.patch(own, { body: 'Hello' })).body, body);
    assertProblem(
      await api.remove(own, { 'if-match': made.etag }),
      'precondition_failed',
      `/api/v1${own}`,
    );
    assert.equal((await api.remove(own)).status, 204);
    assertProblem(await api.remove(own), 'activity_not_found', `/api/v1${own}`);
  });

  test('stays the last one when a server whose clock is behind changes an earlier one', async (t) => {
    const { api, path } = await setUp();
    const add = async (minutes: number) => {
      const occurredAt = new Date(Date.now() + minutes * 60_000).toISOString();
      const { status, body } = await api.post(`${path}/activities`, { type: 'call', occurredAt });
      assert.equal(status, 201);
      return body;
    };
    const lastActivityAt = async () => (await api.get(path)).body.lastActivityAt;
    const earlier = await add(-1_000);
    const latest = await add(0);
    t.mock.timers.enable({ apis: ['Date'], now: Date.now() - 2_000 });
    await api.patch(`/activities/${earlier.id}`, { body: 'Wants lot 12' });
    assert.equal(await lastActivityAt(), latest.occurredAt);
    // The clock of a client may be ahead, too.
    const later = await add(2);
    assert.equal(await lastActivityAt(), later.occurredAt);
  });

  test('that is deleted leaves no last activity in the future, also for a contact whose creation is to come', async () => {
    const id = '0196d000-0000-7000-8000-000000000003';
    const createdAt = new Date(Date.now() + 3_600_000).toISOString();
    const account = await makeAccount([{ id, email: 'hana@example.com', createdAt }]);
    const api = await account.program('contacts:write');
    const { body } = await api.post(`/contacts/${id}/activities`, { type: 'note', body: 'Hi' });
    await api.remove(`/activities/${body.id}`, { 'if-match': body.etag });
    const { body: contact } = await api.get(`/contacts/${id}`);
    assert.equal(contact.createdAt, createdAt);
    assert.ok(contact.lastActivityAt <= new Date().toISOString(), contact.lastActivityAt);
  });

  test('that is empty, too long, in the future, in the year 26 or of an unknown type is refused, and nothing is stored', async () => {
    const { api, path } = await setUp();
    const { body: before } = await api.get(path);
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
    const wrong: [object, string][] = [
      [{ type: 'note', body: ' ' }, '/body'],
      [{ type: 'note', body: 'ā'.repeat(40_000) }, '/body'],
      [{ type: 'call', occurredAt: tomorrow }, '/occurredAt'],
      [{ type: 'call', occurredAt: '0026-11-30T10:00:00.000Z' }, '/occurredAt'],
      [{ type: 'enquiry', body: 'x' }, '/type'],
      [{ body: 'x' }, '/type'],
      [{ type: 'note', body: 'x', contactId: before.id }, '/contactId'],
    ];
    for (const [body, pointer] of wrong) {
      const answer = await api.post(`${path}/activities`, body);
      const problem = assertProblem(answer, 'invalid_request', `/api/v1${path}/activities`);
      assert.deepEqual(
        problem.errors?.map((fault) => 'pointer' in fault && fault.pointer),
        [pointer],
      );
    }
    assert.deepEqual((await api.get(path)).body, before);
  });

  test('of somebody else cannot be changed or deleted by an agent; a manager may', async () => {
    const { api, person, path } = await setUp();
    const { body: made } = await api.post(`${path}/activities`, { type: 'note', body: 'Hi' });
    const own = `/activities/${made.id}`;
    const agent = await person('agent');
    assertProblem(await agent.patch(own, { body: 'x' }), 'insufficient_access', `/api/v1${own}`);
    assertProblem(await agent.remove(own), 'insufficient_access', `/api/v1${own}`);
    const { body: theirs } = await agent.post(`${path}/activities`, { type: 'note', body: 'Mine' });
    assert.equal(
      (await agent.patch(`/activities/${theirs.id}`, { body: 'Mine, too' })).status,
      200,
    );
    const manager = await person('manager');
    assert.equal((await manager.patch(own, { body: 'Changed' })).status, 200);
    assert.equal((await manager.remove(`/activities/${theirs.id}`)).status, 204);
  });
});
