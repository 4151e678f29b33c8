import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { accountIdOf } from './support/accounts.ts';
import { INACTIVE_USER, NOWHERE, USER } from './support/developer.ts';
import { testAccountsOf } from './support/test-accounts.ts';
import { readEvents } from './support/event-log.ts';
import { build } from './support/harness.ts';
import { assertProblem } from './support/problem.ts';
import { readRows } from './support/sql.ts';

const service = await build({ after });
const makeAccount = testAccountsOf(service);
const BULK = '/contacts/bulk';

async function setUp(count = 3) {
  const account = await makeAccount();
  const ids = await Promise.all(
    Array.from({ length: count }, (_, n) =>
      account.lead({ email: `lead-${n}@example.com`, tags: n === 0 ? 'Hot' : '' }),
    ),
  );
  const api = await account.program('contacts:write', 'contacts:manage');
  const contacts = async () => {
    const { body } = await api.get('/contacts?archived=any&limit=100');
    return body.data as {
      id: string;
      stage: string;
      etag: string;
      archivedAt: string | null;
      assignedAccountUserId: string | null;
      tags: { id: string; label: string }[];
    }[];
  };
  return { ...account, api, ids, contacts };
}

describe('POST /contacts/bulk', () => {
  test('changes the contacts that match a filter, and says how many matched and changed', async () => {
    const { api, contacts, accountId } = await setUp();
    const change = {
      filter: { stage: ['New'] },
      set: { stage: 'Contacted', assignedAccountUserId: USER },
      addTags: ['Hot', 'Spring'],
    };
    const dry = await api.post(`${BULK}?dryRun=true`, change);
    assert.deepEqual([dry.status, dry.body], [200, { matched: 3, changed: 3 }]);
    assert.ok((await contacts()).every(({ stage }) => stage === 'New'));
    const { status, body } = await api.post(BULK, change);
    assert.deepEqual([status, body], [200, { matched: 3, changed: 3 }]);
    for (const { stage, tags, assignedAccountUserId } of await contacts())
      assert.deepEqual(
        [stage, tags.map(({ label }) => label).toSorted(), assignedAccountUserId],
        ['Contacted', ['Hot', 'Spring'], USER],
      );
    const events = (await readEvents(service.db, accountId)).filter(
      ({ type }) => type === 'contact.stage_changed',
    );
    assert.equal(events.length, 3);
    assert.deepEqual((await api.post(BULK, change)).body, { matched: 0, changed: 0 });
  });

  test('archives, makes active and removes tags by ids, and counts only what changed', async () => {
    const { api, contacts, ids } = await setUp();
    const hot = (await contacts()).flatMap(({ tags }) => tags)[0]?.id;
    const { body } = await api.post(BULK, { ids, removeTags: [hot] });
    assert.deepEqual(body, { matched: 3, changed: 1 });
    assert.deepEqual((await api.post(BULK, { ids: [...ids, ids[0]], archive: true })).body, {
      matched: 3,
      changed: 3,
    });
    assert.ok(
      (await contacts()).every(({ archivedAt, tags }) => archivedAt !== null && tags.length === 0),
    );
    assert.deepEqual((await api.post(BULK, { filter: { archived: true }, archive: false })).body, {
      matched: 3,
      changed: 3,
    });
  });

  test('is all or nothing: an unknown id or an inactive person changes no contact', async () => {
    const { api, contacts, ids } = await setUp();
    const before = await contacts();
    const set = { stage: 'Lost' };
    for (const id of [NOWHERE, 'none']) {
      const answer = await api.post(BULK, { ids: [...ids, id], set });
      const { detail } = assertProblem(answer, 'contact_not_found', `/api/v1${BULK}`);
      assert.match(detail, new RegExp(`${id} is not one`));
    }
    const inactive = { ids, set: { assignedAccountUserId: INACTIVE_USER } };
    assertProblem(await api.post(BULK, inactive), 'user_not_active', `/api/v1${BULK}`);
    assert.deepEqual(await contacts(), before);
  });

  test('names what is wrong: no contacts, nothing to change, a filter that lists do not know', async () => {
    const { api, ids } = await setUp(1);
    const wrong: [object, string][] = [
      [{ set: { stage: 'Lost' } }, '/ids'],
      [{ ids, filter: {}, set: { stage: 'Lost' } }, '/ids'],
      [{ ids }, '/set'],
      [{ ids, set: { stage: 'lost' } }, '/set/stage'],
      [{ ids, set: { name: 'x' } }, '/set/name'],
      [{ filter: { stages: ['New'] }, archive: true }, '/filter/stages'],
      [{ filter: { stage: 'New' }, archive: true }, '/filter/stage'],
      [{ ids, addTags: [''] }, '/addTags/0'],
    ];
    for (const [body, pointer] of wrong) {
      const problem = assertProblem(
        await api.post(BULK, body),
        'invalid_request',
        `/api/v1${BULK}`,
      );
      assert.deepEqual(
        problem.errors?.map((fault) => 'pointer' in fault && fault.pointer),
        [pointer],
        JSON.stringify(body),
      );
    }
  });

  test('says of "archived": "true" in a filter that true has no quotes', async () => {
    const { api } = await setUp(1);
    const answer = await api.post(BULK, { filter: { archived: 'true' }, archive: true });
    const { detail } = assertProblem(answer, 'invalid_request', `/api/v1${BULK}`);
    assert.equal(detail, 'filter/archived must be false, true or any; write true without quotes.');
  });

  test('gives a repeat with the same Idempotency-Key the first answer', async () => {
    const { api, ids } = await setUp();
    const send = () =>
      api.post(BULK, { ids, set: { stage: 'Lost' } }, { 'idempotency-key': 'bulk-1' });
    const first = await send();
    const second = await send();
    assert.deepEqual([first.body, second.body], [{ matched: 3, changed: 3 }, first.body]);
    assert.equal(second.headers['idempotent-replayed'], 'true');
  });

  test('changes a thousand contacts, each with a revision of its own', async () => {
    const { api, contacts, developer } = await setUp(0);
    const batch = Array.from({ length: 1_000 }, (_, n) => ({ email: `lead-${n}@example.com` }));
    await service.send({
      method: 'POST',
      url: '/api/v1/contacts/batch',
      key: developer.key,
      payload: { contacts: batch },
    });
    const { body } = await api.post(BULK, { filter: {}, set: { stage: 'Nurture' } });
    assert.deepEqual(body, { matched: 1_000, changed: 1_000 });
    assert.ok((await contacts()).every(({ stage }) => stage === 'Nurture'));
    const [times] = await readRows<{ count: number }>(
      service.db,
      'select count(distinct updated_at)::int as count from contacts where account_id = $1',
      [await accountIdOf(service.db, developer)],
    );
    assert.equal(times?.count, 1_000);
  });
});
