import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { testAccountsOf } from './support/test-accounts.ts';
import { LIVE, NOWHERE, OTHER_UNIT, UNIT } from './support/developer.ts';
import { readEvents } from './support/event-log.ts';
import { build } from './support/harness.ts';
import { assertProblem } from './support/problem.ts';

const service = await build({ after });
const makeAccount = testAccountsOf(service);
const UNITS = '/stock/units';
const BATCH = '/stock/units/batch';
const DRY = `${BATCH}?dryRun=true`;
const INSTANCE = `/api/v1${BATCH}`;

interface Unit {
  id: string;
  name: string;
  status: string;
  price: number | null;
  etag: string;
}

interface Row {
  index: number;
  id: string;
  changes: { field: string; from: unknown; to: unknown }[];
  etag: string | null;
  problem: { code: string; status: number; errors?: { pointer: string }[]; current?: Unit } | null;
}

/** An account whose live project has these units beside its own. */
async function setUp(count = 3) {
  const account = await makeAccount();
  const api = await account.program('projects:write', 'stock:read', 'events:read');
  const sent = Array.from({ length: count }, (_, n) => ({
    name: `Lot ${n + 1}`,
    status: 'Available',
    unitType: 'Apartment',
    price: 849_000 + n,
  }));
  const { body, text } = await api.post(`/stock/projects/${LIVE}/units`, { units: sent });
  assert.equal(body.data?.length, count, text);
  const units = body.data as Unit[];
  const all = async (): Promise<Unit[]> => {
    const found: Unit[] = [];
    for (let cursor = ''; ;) {
      const { body: page } = await api.get(`${UNITS}?limit=500${cursor}`);
      found.push(...page.data);
      if (page.pagination.nextCursor === null) return found;
      cursor = `&cursor=${page.pagination.nextCursor}`;
    }
  };
  const stocklist = async () => (await api.get('/stocklist?limit=100')).body.projects;
  /** Everything that a request could change. */
  const state = async () => [
    await all(),
    await stocklist(),
    await readEvents(service.db, account.accountId),
  ];
  return { ...account, api, units, all, stocklist, state };
}

const problemsOf = (rows: Row[]) =>
  rows.flatMap(({ index, problem }) => (problem ? [[index, problem.code]] : []));

describe('POST /stock/units/batch', () => {
  test('raises prices by per cent with rounding: a dry run shows old and new, and stores nothing', async () => {
    const { api, units, state, all, stocklist } = await setUp();
    const change = {
      filter: { status: ['Available'], priceMin: 1 },
      adjust: { price: { percent: 2.5, roundTo: 1_000 } },
    };
    const before = await state();
    const dry = await api.post(DRY, change);
    assert.equal(dry.status, 200, dry.text);
    assert.deepEqual(dry.body.summary, { changed: 3, unchanged: 0, refused: 0 });
    assert.deepEqual(
      dry.body.results.map(({ index, id, changes, etag, problem }: Row) => [
        index,
        id,
        changes,
        etag,
        problem,
      ]),
      units.map(({ id, price, etag }, index) => [
        index,
        id,
        [{ field: 'price', from: price, to: 870_000 }],
        etag,
        null,
      ]),
    );
    assert.deepEqual(await state(), before);
    const { body } = await api.post(BATCH, change);
    assert.deepEqual(body.summary, dry.body.summary);
    assert.deepEqual(
      body.results.map(({ etag }: Row) => etag),
      ['"2"', '"2"', '"2"'],
    );
    const priced = (await all()).filter(({ price }) => price !== null);
    assert.deepEqual(
      priced.map(({ price, etag }) => [price, etag]),
      units.map(() => [870_000, '"2"']),
    );
    const [project] = await stocklist();
    assert.deepEqual(
      project.units.map(({ price }: Unit) => price),
      [null, 870_000, 870_000, 870_000],
    );
  });

  test('stores what a dry run has shown, or nothing when somebody was faster', async () => {
    const { api, units, state } = await setUp();
    const { body: dry } = await api.post(DRY, {
      filter: { priceMin: 1 },
      adjust: { price: { amount: 1_000 } },
    });
    const changes = dry.results.map(({ id, etag, changes: fields }: Row) => ({
      id,
      ifMatch: etag,
      set: Object.fromEntries(fields.map(({ field, to }) => [field, to])),
    }));
    await api.patch(`${UNITS}/${units[1]?.id}`, { status: 'Reserved' });
    const before = await state();
    const problem = assertProblem(await api.post(BATCH, { changes }), 'batch_refused', INSTANCE);
    const rows = problem.results as unknown as Row[];
    assert.deepEqual(problemsOf(rows), [[1, 'precondition_failed']]);
    assert.equal(rows[1]?.problem?.current?.status, 'Reserved');
    assert.deepEqual(await state(), before);
    const some = await api.post(BATCH, { atomic: false, changes });
    assert.deepEqual(some.body.summary, { changed: 2, unchanged: 0, refused: 1 });
    assert.deepEqual(problemsOf(some.body.results), [[1, 'precondition_failed']]);
  });

  test('changes a thousand units at once, with one tick of the clock; one stale row of them, or a filter that matches more, stores nothing', async () => {
    const { api, units, state, stocklist, accountId } = await setUp(1_000);
    const rows = units.map(({ id, etag }, n) => ({
      id,
      ifMatch: etag,
      set: { price: n, status: 'Reserved' },
    }));
    const stale = rows.map((row, n) => (n === 500 ? { ...row, ifMatch: '"7"' } : row));
    const before = await state();
    const problem = assertProblem(
      await api.post(BATCH, { changes: stale }),
      'batch_refused',
      INSTANCE,
    );
    assert.deepEqual(problemsOf(problem.results as unknown as Row[]), [
      [500, 'precondition_failed'],
    ]);
    // The account has other units, too.
    const tooMany = await api.post(BATCH, { filter: {}, set: { status: 'Settled' } });
    const { errors } = assertProblem(tooMany, 'invalid_request', INSTANCE);
    assert.equal(errors?.[0] && 'pointer' in errors[0] && errors[0].pointer, '/filter');
    assert.deepEqual(await state(), before);
    const [project] = await stocklist();
    const events = (await readEvents(service.db, accountId)).length;
    const { status, body, text } = await api.post(BATCH, { changes: rows });
    assert.equal(status, 200, text);
    assert.deepEqual(body.summary, { changed: 1_000, unchanged: 0, refused: 0 });
    const [changed, other] = await stocklist();
    assert.equal(changed.units.length, 1_001);
    assert.ok(changed.updatedAt > project.updatedAt);
    assert.ok(other.updatedAt < project.updatedAt);
    // Each unit is updated, and gets another status and another price.
    assert.equal((await readEvents(service.db, accountId)).length, events + 3_000);
  });

  test('names each row that is refused: unknown, not valid, twice, below a price of 0', async () => {
    const { api, units, state } = await setUp();
    const [one, two, three] = units.map(({ id }) => id);
    const changes = [
      { id: one, set: { price: 1 } },
      { id: NOWHERE, set: { price: 1 } },
      { id: 'x', set: { price: 1 } },
      { id: two, set: { status: 'Sold', price: -1 } },
      { id: one, set: { price: 2 } },
      { id: three, set: {} },
    ];
    const before = await state();
    const problem = assertProblem(await api.post(BATCH, { changes }), 'batch_refused', INSTANCE);
    const dry = await api.post(DRY, { changes });
    assert.equal(dry.status, 200);
    for (const rows of [problem.results as unknown as Row[], dry.body.results]) {
      assert.deepEqual(problemsOf(rows), [
        [1, 'unit_not_found'],
        [2, 'unit_not_found'],
        [3, 'invalid_request'],
        [4, 'invalid_request'],
      ]);
      assert.deepEqual(
        rows[3].problem.errors.map(({ pointer }: { pointer: string }) => pointer),
        ['/set/status', '/set/price'],
      );
      assert.match(rows[3].problem.detail, /^set\/status must .* set\/price must be at least 0\.$/);
    }
    assert.deepEqual(dry.body.summary, { changed: 1, unchanged: 1, refused: 4 });
    assert.deepEqual(await state(), before);
    const some = await api.post(BATCH, { changes, atomic: false });
    assert.deepEqual([some.status, some.body.summary], [200, dry.body.summary]);
    const below = { ids: [one, two], adjust: { price: { amount: -500_000 } } };
    const { results } = assertProblem(await api.post(BATCH, below), 'batch_refused', INSTANCE);
    assert.deepEqual(problemsOf(results as unknown as Row[]), [[0, 'invalid_request']]);
  });

  test('changes units alike by ids, in several projects, and leaves those without a price', async () => {
    const { api, units, stocklist } = await setUp(1);
    const ids = [units[0]?.id, UNIT, OTHER_UNIT];
    const change = { ids, set: { status: 'On Hold' }, adjust: { price: { percent: -10 } } };
    const { body } = await api.post(BATCH, change);
    assert.deepEqual(body.summary, { changed: 3, unchanged: 0, refused: 0 });
    assert.deepEqual(
      body.results.map(({ changes }: Row) => changes.map(({ field }) => field)),
      [['status', 'price'], ['status'], ['status']],
    );
    const times = (await stocklist()).map(({ updatedAt }: { updatedAt: string }) => updatedAt);
    assert.equal(new Set(times).size, times.length);
    const again = await api.post(BATCH, { ids: [UNIT], set: { status: 'On Hold' } });
    assert.deepEqual(again.body.summary, { changed: 0, unchanged: 1, refused: 0 });
  });

  test('says what is wrong with a request', async () => {
    const { api, units } = await setUp(1);
    const ids = units.map(({ id }) => id);
    const changes = [{ id: ids[0], set: { price: 1 } }];
    const price = { percent: 1 };
    const wrong: [object, string][] = [
      [{ set: { price: 1 } }, '/changes'],
      [{ ids, filter: {}, set: { price: 1 } }, '/changes'],
      [{ ids }, '/set'],
      [{ changes, set: { price: 1 } }, '/set'],
      [{ ids, set: { price: 'x' } }, '/set/price'],
      [{ ids, set: { sold: true } }, '/set/sold'],
      [{ filter: { status: 'Available' }, set: { price: 1 } }, '/filter/status'],
      [{ filter: { stage: ['New'] }, set: { price: 1 } }, '/filter/stage'],
      [{ ids, adjust: { price: {} } }, '/adjust/price'],
      [{ ids, adjust: { price: { percent: 1, amount: 1 } } }, '/adjust/price'],
      [{ ids, adjust: { price: { percent: 1, roundTo: 0 } } }, '/adjust/price/roundTo'],
      [{ ids, adjust: { price }, set: { price: 1 } }, '/adjust/price'],
      [{ ids: [], adjust: { price } }, '/ids'],
      [{ changes: [{ id: ids[0] }] }, '/changes/0/set'],
      [{ changes: Array(1_001).fill(changes[0]) }, '/changes'],
    ];
    for (const [body, pointer] of wrong) {
      const { errors } = assertProblem(await api.post(BATCH, body), 'invalid_request', INSTANCE);
      assert.deepEqual(
        errors?.map((fault) => 'pointer' in fault && fault.pointer),
        [pointer],
        JSON.stringify(body).slice(0, 200),
      );
    }
    assertProblem(await api.post(`${BATCH}?dryrun=true`, { changes }), 'invalid_request', INSTANCE);
  });

  test('gives a repeat with the same Idempotency-Key the first answer', async () => {
    const { api } = await setUp();
    const send = () =>
      api.post(
        BATCH,
        { filter: { priceMin: 1 }, adjust: { price: { amount: 1 } } },
        { 'idempotency-key': 'batch-1' },
      );
    const [first, second] = [await send(), await send()];
    assert.deepEqual(second.body, first.body);
    assert.equal(second.headers['idempotent-replayed'], 'true');
  });

  test('lets one of 20 equal batches win', async () => {
    const { api, units } = await setUp();
    const batch = (price: number) => ({
      changes: units.map(({ id, etag }) => ({ id, ifMatch: etag, set: { price } })),
    });
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => api.post(BATCH, batch(n))),
    );
    assert.equal(answers.filter(({ status }) => status === 200).length, 1);
    assert.equal(answers.filter(({ status }) => status === 409).length, 19);
  });

  test('refuses an agent', async () => {
    const { person } = await setUp(1);
    const agent = await person('agent');
    assertProblem(
      await agent.post(BATCH, { ids: [UNIT], set: { status: 'On Hold' } }),
      'insufficient_access',
      INSTANCE,
    );
  });
});
