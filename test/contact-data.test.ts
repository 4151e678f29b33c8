import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { LIVE, NOWHERE } from './support/developer.ts';
import { testAccountsOf } from './support/test-accounts.ts';
import { build } from './support/harness.ts';
import { someoneWaits } from './support/locks.ts';
import { runInTransaction } from '../src/platform/database/index.ts';
import { assertProblem } from './support/problem.ts';
import { run } from './support/sql.ts';

const service = await build({ after });
const makeAccount = testAccountsOf(service);

const EMAIL = 'aroha@example.com';

/** Makes an account with a person who has left traces by every way in, and with others. */
async function setUp() {
  const { developer, lead, program, accountId } = await makeAccount([
    { id: '01980000-0000-7000-8000-000000000001', email: EMAIL, name: 'Aroha' },
    { id: '01980000-0000-7000-8000-000000000002', email: EMAIL, companyName: 'Ngata Ltd' },
  ]);
  const api = await program('contacts:write', 'contacts:manage', 'contacts:export');
  const [id, duplicateId] = [
    '01980000-0000-7000-8000-000000000001',
    '01980000-0000-7000-8000-000000000002',
  ];
  const path = `/contacts/${id}`;
  await api.post(`${path}/merge`, { duplicateIds: [duplicateId] });
  await developer.post({ email: EMAIL, phone: '021 555 0123', notes: 'First note', tag: 'Hot' });
  await developer.post({ email: EMAIL, phone: '021 555 9999', projectId: LIVE });
  await developer.post({
    email: `<${EMAIL.toUpperCase()}>`,
    projectId: NOWHERE,
    notes: 'Refused note',
  });
  await lead({ email: 'other@example.com', notes: 'Note of another' });
  await developer.post({ email: 'other@example.com', projectId: NOWHERE });
  await api.patch(path, { referredBy: 'A friend' });
  await api.patch(path, { referredBy: 'Another friend' });
  return { api, path, id, duplicateId, accountId, developer };
}

describe('GET /contacts/:id/data', () => {
  test('has all that the service has of a person, as one file, and nothing of others', async () => {
    const { api, path, id, duplicateId } = await setUp();
    const { status, headers, text, body } = await api.get(`${path}/data`);
    assert.equal(status, 200, text);
    assert.equal(headers['content-disposition'], `attachment; filename="contact-${id}.json"`);
    const shown = await api.get(`${path}?include=provenance`);
    assert.deepEqual(body.contact, shown.body);
    assert.deepEqual(body.mergedIds, [duplicateId]);
    const bodiesOf = (rows: { body: string }[]) => rows.map((each) => each.body);
    assert.deepEqual(bodiesOf(body.activities), ['phone: 021 555 9999', 'First note']);
    const { body: changes } = await api.get(`${path}/changes?limit=100`);
    assert.ok(changes.data.length > 5);
    assert.deepEqual(body.changes, changes.data);
    assert.deepEqual(
      body.imports.map(({ outcome, payload }: Record<string, string>) => [
        outcome,
        JSON.parse(payload ?? '').email,
      ]),
      [
        ['merged', EMAIL],
        ['merged', EMAIL],
        ['refused', `<${EMAIL.toUpperCase()}>`],
      ],
    );
    assert.match(body.imports[2].payload, /Refused note/);
    const types = new Set(body.events.map(({ type }: { type: string }) => type));
    for (const type of ['contact.merged', 'contact.enquired', 'activity.created', 'contact.linked'])
      assert.ok(types.has(type), type);
    assert.ok(!/other@example\.com|Note of another/.test(text));
  });

  test('has the refused leads with a former email, and with one among other words', async () => {
    const { api, path, developer } = await setUp();
    await api.patch(path, { email: 'ana@example.com' });
    await developer.post({ email: EMAIL, projectId: NOWHERE, notes: 'Old email' });
    await developer.post({ email: [`ana@example.com`], notes: 'List' });
    await developer.post({
      email: 'joana@example.com',
      projectId: NOWHERE,
      notes: 'Note of another',
    });
    const { body, text } = await api.get(`${path}/data`);
    const notes = body.imports.map(({ payload }: { payload: string }) => JSON.parse(payload).notes);
    assert.deepEqual(notes.slice(-3), ['Refused note', 'Old email', 'List']);
    assert.ok(!text.includes('Note of another'));
  });

  test('has the saved views and the files that name the person, and of the views only the texts that do', async () => {
    const { api, path, developer } = await setUp();
    const key = await service.key(developer.slug, 'all');
    const save = async (name: string, q: string): Promise<string> => {
      const payload = { resource: 'contacts', name, filter: { q } };
      const saved = await service.send({ method: 'POST', url: '/api/v1/views', key, payload });
      assert.equal(saved.status, 201, saved.text);
      return saved.body.id;
    };
    const upload = async (name: string, email: string): Promise<string> => {
      const headers = { 'content-type': 'text/csv' };
      const url = `/api/v1/contact-files?name=${name}`;
      const payload = `email,name\n${email},Somebody\n`;
      const sent = await service.send({ method: 'POST', url, key, headers, payload });
      assert.equal(sent.status, 201, sent.text);
      return sent.body.id;
    };
    const searching = await save('Secret', 'aroha@exa');
    const named = await save('For Aroha', 'Secret');
    await save('Other', 'other@example.com');
    const inName = await upload('aroha.csv', 'other@example.com');
    const inRows = await upload('expo.csv', EMAIL);
    await upload('other.csv', 'other@example.com');
    const { body, text } = await api.get(`${path}/data`);
    assert.deepEqual(
      body.views.toSorted((a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1)),
      [
        { id: searching, resource: 'contacts', name: null, q: 'aroha@exa' },
        { id: named, resource: 'contacts', name: 'For Aroha', q: null },
      ],
    );
    assert.deepEqual(body.files, [
      { id: inName, name: 'aroha.csv' },
      { id: inRows, name: 'expo.csv' },
    ]);
    assert.ok(!text.includes('Secret'));
  });

  test('has every page of the activities and the changes', async () => {
    const { api, path, accountId, id } = await setUp();
    const { db } = service;
    await run(
      db,
      `insert into activities (account_id, id, contact_id, type, body, occurred_at)
        select $1, gen_random_uuid(), $2, 'note', repeat('x', 10000), now() from generate_series(1, 250)`,
      [accountId, id],
    );
    for (let change = 0; change < 4; change += 1)
      await api.post('/contacts/bulk', {
        ids: [id],
        set: { stage: change % 2 ? 'New' : 'Lost' },
        addTags: Array.from({ length: 50 }, (_, n) => `Tag ${change} ${n}`),
      });
    const { body } = await api.get(`${path}/data`);
    assert.equal(body.activities.length, 252);
    const { body: counted } = await api.get(`${path}/changes?count=true&limit=1`);
    assert.equal(body.changes.length, counted.pagination.totalCount);
    assert.equal(
      new Set(body.changes.map((each: { id: string }) => each.id)).size,
      body.changes.length,
    );
  });

  test('is all as it was at one moment', async () => {
    const { api, path, accountId } = await setUp();
    const before = (await api.get(`${path}/data`)).body;
    let asked: ReturnType<typeof api.get> | undefined;
    await runInTransaction(service.db, async (writer) => {
      await run(writer, 'lock table activities in access exclusive mode');
      asked = api.get(`${path}/data`);
      await someoneWaits(service.db);
      await run(writer, `update imports set payload = '{}' where account_id = $1`, [accountId]);
      await run(writer, `delete from activities where account_id = $1`, [accountId]);
    });
    assert.deepEqual((await asked)?.body, before);
  });

  test('of an unknown contact is a 404, also for a HEAD, and names the contact that it was merged into', async () => {
    const { api, developer, id, duplicateId } = await setUp();
    for (const each of [NOWHERE, 'x'])
      assertProblem(
        await api.get(`/contacts/${each}/data`),
        'contact_not_found',
        `/api/v1/contacts/${each}/data`,
      );
    const url = `/api/v1/contacts/${NOWHERE}/data`;
    const key = await service.key(developer.slug, 'all');
    assert.equal((await service.send({ method: 'HEAD', url, key })).status, 404);
    const merged = await api.get(`/contacts/${duplicateId}/data`);
    assert.deepEqual([merged.status, merged.body.mergedIntoId], [404, id]);
  });
});
