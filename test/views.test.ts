import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { testAccountsOf, type Api } from './support/test-accounts.ts';
import { build } from './support/harness.ts';
import { assertProblem } from './support/problem.ts';
import { run } from './support/sql.ts';

const service = await build({ after });
const { db } = service;
const makeAccount = testAccountsOf(service);
const VIEWS = '/api/v1/views';
const NEW = {
  resource: 'contacts',
  name: 'New ones',
  filter: { stage: ['New'], assignedTo: ['none'] },
  sort: '-createdAt',
  columns: [{ field: 'name', width: 240 }, { field: 'stage' }],
};

async function setUp() {
  const account = await makeAccount();
  const [agent, colleague, manager] = [
    await account.person('agent'),
    await account.person('agent'),
    await account.person('manager'),
  ];
  return { ...account, agent, colleague, manager };
}

async function save(api: Api, fields: object = {}) {
  const answer = await api.post('/views', { ...NEW, ...fields });
  assert.equal(answer.status, 201, answer.text);
  return answer.body;
}

const namesOf = async (api: Api, query = ''): Promise<string[]> =>
  (await api.get(`/views${query}`)).body.data.map(({ name }: { name: string }) => name);

describe('a saved view', () => {
  test('has what was saved, and its owner', async () => {
    const { agent, program, accountId } = await setUp();
    const { status, body, headers } = await agent.post('/views', NEW);
    assert.equal(status, 201);
    const { id, owner, ...fields } = body;
    assert.deepEqual(fields, { ...NEW, shared: false, etag: '"1"' });
    assert.deepEqual(owner, { type: 'user', id: agent.id, name: 'Hana' });
    assert.deepEqual([headers['etag'], headers['location']], ['"1"', `${VIEWS}/${id}`]);
    const read = await agent.get(`/views/${id}`);
    assert.deepEqual([read.status, read.headers['etag'], read.body], [200, '"1"', body]);
    assert.equal((await agent.get(`/views/${id}`, { 'if-none-match': '"1"' })).status, 304);
    assert.deepEqual((await agent.get('/views?resource=contacts&count=true')).body, {
      data: [body],
      pagination: {
        limit: 20,
        nextCursor: null,
        hasNextPage: false,
        totalCount: 1,
        totalCountIsExact: true,
      },
    });
    const api = await program('contacts:read');
    const bare = await api.post('/views', { resource: 'contacts', name: 'Mine' });
    const { owner: key, ...own } = bare.body;
    assert.deepEqual(
      [own.filter, own.sort, own.columns, own.shared, key.type],
      [{}, null, null, false, 'key'],
    );
    assert.deepEqual(await namesOf(api), ['Mine']);
    const { rows } = await run(db, 'select from views where account_id = $1', [accountId]);
    assert.equal(rows.length, 2);
  });

  test('is seen by its owner alone; others get the 404 of an unknown id', async () => {
    const { agent, colleague, manager } = await setUp();
    const { id } = await save(agent);
    for (const api of [colleague, manager]) {
      assert.deepEqual(await namesOf(api), []);
      for (const answer of [
        await api.get(`/views/${id}`),
        await api.patch(`/views/${id}`, { name: 'Mine' }),
        await api.remove(`/views/${id}`),
      ])
        assertProblem(answer, 'view_not_found', `${VIEWS}/${id}`);
      // They may use the name, and do not learn of it.
      await save(api);
    }
    assertProblem(await agent.remove('/views/none'), 'view_not_found', `${VIEWS}/none`);
    assert.deepEqual(await namesOf(agent), ['New ones']);
  });

  test('that is shared is seen by all, and changed only with settings:write', async () => {
    const { agent, colleague, manager } = await setUp();
    const refused = await agent.post('/views', { ...NEW, shared: true });
    assertProblem(refused, 'insufficient_access', VIEWS);
    assert.equal(refused.body.requiredScope, 'settings:write');
    const own = await save(agent, { name: 'Own' });
    const sharing = await agent.patch(`/views/${own.id}`, { shared: true });
    assertProblem(sharing, 'insufficient_access', `${VIEWS}/${own.id}`);
    const { id } = await save(manager, { shared: true });
    for (const api of [agent, colleague, manager])
      assert.ok((await namesOf(api)).includes('New ones'));
    for (const answer of [
      await agent.patch(`/views/${id}`, { name: 'x' }),
      await agent.remove(`/views/${id}`),
    ])
      assertProblem(answer, 'insufficient_access', `${VIEWS}/${id}`);
    const changed = await manager.patch(`/views/${id}`, { shared: false });
    assert.deepEqual([changed.status, changed.body.shared], [200, false]);
    assert.deepEqual(await namesOf(agent), ['Own']);
    assert.deepEqual(await namesOf(manager), ['New ones']);
  });

  test('changes by a merge patch, with If-Match', async () => {
    const { agent } = await setUp();
    const { id } = await save(agent);
    const url = `/views/${id}`;
    const patch = (changes: object, headers = {}) => agent.patch(url, changes, headers);
    const { body } = await patch(
      { name: ' Hot  ones ', filter: { assignedTo: null, q: 'Smith' }, columns: null },
      { 'if-match': '"1"' },
    );
    const { owner: _owner, ...fields } = body;
    assert.deepEqual(fields, {
      ...NEW,
      id,
      name: 'Hot ones',
      filter: { stage: ['New'], q: 'Smith' },
      columns: null,
      shared: false,
      etag: '"2"',
    });
    assert.deepEqual((await agent.get('/views')).body.data, [body]);
    assert.deepEqual((await patch({ name: 'Hot ones' })).body, body);
    const stale = await patch({ name: 'x' }, { 'if-match': '"1"' });
    assertProblem(stale, 'precondition_failed', `/api/v1${url}`);
    assert.deepEqual(stale.body.current, body);
    assert.deepEqual((await patch({ filter: null, sort: null })).body.filter, {});
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) => patch({ name: `Name ${n}` }, { 'if-match': '"3"' })),
    );
    assert.equal(answers.filter(({ status }) => status === 200).length, 1);
    assertProblem(
      await agent.remove(url, { 'if-match': '"1"' }),
      'precondition_failed',
      `/api/v1${url}`,
    );
    assert.equal((await agent.remove(url, { 'if-match': '"4"' })).status, 204);
    assertProblem(await agent.remove(url), 'view_not_found', `/api/v1${url}`);
  });

  test('has a name that no other view has which one sees', async () => {
    const { agent, manager } = await setUp();
    await save(manager, { name: 'Shared', shared: true });
    await save(agent);
    for (const name of ['new  ONES', 'shared'])
      assertProblem(await agent.post('/views', { ...NEW, name }), 'name_taken', VIEWS);
    const { id } = await save(agent, { name: 'Other' });
    const taken = await agent.patch(`/views/${id}`, { name: 'Shared' });
    assertProblem(taken, 'name_taken', `${VIEWS}/${id}`);
    assert.equal((await agent.patch(`/views/${id}`, { name: 'OTHER' })).body.name, 'OTHER');
  });

  test('keeps its name when its owner sees another view of that name since, and can be changed otherwise', async () => {
    const { agent, manager } = await setUp();
    const { id } = await save(agent, { name: 'Hot' });
    await save(manager, { name: 'Hot', shared: true });
    const patch = (changes: object) => agent.patch(`/views/${id}`, changes);
    assert.equal((await patch({ filter: { stage: ['Lost'] } })).status, 200);
    assert.equal((await patch({ name: 'HOT' })).status, 200);
    const { id: other } = await save(manager, { name: 'Cold' });
    await save(agent, { name: 'Cold' });
    assert.equal((await manager.patch(`/views/${other}`, { shared: true })).status, 200);
  });

  test('has a filter that the list of contacts takes, and else is refused', async () => {
    const { agent } = await setUp();
    const { id } = await save(agent);
    for (const [pointer, fields] of [
      ['/filter/stage/0', { filter: { stage: ['Sold'] } }],
      ['/filter/stage', { filter: { stage: 'New' } }],
      ['/filter/colour', { filter: { colour: 'red' } }],
      ['/filter/createdAfter', { filter: { createdAfter: 'yesterday' } }],
      ['/filter/q', { filter: { q: 'x' } }],
      ['/filter/__proto__', JSON.parse('{"filter":{"__proto__":{"stage":["New"]}}}')],
      ['/filter', { filter: { tag: Array.from({ length: 100 }, () => 'x'.repeat(200)) } }],
      ['/sort', { sort: 'price' }],
      ['/name', { name: ' ' }],
      ['/name', { name: 'x'.repeat(101) }],
      ['/name', { name: null }],
      ['/columns/0/field', { columns: [{}] }],
      ['/shared', { shared: 'yes' }],
      ['/owner', { owner: null }],
    ] as [string, object][])
      for (const [url, answer] of [
        [VIEWS, await agent.post('/views', { ...NEW, name: 'Other', ...fields })],
        [`${VIEWS}/${id}`, await agent.patch(`/views/${id}`, fields)],
      ] as const) {
        assertProblem(answer, 'invalid_request', url);
        assert.equal(answer.body.errors[0].pointer, pointer, answer.text);
      }
    const projects = await agent.post('/views', { ...NEW, resource: 'projects' });
    assertProblem(projects, 'invalid_request', VIEWS);
    assertProblem(await agent.get('/views?resource=projects'), 'invalid_request', VIEWS);
    assert.equal((await agent.get('/views')).body.data[0].etag, '"1"');
  });

  test('of units takes the filter and the orders of their list', async () => {
    const { agent } = await setUp();
    const units = {
      resource: 'units',
      name: 'Large and free',
      filter: { status: ['Available'], bedrooms: [3, 4], priceMax: 900_000 },
      sort: '-price',
    };
    const { status, body, text } = await agent.post('/views', units);
    assert.equal(status, 201, text);
    assert.deepEqual([body.filter, body.sort], [units.filter, '-price']);
    for (const [pointer, fields] of [
      ['/filter/stage', { filter: { stage: ['New'] } }],
      ['/filter/status/0', { filter: { status: ['Sold'] } }],
      ['/sort', { sort: '-createdAt' }],
    ] as [string, object][]) {
      const answer = await agent.post('/views', { ...units, name: 'Other', ...fields });
      assertProblem(answer, 'invalid_request', VIEWS);
      assert.equal(answer.body.errors[0].pointer, pointer, answer.text);
    }
    const { body: list } = await agent.get('/views?resource=units');
    assert.deepEqual(list.data, [body]);
  });

  test('is one of at most 200, without the private ones of a person who was deactivated', async () => {
    const { agent, colleague, person, accountId } = await setUp();
    const owner = await person('owner');
    await run(
      db,
      `insert into views (account_id, id, resource, name, name_key, filter, shared, owner_type, owner_id)
        select $1, gen_random_uuid(), 'contacts', n, n, '{}', n = 1, 'user', $2
        from generate_series(1, 201) n`,
      [accountId, colleague.id],
    );
    assertProblem(await agent.post('/views', NEW), 'limit_reached', VIEWS);
    const deactivate = `/users/${colleague.id}/deactivate`;
    assert.equal((await owner.post(deactivate, { reassignTo: null })).status, 200);
    const { id } = await save(agent);
    assert.equal((await agent.remove(`/views/${id}`)).status, 204);
    await run(db, 'update views set shared = true where account_id = $1', [accountId]);
    assertProblem(await agent.post('/views', NEW), 'limit_reached', VIEWS);
  });

  test('filters by the tag into which its tag was merged', async () => {
    const { agent, colleague, manager } = await setUp();
    const makeTag = async (label: string) => (await manager.post('/tags', { label })).body.id;
    const [old, into, other] = [await makeTag('Hot'), await makeTag('Warm'), await makeTag('Cold')];
    const { id } = await save(agent, { filter: { tag: [other, old.toUpperCase(), into] } });
    const { id: untouched } = await save(colleague, { filter: { tag: [other] } });
    const { id: inbox } = await save(manager, { shared: true, filter: { tag: [old, 'none'] } });
    assert.equal((await manager.post(`/tags/${old}/merge`, { into })).status, 200);
    const show = async (api: Api, view: string) => {
      const { filter, etag } = (await api.get(`/views/${view}`)).body;
      return [filter.tag, etag];
    };
    assert.deepEqual(await show(agent, id), [[other, into], '"2"']);
    assert.deepEqual(await show(colleague, inbox), [[into, 'none'], '"2"']);
    assert.deepEqual(await show(colleague, untouched), [[other], '"1"']);
  });

  test('names nobody who was erased', async () => {
    const { agent, person, lead } = await setUp();
    const id = await lead({
      email: 'aroha@secret.example',
      name: 'Aroha Parata',
      phone: '+64 21 555 0142',
    });
    const searches = ['AROHA@secret.example', 'aroha parata', '021 555 0142', 'Parata', 'Arohanui'];
    searches.push('Parata, Aroha', 'aroha@sec', 'aro');
    for (const [index, q] of searches.entries())
      await save(agent, { name: `View ${index}`, filter: { q, stage: ['New'] } });
    await save(agent, { name: 'Call Aroha Parata' });
    const owner = await person('owner');
    assert.equal((await owner.remove(`/contacts/${id}`)).status, 204);
    const { data } = (await agent.get('/views')).body;
    const found = data.map(({ name, filter }: { name: string; filter: { q?: string } }) => [
      name,
      filter.q,
    ]);
    assert.deepEqual(found, [
      ['Erased', undefined],
      ['View 0', undefined],
      ['View 1', undefined],
      ['View 2', undefined],
      ['View 3', 'Parata'],
      ['View 4', 'Arohanui'],
      ['View 5', undefined],
      ['View 6', undefined],
      ['View 7', 'aro'],
    ]);
    assert.ok(
      data.every(({ filter }: { filter: { stage: string[] } }) => filter.stage[0] === 'New'),
    );
  });

  test('has no former name, email or phone of a person who was erased', async () => {
    const { agent, person, lead } = await setUp();
    const id = await lead({
      email: 'mere@secret.example',
      name: 'Mere Pou',
      phone: '021 555 0177',
    });
    const now = { email: 'mere@new.example', name: 'Mere Walker', phone: '021 555 0188' };
    assert.equal((await agent.patch(`/contacts/${id}`, now)).status, 200);
    await lead({ email: 'hana@old.example', name: 'Hana' });
    for (const q of ['mere@secret.example', 'mere pou', '0215550177', 'hana@old.example'])
      await save(agent, { name: `By ${q}`, filter: { q } });
    const owner = await person('owner');
    assert.equal((await owner.remove(`/contacts/${id}`)).status, 204);
    const { data } = (await agent.get('/views')).body;
    assert.deepEqual(
      data.map(({ filter }: { filter: { q?: string } }) => filter.q),
      ['hana@old.example', undefined, undefined, undefined],
    );
  });
});
