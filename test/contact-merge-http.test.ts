import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { NOWHERE } from './support/developer.ts';
import { testAccountsOf } from './support/test-accounts.ts';
import { readEvents } from './support/event-log.ts';
import { build } from './support/harness.ts';
import { someoneWaits, whileEmailsLocked } from './support/locks.ts';
import { assertProblem } from './support/problem.ts';

const service = await build({ after });
const makeAccount = testAccountsOf(service);

const EMAIL = 'aroha@example.com';
const KEEP = '0196a000-0000-7000-8000-00000000aa01';
const TWIN = '0196a000-0000-7000-8000-00000000aa02';
const OTHER = '0196a000-0000-7000-8000-00000000aa03';
const PATH = `/contacts/${KEEP}/merge`;

async function setUp() {
  const note = (body: string) => ({ type: 'note', body, occurredAt: '2026-01-02T03:04:05.006Z' });
  const account = await makeAccount([
    { id: KEEP, email: EMAIL, name: 'Aroha', tags: ['Hot'], activities: [note('One')] },
    {
      id: TWIN,
      email: EMAIL,
      name: 'A. Ngata',
      phone: '021',
      tags: ['Hot', 'Cold'],
      activities: [note('One'), note('Two')],
    },
    { id: OTHER, email: 'mele@example.com' },
  ]);
  const api = await account.program('contacts:write', 'contacts:manage');
  return { ...account, api };
}

describe('POST /contacts/:contactId/merge', () => {
  test('shows what a merge would do, and then does it', async () => {
    const { api, accountId } = await setUp();
    const { body: before } = await api.get(`/contacts/${KEEP}`);
    const sequence = (await readEvents(service.db, accountId)).length;
    const dry = await api.post(`${PATH}?dryRun=true`, { duplicateIds: [TWIN] });
    assert.equal(dry.status, 200, dry.text);
    assert.deepEqual((await api.get(`/contacts/${KEEP}`)).body, before);
    assert.equal((await readEvents(service.db, accountId)).length, sequence);
    const { status, body } = await api.post(PATH, { duplicateIds: [TWIN] });
    assert.equal(status, 200);
    assert.deepEqual(
      { ...body, contact: { ...body.contact, updatedAt: '' } },
      { ...dry.body, contact: { ...dry.body.contact, updatedAt: '' } },
    );
    const { contact, ...did } = body;
    assert.deepEqual(did, {
      filledFields: ['phone'],
      leftBehind: [{ contactId: TWIN, field: 'name', value: 'A. Ngata' }],
      moved: { activities: 1, tags: 1, links: 0 },
    });
    assert.deepEqual((await api.get(`/contacts/${KEEP}`)).body, contact);
    assert.equal(contact.phone, '021');
  });

  test('keeps the time and the author of each value that the contact has had before', async () => {
    const { api } = await setUp();
    await api.patch(`/contacts/${KEEP}`, { cityName: 'Taupō', buyerType: 'Investor' });
    const changed = (await api.get(`/contacts/${KEEP}?include=provenance`)).body.provenance;
    const ofTwin = { cityName: 'Napier', companyName: 'Ngata Ltd', buyerType: 'Other' };
    await api.patch(`/contacts/${TWIN}`, ofTwin);
    await api.patch(`/contacts/${TWIN}`, { buyerType: null });
    assert.equal((await api.post(PATH, { duplicateIds: [TWIN] })).status, 200);
    const { provenance } = (await api.get(`/contacts/${KEEP}?include=provenance`)).body;
    const { name, cityName, buyerType, companyName } = provenance;
    assert.deepEqual([name, cityName], [changed.name, changed.cityName]);
    assert.deepEqual(buyerType, changed.buyerType);
    assert.ok(companyName.at > cityName.at, 'the merge has filled it');
  });

  test('keeps two calls of the same time that have other outcomes', async () => {
    const { api } = await setUp();
    const call = { type: 'call', occurredAt: '2026-01-03T03:04:00.000Z' };
    await api.post(`/contacts/${KEEP}/activities`, { ...call, outcome: 'No answer' });
    await api.post(`/contacts/${TWIN}/activities`, { ...call, outcome: 'Wants a viewing' });
    await api.post(PATH, { duplicateIds: [TWIN] });
    const { data } = (await api.get(`/contacts/${KEEP}/activities?type=call`)).body;
    assert.deepEqual(data.map(({ outcome }: { outcome: string }) => outcome).toSorted(), [
      'No answer',
      'Wants a viewing',
    ]);
  });

  test('leaves a 404 at the id of the duplicate that names the contact it became', async () => {
    const { api } = await setUp();
    await api.post(PATH, { duplicateIds: [TWIN] });
    const problem = assertProblem(
      await api.get(`/contacts/${TWIN}`),
      'contact_not_found',
      `/api/v1/contacts/${TWIN}`,
    );
    assert.equal(problem.mergedIntoId, KEEP);
    const patched = await api.patch(`/contacts/${TWIN}`, { stage: 'Lost' });
    assert.equal(
      assertProblem(patched, 'contact_not_found', `/api/v1/contacts/${TWIN}`).mergedIntoId,
      KEEP,
    );
  });

  test('leaves at the id of a duplicate the contact that it is now part of, after a second merge, too', async () => {
    const account = await makeAccount([KEEP, TWIN, OTHER].map((id) => ({ id, email: EMAIL })));
    const api = await account.program('contacts:write', 'contacts:manage');
    await api.post(`/contacts/${TWIN}/merge`, { duplicateIds: [OTHER] });
    await api.post(PATH, { duplicateIds: [TWIN] });
    for (const id of [TWIN, OTHER])
      assert.equal((await api.get(`/contacts/${id}`)).body.mergedIntoId, KEEP, id);
  });

  test('lets somebody save an activity of the duplicate that they edit meanwhile', async () => {
    const { api, accountId } = await setUp();
    const { body: activities } = await api.get(`/contacts/${TWIN}/activities`);
    const moved = activities.data.find(({ body }: { body: string }) => body === 'Two');
    const change = { body: 'Two bedrooms' };
    const [merging, saving] = await whileEmailsLocked(service.db, accountId, [EMAIL], async () => {
      const merged = api.post(PATH, { duplicateIds: [TWIN] });
      await someoneWaits(service.db);
      const saved = api.patch(`/activities/${moved.id}`, change, { 'if-match': moved.etag });
      await someoneWaits(service.db, 2);
      return [merged, saved];
    });
    assert.equal((await merging)?.status, 200);
    const answer = await saving;
    assert.equal(answer?.status, 200, answer?.text);
    assert.deepEqual([answer.body.contactId, answer.body.body], [KEEP, 'Two bedrooms']);
  });

  test('refuses contacts that are unknown, named twice or of another email, and changes nothing', async () => {
    const { api, developer } = await setUp();
    const before = await developer.exported();
    const refuse = async (
      ids: string[],
      code: 'contact_not_found' | 'not_duplicates' | 'invalid_request',
      path = PATH,
    ) => assertProblem(await api.post(path, { duplicateIds: ids }), code, `/api/v1${path}`);
    const { detail } = await refuse([NOWHERE], 'contact_not_found');
    const reason = `the account has no contact ${NOWHERE}`;
    assert.equal(detail, `These contacts cannot be merged: ${reason}.`);
    await refuse(['none'], 'contact_not_found');
    await refuse([TWIN], 'contact_not_found', `/contacts/${NOWHERE}/merge`);
    await refuse([OTHER], 'not_duplicates');
    await refuse([TWIN, TWIN], 'invalid_request');
    await refuse([KEEP], 'invalid_request');
    await refuse([], 'invalid_request');
    assert.deepEqual(await developer.exported(), before);
  });

  test('takes the fields that takeFrom names from the named contact', async () => {
    const { api } = await setUp();
    await api.patch(`/contacts/${KEEP}`, { phone: '09', stage: 'Lost', cityName: 'Taupō' });
    await api.patch(`/contacts/${TWIN}`, { stage: 'Viewing' });
    const merge = {
      duplicateIds: [TWIN],
      takeFrom: { phone: TWIN.toUpperCase(), stage: TWIN, name: KEEP, cityName: TWIN },
    };
    const dry = await api.post(`${PATH}?dryRun=true`, merge);
    const { status, body } = await api.post(PATH, merge);
    assert.equal(status, 200);
    assert.deepEqual(
      { ...body, contact: { ...body.contact, updatedAt: '' } },
      { ...dry.body, contact: { ...dry.body.contact, updatedAt: '' } },
    );
    const { contact, filledFields, leftBehind } = body;
    assert.deepEqual(
      [contact.id, contact.phone, contact.stage, contact.name, contact.cityName],
      [KEEP, '021', 'Viewing', 'Aroha', 'Taupō'],
    );
    assert.deepEqual(filledFields, []);
    assert.deepEqual(leftBehind, [
      { contactId: KEEP, field: 'phone', value: '09' },
      { contactId: KEEP, field: 'stage', value: 'Lost' },
      { contactId: TWIN, field: 'name', value: 'A. Ngata' },
    ]);
    const { body: changes } = await api.get(`/contacts/${KEEP}/changes?field=phone`);
    const [latest] = changes.data;
    assert.deepEqual([latest.before, latest.after], ['09', '021']);
  });

  test('refuses to take a field from a contact that is not merged', async () => {
    const { api, developer } = await setUp();
    const before = await developer.exported();
    const refuse = async (takeFrom: object, pointer: string) => {
      const answer = await api.post(PATH, { duplicateIds: [TWIN], takeFrom });
      const problem = assertProblem(answer, 'invalid_request', `/api/v1${PATH}`);
      assert.deepEqual(
        problem.errors?.map((error) => error.pointer),
        [pointer],
      );
    };
    await refuse({ phone: OTHER }, '/takeFrom/phone');
    await refuse({ phone: 'TWIN' }, '/takeFrom/phone');
    await refuse({ email: TWIN }, '/takeFrom/email');
    await refuse({ phone: 1 }, '/takeFrom/phone');
    assert.deepEqual(await developer.exported(), before);
  });

  test('gives a repeat with the same Idempotency-Key the first answer', async () => {
    const { api } = await setUp();
    const send = () => api.post(PATH, { duplicateIds: [TWIN] }, { 'idempotency-key': 'merge-1' });
    const first = await send();
    const second = await send();
    assert.deepEqual([second.status, second.body], [200, first.body]);
  });
});
