import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { issueKey } from '../src/keys/index.ts';
import { accountIdOf } from './support/accounts.ts';
import { developersOf, LIVE, USER } from './support/developer.ts';
import { build } from './support/harness.ts';
import { assertProblem } from './support/problem.ts';

const service = await build({ after });
const makeDeveloper = developersOf(service);
const CHANGES = '/api/v1/changes';

interface Change {
  id: string;
  subject: string;
  field: string;
  before: unknown;
  after: unknown;
  at: string;
  actor: { type: string; id: string | null; name: string };
  importId: string | null;
}

/** A developer, and a function that lists their changes. */
async function makeReader(contacts: object[] = []) {
  const mine = await makeDeveloper(contacts);
  const key = await service.key(mine.slug, 'all');
  const ask = (query = '') => service.send({ url: `${CHANGES}${query}`, key });
  const list = async (query = ''): Promise<Change[]> => (await ask(query)).body.data;
  return { mine, ask, list };
}

test('GET /changes tells who changed which field of a contact, from what to what, and by which import', async () => {
  const { mine, list } = await makeReader();
  const { body } = await mine.post({ email: 'hana@example.com', phone: '1', tags: ['Hot', 'New'] });
  await mine.post({ email: 'hana@example.com', assignedAccountUserId: USER, projectId: LIVE });
  const changes = await list(`?subject=${body.contactId}`);
  const [assigned, linked] = changes;
  assert.deepEqual(
    [assigned?.field, assigned?.before, assigned?.after],
    ['assignedAccountUserId', null, USER],
  );
  assert.equal(linked?.field, 'links');
  assert.equal((linked?.after as { projectId: string } | undefined)?.projectId, LIVE);
  assert.deepEqual([assigned?.actor.type, assigned?.actor.name], ['key', 'test']);
  assert.match(assigned?.importId ?? '', /^[0-9a-f-]{36}$/);
  const created = changes.slice(2);
  assert.deepEqual(
    created.map(({ field }) => field),
    [
      'email',
      'phone',
      'source',
      'sourceExternalOriginalName',
      'stage',
      'importedAt',
      'createdAt',
      'tags',
      'tags',
    ],
  );
  assert.deepEqual(
    created.slice(-2).map(({ after: tag }) => (tag as { label: string }).label),
    ['Hot', 'New'],
  );
  assert.equal(new Set(changes.map(({ id }) => id)).size, changes.length);
});

test('GET /changes filters by subject, subjectType, field, actor and time', async () => {
  const { mine, ask, list } = await makeReader();
  const { body } = await mine.post({ email: 'hana@example.com', phone: '1' });
  const all = await list('?limit=100&subjectType=contact');
  assert.deepEqual([...new Set(all.map(({ subject }) => subject))], [body.contactId]);
  assert.deepEqual(
    (await list('?field=phone,publication&subjectType=contact,project')).map(({ field }) => field),
    ['phone', 'publication', 'publication', 'publication', 'publication'],
  );
  const ofSystem = await list('?actor=system&limit=100');
  assert.deepEqual([...new Set(ofSystem.map(({ actor }) => actor.name))], ['offplan']);
  assert.equal((await list(`?actor=${all[0]?.actor.id}`)).length, all.length);
  assert.deepEqual(await list(`?after=${all[0]?.at}`), []);
  assert.deepEqual(await list(`?subject=none`), []);
  // PostgreSQL knows offsets of less than 16 hours.
  assert.deepEqual(await list('?after=2099-01-01T00:00:00%2B23:59'), []);
  assert.deepEqual(await list('?before=2000-01-01T00:00:00-23:59'), []);
  assert.equal((await list(`?before=${all[0]?.at}&limit=1`))[0]?.actor.type, 'system');
  assertProblem(await ask('?subjectType=lead'), 'invalid_request', CHANGES);
  assertProblem(await ask('?cursor=x'), 'cursor_invalid', CHANGES);
});

test('a walk through GET /changes gives each change once, also those of one row', async () => {
  const { mine, ask, list } = await makeReader();
  await mine.post({ email: 'hana@example.com', tags: ['A', 'B', 'C'] });
  const all = await list('?limit=100');
  const { body: counted } = await ask('?count=true');
  assert.equal(counted.pagination.totalCount, (await walk(7)).length);
  assert.deepEqual((await walk(7)).slice(0, 100), all);

  async function walk(limit: number): Promise<Change[]> {
    const found: Change[] = [];
    let cursor = '';
    for (;;) {
      const { data, pagination } = (await ask(`?limit=${limit}${cursor}`)).body;
      found.push(...data);
      if (!pagination.hasNextPage) return found;
      cursor = `&cursor=${pagination.nextCursor}`;
    }
  }
});

test('GET /contacts/:id/changes lists those of one contact, also for a caller without audit:read', async () => {
  const { mine, list } = await makeReader();
  await mine.post({ email: 'mele@example.com' });
  const { body } = await mine.post({ email: 'hana@example.com', phone: '1' });
  const accountId = await accountIdOf(service.db, mine);
  const key = await issueKey(service.db, accountId, { name: 'x', scopes: ['contacts:read'] });
  const url = `/api/v1/contacts/${body.contactId}/changes`;
  const own = await service.send({ url, key });
  assert.deepEqual(own.body.data, await list(`?subject=${body.contactId}`));
  const { body: phones } = await service.send({ url: `${url}?field=phone`, key });
  assert.deepEqual(
    phones.data.map(({ after: phone }: Change) => phone),
    ['1'],
  );
  const unknown = `/api/v1/contacts/${accountId}/changes`;
  assertProblem(await service.send({ url: unknown, key }), 'contact_not_found', unknown);
});
