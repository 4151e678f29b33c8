import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import {
  DRAFT,
  ARCHIVED,
  INACTIVE_USER,
  LIVE,
  NOWHERE,
  OTHER_LIVE,
  UNIT,
  USER,
  WITHDRAWN_UNIT,
} from './support/developer.ts';
import { testAccountsOf } from './support/test-accounts.ts';
import { readChanges, readEvents } from './support/event-log.ts';
import { build } from './support/harness.ts';
import { assertProblem } from './support/problem.ts';

const service = await build({ after });
const makeAccount = testAccountsOf(service);
const { db } = service;

/** Makes an account with a contact, and a program that reads and writes contacts. */
async function setUp() {
  const { lead, program, ...opened } = await makeAccount();
  const id = await lead({
    email: 'aroha@example.com',
    name: 'Aroha Ngata',
    tags: 'Hot',
    projectId: LIVE,
  });
  const api = await program('contacts:write');
  const { body: contact } = await api.get(`/contacts/${id}`);
  const eventsSince = async (sequence: number) =>
    (await readEvents(db, opened.accountId)).filter((event) => event.sequence > sequence);
  const latest = async () => (await readEvents(db, opened.accountId)).at(-1)?.sequence ?? 0;
  return {
    ...opened,
    lead,
    program,
    api,
    id,
    path: `/contacts/${id}`,
    contact,
    eventsSince,
    latest,
  };
}

describe('PATCH /contacts/:contactId', () => {
  test('changes the fields that are sent, and raises the version once', async () => {
    const { api, path, contact } = await setUp();
    const changes = {
      stage: 'Qualified',
      budget: 850_000,
      notes: 'Prefers mornings',
      phone: '021 555',
    };
    const { status, headers, body } = await api.patch(path, changes);
    assert.equal(status, 200);
    assert.equal(headers['etag'], body.etag);
    assert.notEqual(body.etag, contact.etag);
    assert.ok(body.updatedAt > contact.updatedAt);
    const { updatedAt, etag } = body;
    assert.deepEqual(body, { ...contact, ...changes, updatedAt, etag });
    assert.deepEqual((await api.get(path)).body, body);
  });

  test('empties a field by null and by a text that shows nothing', async () => {
    const { api, path } = await setUp();
    await api.patch(path, { phone: '1', companyName: 'Co', budget: 5 });
    const { body } = await api.patch(path, { phone: null, companyName: ' \u200B', budget: null });
    assert.deepEqual([body.phone, body.companyName, body.budget], [null, null, null]);
  });

  test('that changes nothing raises no version, and writes no event and no change', async () => {
    const { api, path, contact, latest } = await setUp();
    const before = await latest();
    const { status, body } = await api.patch(path, {
      name: 'Aroha Ngata',
      stage: 'New',
      phone: null,
    });
    assert.equal(status, 200);
    assert.deepEqual(body, contact);
    assert.equal(await latest(), before);
  });

  test('tells in events and changes who changed which field, from what to what', async () => {
    const { api, path, id, accountId, eventsSince, latest } = await setUp();
    const before = await latest();
    await api.patch(path, { stage: 'Lost', assignedAccountUserId: USER, name: null });
    const events = await eventsSince(before);
    assert.deepEqual(
      events.map(({ type, subject, data }) => [type, subject === id, data]),
      [
        [
          'contact.updated',
          true,
          { changed: ['name', 'stage', 'assignedAccountUserId'], importId: null },
        ],
        ['contact.stage_changed', true, { from: 'New', to: 'Lost' }],
        ['contact.assigned', true, { from: null, to: USER }],
      ],
    );
    assert.ok(events.every(({ actor }) => actor.startsWith('key ')));
    assert.deepEqual((await readChanges(db, accountId, id)).at(-1), {
      sequence: before + 1,
      before: { name: 'Aroha Ngata', stage: 'New' },
      after: { stage: 'Lost', assignedAccountUserId: USER },
    });
  });

  test('refuses fields that are unknown, read-only or of a wrong kind, and names each', async () => {
    const { api, path, contact } = await setUp();
    const wrong = {
      email: null,
      stage: 'new',
      budget: [],
      createdAt: '2026-01-01T00:00:00Z',
      tags: [],
      shoeSize: 42,
      name: 'x'.repeat(1_001),
    };
    const problem = assertProblem(
      await api.patch(path, wrong),
      'invalid_request',
      `/api/v1${path}`,
    );
    const pointers = new Set(
      problem.errors?.map((fault) => ('pointer' in fault ? fault.pointer : '')),
    );
    assert.deepEqual(
      [...pointers].toSorted(),
      Object.keys(wrong)
        .map((name) => `/${name}`)
        .toSorted(),
    );
    assertProblem(await api.patch(path, { name: 'a\0b' }), 'invalid_request', `/api/v1${path}`);
    assert.deepEqual((await api.get(path)).body, contact);
  });

  test('with If-Match changes the version that it names, and answers 412 with the contact otherwise', async () => {
    const { api, path, contact } = await setUp();
    const first = await api.patch(path, { stage: 'Viewing' }, { 'if-match': contact.etag });
    assert.equal(first.status, 200);
    const second = await api.patch(path, { stage: 'Lost' }, { 'if-match': contact.etag });
    const problem = assertProblem(second, 'precondition_failed', `/api/v1${path}`);
    assert.equal(problem.etag, first.body.etag);
    assert.deepEqual(problem.current, first.body);
  });

  test('of fifty with one ETag changes the contact once', async () => {
    const { api, path, contact } = await setUp();
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        api.patch(path, { referredBy: `Friend ${n}` }, { 'if-match': contact.etag }),
      ),
    );
    const counts = Map.groupBy(answers, ({ status }) => status);
    assert.deepEqual([counts.get(200)?.length, counts.get(412)?.length], [1, 49]);
    const [winner] = counts.get(200) ?? [];
    assert.deepEqual((await api.get(path)).body, winner?.body);
  });

  test('with a number that is too large for JavaScript is a 400 that says so', async () => {
    const { api, path } = await setUp();
    const refused = await api.patch(path, '{"budget":1e999}', {
      'content-type': 'application/json',
    });
    const { errors } = assertProblem(refused, 'invalid_request', `/api/v1${path}`);
    assert.match(errors?.[0]?.detail ?? '', /^budget is a number that would be stored as another/);
  });

  test('changes the email as an import would read it, unless another contact has it', async () => {
    const { api, path, lead, id } = await setUp();
    const other = await lead({ email: 'mele@example.com' });
    const taken = await api.patch(path, { email: 'MELE@example.com' });
    const problem = assertProblem(taken, 'email_in_use', `/api/v1${path}`);
    assert.deepEqual(problem.matchingContactIds, [other]);
    const { body } = await api.patch(path, { email: 'Aroha N. <aroha.ngata@example.com>' });
    assert.equal(body.email, 'aroha.ngata@example.com');
    assert.equal(await lead({ email: 'aroha.ngata@example.com' }), id);
    assert.notEqual(await lead({ email: 'aroha@example.com' }), id);
  });

  test('gives one of two contacts an email that both want', async () => {
    const { api, path, lead } = await setUp();
    const other = `/contacts/${await lead({ email: 'mele@example.com' })}`;
    const answers = await Promise.all(
      [path, other].map((each) => api.patch(each, { email: 'shared@example.com' })),
    );
    assert.deepEqual(
      answers.map(({ status }) => status).toSorted((a, b) => a - b),
      [200, 409],
    );
  });

  test('assigns a contact to an active person only', async () => {
    const { api, path, lead } = await setUp();
    await lead({ email: 'mele@example.com' });
    for (const userId of [INACTIVE_USER, NOWHERE, 'nobody']) {
      // The email is taken, too: 422 comes before 409.
      const email = 'mele@example.com';
      const answer = await api.patch(path, { email, assignedAccountUserId: userId });
      const problem = assertProblem(answer, 'user_not_active', `/api/v1${path}`);
      const detail = 'assignedAccountUserId must be the id of an active person of this account.';
      assert.deepEqual(problem.errors, [{ pointer: '/assignedAccountUserId', detail }]);
    }
  });

  test('lets an agent assign a contact to themselves or to nobody', async () => {
    const { person, path } = await setUp();
    const agent = await person('agent');
    const own = await agent.patch(path, { assignedAccountUserId: agent.id });
    assert.equal(own.status, 200, own.text);
    const refused = await agent.patch(path, { assignedAccountUserId: USER });
    assertProblem(refused, 'assignment_not_allowed', `/api/v1${path}`);
    assert.equal((await agent.patch(path, { assignedAccountUserId: null })).status, 200);
  });

  test('keeps what a lead fills in meanwhile', async () => {
    const { api, path, lead } = await setUp();
    for (let round = 0; round < 10; round += 1) {
      await api.patch(path, { phone: null, stage: 'New' });
      await Promise.all([
        api.patch(path, { stage: 'Contacted' }),
        lead({ email: 'aroha@example.com', phone: `021 ${round}` }),
      ]);
      const { body } = await api.get(path);
      assert.deepEqual([body.stage, body.phone], ['Contacted', `021 ${round}`]);
    }
  });
});

describe('archiving a contact', () => {
  test('takes it out of lists, and restoring it brings it back', async () => {
    const { api, path, id, eventsSince, latest } = await setUp();
    const before = await latest();
    const { body } = await api.post(`${path}/archive`);
    assert.notEqual(body.archivedAt, null);
    assert.deepEqual((await api.get('/contacts')).body.data, []);
    assert.deepEqual((await api.post(`${path}/archive`)).body, body);
    assert.equal((await api.post(`${path}/restore`)).body.archivedAt, null);
    const [listed] = (await api.get('/contacts')).body.data;
    assert.equal(listed.id, id);
    assert.deepEqual(
      (await eventsSince(before)).map(({ type }) => type),
      ['contact.archived', 'contact.restored'],
    );
  });
});

describe('tags of a contact', () => {
  test('are added by label and removed by id, and the version counts it once', async () => {
    const { api, path, contact, eventsSince, latest } = await setUp();
    const [hot] = contact.tags;
    const before = await latest();
    const { status, body } = await api.post(`${path}/tags`, {
      add: ['Investor', ' investor ', 'Brochure'],
      remove: [hot.id, NOWHERE],
    });
    assert.equal(status, 200);
    assert.deepEqual(body.tags.map(({ label }: { label: string }) => label).toSorted(), [
      'Brochure',
      'Investor',
    ]);
    assert.deepEqual(
      (await eventsSince(before)).map(({ type }) => type),
      ['contact.tagged', 'contact.untagged'],
    );
    const again = await api.post(`${path}/tags`, { add: ['INVESTOR'], remove: [hot.id] });
    assert.deepEqual(again.body, body);
  });

  test('a label that is empty or too long is named, and nothing changes', async () => {
    const { api, path, contact } = await setUp();
    const answer = await api.post(`${path}/tags`, { add: ['Good', ' ', 'x'.repeat(101)] });
    const problem = assertProblem(answer, 'invalid_request', `/api/v1${path}/tags`);
    assert.deepEqual(
      problem.errors?.map((fault) => 'pointer' in fault && fault.pointer),
      ['/add/1', '/add/2'],
    );
    assert.deepEqual((await api.get(path)).body, contact);
  });
});

describe('links of a contact', () => {
  test('are made once, to a draft too, and removed', async () => {
    const { api, path } = await setUp();
    const made = await api.post(`${path}/links`, { projectId: DRAFT });
    assert.equal(made.status, 201, made.text);
    const { id, createdAt, ...link } = made.body;
    assert.equal(made.headers['location'], `/api/v1${path}/links/${id}`);
    const read = await api.get(`${path}/links/${id}`);
    assert.deepEqual([read.status, read.body], [200, made.body]);
    const unknown = `${path}/links/${UNIT}`;
    assertProblem(await api.get(unknown), 'link_not_found', `/api/v1${unknown}`);
    assert.deepEqual(link, { projectId: DRAFT, unitId: null });
    assert.ok(Date.parse(createdAt) > 0);
    const again = await api.post(`${path}/links`, { projectId: DRAFT.toUpperCase() });
    assert.deepEqual([again.status, again.body], [200, made.body]);
    assert.equal((await api.post(`${path}/links`, { projectId: LIVE, unitId: UNIT })).status, 201);
    // The hexadecimal digits of an id may be in either case.
    const sameUnit = { projectId: LIVE, unitId: UNIT.toUpperCase() };
    assert.equal((await api.post(`${path}/links`, sameUnit)).status, 200);
    const sameId = `${path}/links/${id.toUpperCase()}`;
    assert.deepEqual((await api.get(sameId)).body, made.body);
    assert.equal((await api.get(path)).body.links.length, 3);
    assert.equal((await api.remove(sameId)).status, 204);
    assertProblem(
      await api.remove(`${path}/links/${id}`),
      'link_not_found',
      `/api/v1${path}/links/${id}`,
    );
    assert.equal((await api.get(path)).body.links.length, 2);
  });

  test('to what cannot be linked are refused as in an import', async () => {
    const { api, path } = await setUp();
    const refused = async (body: object, code: 'project_not_available' | 'unit_not_in_project') =>
      assertProblem(await api.post(`${path}/links`, body), code, `/api/v1${path}/links`);
    for (const projectId of [ARCHIVED, NOWHERE, 'none'])
      await refused({ projectId }, 'project_not_available');
    await refused({ projectId: OTHER_LIVE, unitId: UNIT }, 'unit_not_in_project');
    await refused({ projectId: LIVE, unitId: WITHDRAWN_UNIT }, 'unit_not_in_project');
  });
});
