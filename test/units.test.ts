import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { testAccountsOf } from './support/test-accounts.ts';
import { DRAFT, LIVE, NOWHERE, UNIT, WITHDRAWN_UNIT } from './support/developer.ts';
import { readChanges, readEvents } from './support/event-log.ts';
import { build } from './support/harness.ts';
import { assertProblem } from './support/problem.ts';

const service = await build({ after });
const makeAccount = testAccountsOf(service);
const UNITS = '/stock/units';
const OF_LIVE = `/stock/projects/${LIVE}/units`;

interface Unit {
  id: string;
  name: string;
  status: string;
  price: number | null;
  position: number;
  updatedAt: string;
  etag: string;
}

interface Change {
  field: string;
  before: unknown;
  after: unknown;
  actor: { type: string };
}

/** An account, somebody who sells in it, and its website. */
async function setUp() {
  const account = await makeAccount();
  const api = await account.program('projects:write', 'stock:read', 'events:read');
  const list = async (query = ''): Promise<Unit[]> => (await api.get(`${UNITS}${query}`)).body.data;
  const stocklist = async () => {
    const { body } = await api.get('/stocklist?limit=100');
    return body.projects as { id: string; updatedAt: string; units: Unit[] }[];
  };
  const create = async (units: object[]): Promise<Unit[]> => {
    const { status, body, text } = await api.post(OF_LIVE, { units });
    assert.equal(status, 201, text);
    return body.data;
  };
  return { ...account, api, list, stocklist, create };
}

const makeUnits = (count: number, more: (n: number) => object = () => ({})) =>
  Array.from({ length: count }, (_, n) => ({
    name: `Lot ${n + 1}`,
    status: 'Available',
    price: 100_000 * (n + 1),
    ...more(n),
  }));

const unitOf = (name: string) => ({
  name,
  lotNumber: `Lot ${name}`,
  status: name.endsWith('2') ? 'Settled' : 'Available',
});

/** Three projects, created and filled in an order other than that of their names, so that their units have the same positions. */
async function openProjects() {
  const account = await setUp();
  const { api, list } = account;
  const projects: Record<string, string> = {};
  for (const [letter, count] of [
    ['c', 3],
    ['a', 3],
    ['b', 2],
  ] as const) {
    const made = await api.post('/stock/projects', { name: `${letter} place`, slug: letter });
    projects[letter] = made.body.id;
    const units = Array.from({ length: count }, (_, n) => unitOf(`${letter}${n + 1}`));
    await api.post(`/stock/projects/${made.body.id}/units`, { units });
  }
  const own = `project=${Object.values(projects).join(',')}`;
  /** Reads all pages of two units. `between` runs before each page but the first. */
  async function walk(query: string, between?: (page: number) => Promise<void>): Promise<string[]> {
    const names: string[] = [];
    for (let [page, cursor] = [0, '']; ; page += 1) {
      if (page > 0) await between?.(page);
      const { body, text } = await api.get(`${UNITS}?${own}&${query}&limit=2${cursor}`);
      assert.ok(body.data, text);
      names.push(...body.data.map(({ name }: Unit) => name));
      if (!body.pagination.hasNextPage) return names;
      cursor = `&cursor=${body.pagination.nextCursor}`;
    }
  }
  const idOf = async (name: string) =>
    (await list(`?${own}&limit=500`)).find((unit) => unit.name === name)?.id;
  return { ...account, projects, walk, idOf };
}

describe('GET /stock/units', () => {
  test('lists the units of all projects, drafts and withdrawn ones too, in their order', async () => {
    const { list, api } = await setUp();
    const units = await list('?count=true');
    assert.equal(units.length, 4);
    assert.ok(units.some(({ id }) => id === WITHDRAWN_UNIT));
    const { body } = await api.get(`/stock/projects/${DRAFT}/units`);
    assert.deepEqual(
      body.data.map(({ name }: Unit) => name),
      ['1A'],
    );
    assertProblem(
      await api.get(`/stock/projects/${NOWHERE}/units`),
      'project_not_found',
      `/api/v1/stock/projects/${NOWHERE}/units`,
    );
  });

  test('finds units by each filter', async () => {
    const { create, list } = await setUp();
    await create([
      {
        name: 'Tōtara 3.07',
        status: 'Reserved',
        unitType: 'Townhouse',
        bedrooms: 2,
        level: 3,
        price: 500,
      },
      {
        name: 'Studio',
        lotNumber: 'Lot 27A',
        status: 'On Hold',
        bedrooms: 0,
        level: 'Ground',
        price: 300,
      },
      { name: 'O’Brien House', status: 'Settled', price: 1 },
      { name: 'OBrien House', status: 'Settled', price: 1 },
    ]);
    const names = async (query: string) =>
      (await list(`?${query}`)).map(({ name }) => name).toSorted();
    const wanted: [string, string[]][] = [
      ['status=Reserved', ['Tōtara 3.07']],
      ['status=Reserved,On Hold', ['Studio', 'Tōtara 3.07']],
      ['unitType=Townhouse', ['Tōtara 3.07']],
      ['unitType=Townhouse,none&status=Reserved,On Hold', ['Studio', 'Tōtara 3.07']],
      ['bedrooms=0', ['Studio']],
      ['bedrooms=2,none&status=Reserved', ['Tōtara 3.07']],
      ['level=3', ['Tōtara 3.07']],
      ['level=Ground,3', ['Studio', 'Tōtara 3.07']],
      ['lotNumber=lot 27a', ['Studio']],
      ['lotNumber=LOT 27A,27', ['Studio']],
      ['lotNumber=27a,307', []],
      ['lotNumber=none&status=Reserved', ['Tōtara 3.07']],
      ['priceMin=300&priceMax=499.5', ['Studio']],
      ['priceMin=301', ['Tōtara 3.07']],
      ['q=totara', ['Tōtara 3.07']],
      ['q=27a', ['Studio']],
      ['q=s', ['Studio']],
      ['q=lot%2027', ['Studio']],
      ['q=lot%20tot', []],
      ...["O'Brien", 'o’brien', 'obrien'].map((q): [string, string[]] => [
        `q=${encodeURIComponent(q)}`,
        ['OBrien House', 'O’Brien House'],
      ]),
      [`project=${LIVE}&status=Withdrawn`, ['1B']],
      [`project=none`, []],
      ['updated_since=2099-01-01T00:00:00Z', []],
    ];
    for (const [query, expected] of wanted) assert.deepEqual(await names(query), expected, query);
    const byId = await list(`?unit=${UNIT},${NOWHERE},x`);
    assert.deepEqual(
      byId.map(({ id }) => id),
      [UNIT],
    );
  });

  test('sorts by position, price, name and change, units without a price last', async () => {
    const { create, list } = await setUp();
    await create([
      { name: 'b', status: 'Available', price: 2 },
      { name: 'A', status: 'Available', price: 3 },
      { name: 'c', status: 'Available' },
    ]);
    const sorted = async (sort: string) =>
      (await list(`?project=${LIVE}&status=Available&sort=${sort}`)).map(({ name }) => name);
    assert.deepEqual(await sorted('position'), ['1A', 'b', 'A', 'c']);
    assert.deepEqual(await sorted('-position'), ['c', 'A', 'b', '1A']);
    assert.deepEqual((await sorted('price')).slice(0, 2), ['b', 'A']);
    assert.deepEqual((await sorted('-price')).slice(0, 2), ['A', 'b']);
    assert.deepEqual(await sorted('name'), ['1A', 'A', 'b', 'c']);
    assert.equal((await sorted('updatedAt'))[0], '1A');
  });

  test('walks every order page by page, without a repeat or a gap', async () => {
    const { create, api } = await setUp();
    await create(makeUnits(9, (n) => ({ price: n % 3 === 0 ? null : n % 2 })));
    for (const sort of [
      'position',
      '-position',
      'project',
      '-project',
      'price',
      '-price',
      'name',
      '-name',
      'updatedAt',
      '-updatedAt',
    ])
      for (const filter of ['', '&q=lot']) {
        const { body: all } = await api.get(`${UNITS}?sort=${sort}${filter}&limit=500&count=true`);
        assert.equal(all.pagination.limit, 500);
        assert.equal(all.pagination.totalCount, all.data.length);
        const walked: Unit[] = [];
        for (let cursor = ''; ;) {
          const { body } = await api.get(`${UNITS}?sort=${sort}${filter}&limit=2${cursor}`);
          walked.push(...body.data);
          if (!body.pagination.hasNextPage) break;
          cursor = `&cursor=${body.pagination.nextCursor}`;
        }
        assert.deepEqual(walked, all.data, sort);
      }
  });

  test('sort=project has all units of a project in their order, then the next project by name', async () => {
    const { api, walk } = await openProjects();
    const expected = ['a1', 'a2', 'a3', 'b1', 'b2', 'c1', 'c2', 'c3'];
    assert.deepEqual(await walk('sort=project'), expected);
    assert.deepEqual(await walk('sort=-project'), expected.toReversed());
    assert.deepEqual(await walk('sort=project&status=Available'), ['a1', 'a3', 'b1', 'c1', 'c3']);
    assert.deepEqual(await walk('sort=project&q=lot'), expected);
    assert.deepEqual(await walk('sort=-project&q=lot'), expected.toReversed());
    const { body } = await api.get(`${UNITS}?sort=project&limit=2`);
    const cursor = body.pagination.nextCursor as string;
    const [own, , id] = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    for (const value of ['b', 7, null, '[]', '["b",7,0]', `["b","${id}",0.5]`]) {
      const forged = Buffer.from(JSON.stringify([own, value, id])).toString('base64url');
      const answer = await api.get(`${UNITS}?sort=project&cursor=${forged}`);
      assertProblem(answer, 'cursor_invalid', `/api/v1${UNITS}`);
    }
  });

  test('sort=project skips and repeats no unit that stays in its place, while others come, go and move', async () => {
    const { api, walk, projects, idOf } = await openProjects();
    const found = await walk('sort=project', async (page) => {
      // The walk has shown a1 and a2, and then a3 and b1.
      if (page === 1) {
        await api.remove(`${UNITS}/${await idOf('a2')}`);
        await api.post(`/stock/projects/${projects['a']}/units`, { units: [unitOf('a4')] });
        await api.patch(`/stock/projects/${projects['c']}`, { name: 'A new first' });
      }
      if (page === 2) await api.patch(`/stock/projects/${projects['b']}`, { name: 'B, renamed' });
    });
    // A renamed project moves with its units, as a renamed unit does in the order of names.
    assert.deepEqual(found, ['a1', 'a2', 'a3', 'a4', 'b1', 'b2']);
  });

  test('names a filter that is wrong', async () => {
    const { api } = await setUp();
    for (const query of [
      'status=Sold',
      'bedrooms=two',
      'priceMin=-1',
      'priceMax=much',
      'unitType=Barn',
      'q=',
      'sort=level',
      'project=',
    ]) {
      const answer = await api.get(`${UNITS}?${query}`);
      if (query === 'project=') assert.deepEqual(answer.body.data, []);
      else assertProblem(answer, 'invalid_request', '/api/v1/stock/units');
    }
    const url = `${UNITS}?cursor=`;
    for (const value of [2 ** 40, 'x', null, true]) {
      const { body } = await api.get(`${UNITS}?limit=1`);
      const [fingerprint, , id] = JSON.parse(
        Buffer.from(body.pagination.nextCursor, 'base64url').toString(),
      );
      const cursor = Buffer.from(JSON.stringify([fingerprint, value, id])).toString('base64url');
      assertProblem(await api.get(url + cursor), 'cursor_invalid', '/api/v1/stock/units');
    }
  });
});

describe('POST /stock/projects/:id/units', () => {
  test('creates a unit after the others, and the stocklist shows it at the next request', async () => {
    const { api, stocklist, accountId } = await setUp();
    await stocklist();
    const sent = {
      name: '3.07',
      status: 'Available',
      lotNumber: 27,
      price: 849_000,
      aspect: ' ',
      floorPlanImage: { key: 'plans/307.png', alt: 'Two bedrooms' },
    };
    const { status, body, headers } = await api.post(OF_LIVE, sent);
    assert.equal(status, 201);
    assert.equal(headers['location'], `/api/v1/stock/units/${body.id}`);
    assert.equal(headers['etag'], body.etag);
    const { id, projectId, position, lotNumber, aspect, floorPlanImage } = body;
    assert.deepEqual([projectId, position, lotNumber, aspect], [LIVE, 2, 27, null]);
    assert.deepEqual(floorPlanImage, {
      key: 'plans/307.png',
      url: 'https://media.example.com/offplan/plans/307.png',
      alt: 'Two bedrooms',
    });
    const [project] = await stocklist();
    assert.equal(project?.id, LIVE);
    assert.deepEqual(
      project.units.map((unit) => unit.id),
      [UNIT, id],
    );
    const created = (await readEvents(service.db, accountId)).filter(
      (event) => event.subject === id,
    );
    assert.deepEqual(
      created.map(({ type }) => type),
      ['unit.created'],
    );
    const { body: shown } = await api.get(`${UNITS}/${id}`);
    assert.deepEqual(shown, body);
    const { body: events } = await api.get(`/events?subject=${id}&include=object`);
    assert.deepEqual(events.data[0].object, body);
  });

  test('creates a thousand units of all fields, or none', async () => {
    const { api, list, stocklist } = await setUp();
    const full = {
      lotNumber: 'Lot 1',
      unitType: 'Apartment',
      level: 3,
      bedrooms: 2,
      bathrooms: 1,
      carSpaces: 1,
      aspect: 'North',
      internalAreaSqm: 70,
      externalAreaSqm: 10,
      landAreaSqm: 0,
      priceDisplay: '$1',
      currency: 'NZD',
    };
    const units = makeUnits(1_000, () => full);
    const before = await stocklist();
    const wrong = [...units.slice(0, -1), { name: 'x', status: 'Sold' }];
    const problem = assertProblem(
      await api.post(OF_LIVE, { units: wrong }),
      'invalid_request',
      `/api/v1${OF_LIVE}`,
    );
    assert.deepEqual(
      problem.errors?.map((fault) => 'pointer' in fault && fault.pointer),
      ['/units/999/status'],
    );
    assert.deepEqual(await stocklist(), before);
    const { status, body } = await api.post(OF_LIVE, { units });
    assert.deepEqual([status, body.data.length], [201, 1_000]);
    assert.deepEqual(
      body.data.map(({ name }: Unit) => name),
      units.map(({ name }) => name),
    );
    assert.equal((await list('?limit=500&q=lot')).length, 500);
  });

  test('needs a name and a status, and takes no other member', async () => {
    const { api } = await setUp();
    const wrong: [object, string[]][] = [
      [{ name: 'x' }, ['/status']],
      [{ status: 'Available' }, ['/name']],
      [{ name: ' ', status: 'Available' }, ['/name']],
      [{ name: 'x', status: 'Available', position: 1 }, ['/position']],
      [{ name: 'x', status: 'Available', price: -1 }, ['/price']],
      [{ units: [] }, ['/units']],
      [{ units: [{ name: 'x', status: 'Available' }], name: 'x' }, ['/name']],
    ];
    for (const [body, pointers] of wrong) {
      const { errors } = assertProblem(
        await api.post(OF_LIVE, body),
        'invalid_request',
        `/api/v1${OF_LIVE}`,
      );
      assert.deepEqual(
        errors?.map((fault) => 'pointer' in fault && fault.pointer),
        pointers,
      );
    }
    assertProblem(
      await api.post(`/stock/projects/${NOWHERE}/units`, { name: 'x', status: 'Available' }),
      'project_not_found',
      `/api/v1/stock/projects/${NOWHERE}/units`,
    );
  });

  test('creates nothing twice with one Idempotency-Key', async () => {
    const { api, list } = await setUp();
    const send = () =>
      api.post(OF_LIVE, { name: 'x', status: 'Available' }, { 'idempotency-key': 'unit-1' });
    const [first, second] = [await send(), await send()];
    assert.deepEqual(second.body, first.body);
    assert.equal(second.headers['idempotent-replayed'], 'true');
    assert.equal(second.headers['location'], first.headers['location']);
    assert.equal((await list()).length, 5);
  });
});

describe('PATCH /stock/units/:id', () => {
  test('changes a unit, and its history says who changed what', async () => {
    const { api, accountId, stocklist } = await setUp();
    const url = `${UNITS}/${UNIT}`;
    await stocklist();
    const { body } = await api.patch(url, { price: 865_000, status: 'Reserved', aspect: 'North' });
    assert.deepEqual([body.price, body.status, body.aspect], [865_000, 'Reserved', 'North']);
    const [project] = await stocklist();
    assert.deepEqual([project?.id, project?.units[0]?.price], [LIVE, 865_000]);
    const { body: emptied } = await api.patch(url, { aspect: null });
    assert.equal(emptied.aspect, null);
    const types = (await readEvents(service.db, accountId))
      .filter(({ subject }) => subject === UNIT)
      .map(({ type, data }) => [type, data['from'], data['to']]);
    assert.deepEqual(types.slice(1), [
      ['unit.updated', undefined, undefined],
      ['unit.status_changed', 'Available', 'Reserved'],
      ['unit.price_changed', null, 865_000],
      ['unit.updated', undefined, undefined],
    ]);
    const { body: changes } = await api.get(`${url}/changes?field=price,aspect`);
    assert.deepEqual(
      changes.data.map(({ field, before, after: to, actor }: Change) => [
        field,
        before,
        to,
        actor.type,
      ]),
      [
        ['aspect', 'North', null, 'key'],
        ['aspect', null, 'North', 'key'],
        ['price', null, 865_000, 'key'],
      ].toSorted((a, b) => Number(b[1] === 'North') - Number(a[1] === 'North')),
    );
  });

  test('that changes nothing makes no version, no event and no tick of the clock', async () => {
    const { api, accountId, stocklist } = await setUp();
    const [before, events] = [await stocklist(), await readEvents(service.db, accountId)];
    const { body: shown } = await api.get(`${UNITS}/${UNIT}`);
    const { status, body } = await api.patch(`${UNITS}/${UNIT}`, {
      status: 'Available',
      aspect: '',
    });
    assert.deepEqual([status, body], [200, shown]);
    assert.deepEqual(await stocklist(), before);
    assert.deepEqual(await readEvents(service.db, accountId), events);
  });

  test('lets exactly one of 50 equal edits win in each round', async () => {
    const { api, accountId } = await setUp();
    const url = `${UNITS}/${UNIT}`;
    for (let round = 1; round <= 3; round += 1) {
      const { body } = await api.get(url);
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, n) =>
          api.patch(url, { price: round * 1_000 + n }, { 'if-match': body.etag }),
        ),
      );
      const [winner, ...others] = answers.filter(({ status }) => status === 200);
      assert.deepEqual(others, []);
      const lost = answers.filter((answer) => answer !== winner);
      for (const answer of lost) {
        const problem = assertProblem(answer, 'precondition_failed', `/api/v1${url}`);
        assert.deepEqual(problem.current, winner?.body);
      }
    }
    assert.equal((await readChanges(service.db, accountId, UNIT)).length, 4);
  });

  test('refuses a price that would be stored as another value, and names a string only for fields that can be one', async () => {
    const { api } = await setUp();
    const { status, body } = await api.patch(`${UNITS}/${UNIT}`, '{"price":900719925474099.31}', {
      'content-type': 'application/json',
    });
    assert.equal(status, 400);
    assert.match(body.errors[0].detail, /, or as a string where the field can be one\.$/);
  });

  test('refuses a field that is unknown or cannot be written', async () => {
    const { api } = await setUp();
    for (const body of [
      { projectId: DRAFT },
      { position: 3 },
      { sold: true },
      { name: null },
      { status: null },
    ]) {
      const answer = await api.patch(`${UNITS}/${UNIT}`, body);
      const problem = assertProblem(answer, 'invalid_request', `/api/v1${UNITS}/${UNIT}`);
      assert.equal(problem.errors?.length, 1, 'each wrong value is named once');
    }
  });
});

describe('an agent', () => {
  test('puts a unit on hold and frees it, and may change nothing else', async () => {
    const { person, list } = await setUp();
    const agent = await person('agent');
    const url = `${UNITS}/${UNIT}`;
    for (const status of ['On Hold', 'Reserved', 'Available']) {
      const answer = await agent.patch(url, { status });
      assert.deepEqual([answer.status, answer.body.status], [200, status], answer.text);
    }
    const before = await list();
    for (const body of [
      { price: 1 },
      { status: 'On Hold', price: 1 },
      { status: 'Settled' },
      { status: 'Withdrawn' },
      { name: 'x' },
    ]) {
      const problem = assertProblem(
        await agent.patch(url, body),
        'insufficient_access',
        `/api/v1${url}`,
      );
      assert.equal(problem.requiredScope, 'projects:write');
    }
    const withdrawn = await agent.patch(`${UNITS}/${WITHDRAWN_UNIT}`, { status: 'Available' });
    assertProblem(withdrawn, 'insufficient_access', `/api/v1${UNITS}/${WITHDRAWN_UNIT}`);
    assertProblem(
      await agent.post(OF_LIVE, { name: 'x', status: 'Available' }),
      'insufficient_access',
      `/api/v1${OF_LIVE}`,
    );
    assert.deepEqual(await list(), before);
  });

  test('who only reads cannot put a unit on hold', async () => {
    const { person, program } = await setUp();
    const viewer = await person('viewer');
    assert.equal((await viewer.get(`${UNITS}/${UNIT}`)).status, 200);
    const reader = await program('projects:read');
    for (const api of [viewer, reader])
      assertProblem(
        await api.patch(`${UNITS}/${UNIT}`, { status: 'On Hold' }),
        'insufficient_access',
        `/api/v1${UNITS}/${UNIT}`,
      );
  });
});

describe('DELETE /stock/units/:id', () => {
  test('removes a unit that nobody is linked to', async () => {
    const { api, stocklist, accountId } = await setUp();
    await stocklist();
    const url = `${UNITS}/${UNIT}`;
    assertProblem(
      await api.remove(url, { 'if-match': '"9"' }),
      'precondition_failed',
      `/api/v1${url}`,
    );
    assert.equal((await api.remove(url)).status, 204);
    assertProblem(await api.get(url), 'unit_not_found', `/api/v1${url}`);
    assertProblem(await api.remove(url), 'unit_not_found', `/api/v1${url}`);
    const [project] = await stocklist();
    assert.deepEqual([project?.id, project?.units], [LIVE, []]);
    const events = await readEvents(service.db, accountId);
    assert.equal(events.at(-1)?.type, 'unit.deleted');
  });

  test('answers 409 when a contact is linked to the unit, and says how many', async () => {
    const { api, lead, stocklist } = await setUp();
    await lead({ email: 'ana@example.com', projectId: LIVE, unitId: UNIT });
    const before = await stocklist();
    const problem = assertProblem(
      await api.remove(`${UNITS}/${UNIT}`),
      'in_use',
      `/api/v1${UNITS}/${UNIT}`,
    );
    assert.equal(problem.title, 'It is in use and cannot be deleted');
    assert.deepEqual(problem.references, { contacts: 1 });
    assert.deepEqual(await stocklist(), before);
  });
});

describe('PUT /stock/projects/:id/units/order', () => {
  test('puts all units of the project in another order, and the stocklist shows it', async () => {
    const { api, create, stocklist, list } = await setUp();
    const [one, two] = await create(makeUnits(2));
    assert.ok(one && two);
    await stocklist();
    const unitIds = [two.id, WITHDRAWN_UNIT, one.id, UNIT];
    assert.equal((await api.put(`${OF_LIVE}/order`, { unitIds })).status, 204);
    assert.deepEqual(
      (await list(`?project=${LIVE}`)).map(({ id }) => id),
      unitIds,
    );
    const [project] = await stocklist();
    assert.deepEqual(
      project?.units.map(({ id }) => id),
      [two.id, one.id, UNIT],
    );
    const before = await stocklist();
    assert.equal((await api.put(`${OF_LIVE}/order`, { unitIds })).status, 204);
    assert.deepEqual(await stocklist(), before);
  });

  test('answers 409 unless each unit is there once', async () => {
    const { api, list } = await setUp();
    const before = await list();
    for (const unitIds of [
      [],
      [UNIT],
      [UNIT, UNIT],
      [UNIT, WITHDRAWN_UNIT, UNIT],
      [UNIT, NOWHERE],
      [UNIT, WITHDRAWN_UNIT, 'x'],
    ])
      assertProblem(
        await api.put(`${OF_LIVE}/order`, { unitIds }),
        'not_the_same_units',
        `/api/v1${OF_LIVE}/order`,
      );
    const stale = await api.put(
      `${OF_LIVE}/order`,
      { unitIds: [WITHDRAWN_UNIT, UNIT] },
      { 'if-match': '"99"' },
    );
    assertProblem(stale, 'precondition_failed', `/api/v1${OF_LIVE}/order`);
    assert.deepEqual(await list(), before);
  });
});
