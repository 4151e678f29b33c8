import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { testAccountsOf } from './support/test-accounts.ts';
import { LIVE, OTHER_LIVE } from './support/developer.ts';
import { build } from './support/harness.ts';
import { assertProblem } from './support/problem.ts';

const service = await build({ after });
const makeAccount = testAccountsOf(service);
const UNITS = '/exports/units';

/** A developer with more units than one part of an export has, and a program that reads them. */
async function setUp() {
  const { program, person } = await makeAccount();
  const api = await program('projects:write');
  const units = Array.from({ length: 1_000 }, (_, n) => ({
    name: n === 0 ? '=1+1' : `Lot, ${n}`,
    status: n % 2 === 0 ? 'Available' : 'Settled',
    ...(n % 3 > 0 && { price: 500_000 + ((n * 7919) % 1000) }),
    level: n % 5,
    ...(n === 1 && { floorPlanImage: { key: 'plans/1.png', alt: 'Two bedrooms' } }),
  }));
  const made = await api.post(`/stock/projects/${LIVE}/units`, { units });
  assert.equal(made.status, 201, made.text);

  async function rows(query: string): Promise<object[]> {
    const { status, text } = await api.get(`${UNITS}?format=ndjson&${query}`);
    assert.equal(status, 200, text);
    const read = text
      .trimEnd()
      .split('\n')
      .map((line): unknown => JSON.parse(line)) as object[];
    assert.deepEqual(read.pop(), { rows: read.length });
    return read;
  }

  async function list(query: string): Promise<object[]> {
    const found: object[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: string = cursor && `&cursor=${cursor}`;
      const { body } = await api.get(`/stock/units?limit=500&${query}${page}`);
      found.push(...body.data);
      cursor = body.pagination.nextCursor;
    }
    return found;
  }

  return { api, person, rows, list };
}

describe('GET /exports/units', () => {
  test('has the rows of the list, by filters and in each order, and counts them at the end', async () => {
    const { rows, list } = await setUp();
    for (const query of [
      '',
      'sort=-position',
      'sort=project',
      'sort=-project&q=lot',
      'sort=price',
      'sort=-price&status=Available',
      'sort=name',
      'sort=-updatedAt',
      `project=${OTHER_LIVE}`,
      'status=Settled&level=3',
      'priceMin=500500&sort=-name',
      'q=lot',
    ])
      assert.deepEqual(await rows(query), await list(query), query);
  });

  test('as CSV has a column for each member, the parts of the floor plan, and no formula', async () => {
    const { api } = await setUp();
    const { headers, text } = await api.get(`${UNITS}?project=${LIVE}`);
    assert.match(
      String(headers['content-disposition']),
      /^attachment; filename="units-\d{4}-\d\d-\d\d\.csv"$/,
    );
    const lines = text.split('\n');
    const names = lines[0]?.replace('\uFEFF', '').split(',') ?? [];
    assert.deepEqual(names.slice(0, 5), ['id', 'projectId', 'position', 'name', 'lotNumber']);
    assert.equal(lines.length, 1 + 2 + 1_000 + 1);
    assert.ok(lines.some((line) => line.includes(",'=1+1,")));
    assert.ok(
      lines.some((line) => line.includes('"Lot, 1"') && line.includes(',plans/1.png,http')),
    );
    assert.ok(lines.some((line) => line.includes(',Two bedrooms,')));
  });

  test('is for all who read projects, without a confirmation, and refuses other parameters', async () => {
    const { api, person } = await setUp();
    assert.equal((await (await person('viewer')).get(UNITS)).status, 200);
    for (const query of ['format=xlsx', 'limit=5', 'status=Sold'])
      assertProblem(await api.get(`${UNITS}?${query}`), 'invalid_request', `/api/v1${UNITS}`);
  });
});
