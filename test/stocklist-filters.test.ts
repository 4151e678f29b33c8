import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { build } from './support/harness.ts';
import { addProject, type Columns } from './support/stock.ts';
import { slugsOf, tenancies } from './support/tenancy.ts';

const service = await build({ after });
const { makeTenant } = tenancies(service);
const { account, list } = await makeTenant();

const place = (city: string, suburb: string, region: string, regionSlug: string): Columns => ({
  city_name: city,
  suburb_name: suburb,
  region_name: region,
  region_slug: regionSlug,
});
const add = (slug: string, columns: Columns) =>
  addProject(service.db, account, { slug, ...columns });

const kauri = await add('kauri', place('Whangārei', 'Regent', 'Northland', 'northland'));
const rata = await add('rata', {
  ...place('Auckland', 'Te Atatū  South', 'Tāmaki Makaurau / Auckland', 'auckland'),
  status: 'Coming Soon',
});
const kowhai = await add('kowhai', {
  ...place('Auckland', 'Regent', 'Tāmaki Makaurau / Auckland', 'auckland'),
  status: 'Sold Out',
});
await add('draft', {
  ...place('Whangārei', 'Regent', 'Northland', 'northland'),
  publication: 'draft',
});

async function found(query: string): Promise<string[]> {
  const answer = await list(`?${query}`);
  assert.equal(answer.status, 200, answer.text);
  return slugsOf(answer);
}

const CASES: [what: string, query: string, slugs: string[]][] = [
  ['a city', 'city=Whang%C4%81rei', ['kauri']],
  ['a city without regard to case', 'city=AUCKLAND', ['kowhai', 'rata']],
  ['a city without its macrons', 'city=whangarei', ['kauri']],
  ['a city with its macron decomposed', 'city=Whanga%CC%84rei', ['kauri']],
  ['a city with spaces around it', 'city=+Auckland%20', ['kowhai', 'rata']],
  ['a city only whole', 'city=Auck', []],
  ['a city, never as a pattern', 'city=%25', []],
  ['a suburb', 'suburb=regent', ['kowhai', 'kauri']],
  ['a suburb with another run of spaces', 'suburb=te+atatu+++south', ['rata']],
  ['a region by its name', 'region=tamaki+makaurau+/+auckland', ['kowhai', 'rata']],
  ['a region by its slug', 'region=Auckland', ['kowhai', 'rata']],
  ['a region only whole', 'region=north', []],
  ['a status', 'status=Available', ['kauri']],
  ['a status without regard to case', 'status=coming+soon', ['rata']],
  ['no status that a project cannot have', 'status=Withdrawn', []],
  ['no publication', 'status=draft', []],
  ['what all filters agree on', 'city=Auckland&suburb=Regent', ['kowhai']],
  ['all five at once', 'region=auckland&city=auckland&suburb=regent&status=sold%20out', ['kowhai']],
  ['nothing where filters contradict each other', 'city=Whangarei&region=auckland', []],
];

for (const [what, query, slugs] of CASES)
  test(`filters find ${what}`, async () => assert.deepEqual(await found(query), slugs));

test('a filter with pages counts what it finds alone', async () => {
  const { body } = await list('?city=auckland&limit=1');
  assert.deepEqual(body.pagination, {
    page: 1,
    limit: 1,
    hasNextPage: true,
    hasPreviousPage: false,
  });
  assert.deepEqual(await found('city=auckland&limit=1&page=2'), ['rata']);
});

test('filters are echoed as they were sent, the others null', async () => {
  const { body } = await list('?region=NORTHLAND&city=Whanga%CC%84rei&status=%20x&page=2');
  assert.deepEqual(body.filters, {
    region: 'NORTHLAND',
    city: 'Whanga\u0304rei',
    suburb: null,
    status: ' x',
    updatedSince: null,
  });
});

test('two filters that find the same are each echoed as sent', async () => {
  const [one, other] = [await list('?city=whangarei'), await list('?city=WHANGAREI')];
  assert.equal(one.body.filters.city, 'whangarei');
  assert.equal(other.body.filters.city, 'WHANGAREI');
  assert.deepEqual(one.body.projects, other.body.projects);
});

test('an unmatched value is an empty page, whatever it holds', async () => {
  const values = ['%00', '%ED%A0%80', '%FF', "'%3B--", '%5C', '%F0%9F%8F%A0', 'a'.repeat(5000)];
  for (const value of values)
    for (const name of ['region', 'city', 'suburb', 'status'])
      assert.deepEqual(await found(`${name}=${value}`), [], `${name}=${value}`);
});

test('updated_since finds what changed after it, not at it', async () => {
  assert.deepEqual(await found(`updated_since=${kauri.updatedAt}`), ['kowhai', 'rata']);
  assert.deepEqual(await found(`updated_since=${rata.updatedAt}`), ['kowhai']);
  assert.deepEqual(await found(`updated_since=${kowhai.updatedAt}`), []);
});

test('updated_since compares digits beyond the millisecond exactly', async () => {
  const [before, at] = [Date.parse(rata.updatedAt) - 1, Date.parse(rata.updatedAt)].map((time) =>
    new Date(time).toISOString().replace('Z', '9999Z'),
  );
  assert.deepEqual(await found(`updated_since=${before}`), ['kowhai', 'rata']);
  assert.deepEqual(await found(`updated_since=${at}`), ['kowhai']);
});

test('updated_since may have an offset, its + escaped or not', async () => {
  const local = new Date(Date.parse(rata.updatedAt) + 13 * 3_600_000).toISOString().slice(0, -1);
  for (const offset of ['%2B13:00', '+13:00', '%2B1300']) {
    const { status, body } = await list(`?updated_since=${local}${offset}`);
    assert.equal(status, 200);
    assert.deepEqual(
      body.projects.map((project: { slug: string }) => project.slug),
      ['kowhai'],
    );
  }
});

test('updated_since is echoed as it was sent', async () => {
  const { body } = await list('?updated_since=2026-01-01t00:00z');
  assert.equal(body.filters.updatedSince, '2026-01-01t00:00z');
});

test('updated_since of any year is a time like another', async () => {
  assert.deepEqual(await found('updated_since=0000-01-01T00:00:00Z'), ['kowhai', 'rata', 'kauri']);
  assert.deepEqual(await found('updated_since=9999-12-31T23:59:59.999Z'), []);
});

test('updated_since works together with the other filters', async () => {
  assert.deepEqual(await found(`updated_since=${kauri.updatedAt}&status=coming+soon`), ['rata']);
});

for (const value of [
  '2026-01-01',
  '2026-01-01T00:00:00',
  '2026-02-30T00:00:00Z',
  '1767225600',
  'x',
])
  test(`updated_since=${value} is a 400`, async () => {
    const { status, body } = await list(`?updated_since=${value}`);
    assert.equal(status, 400);
    assert.deepEqual(
      body.errors.map((fault: { parameter: string }) => fault.parameter),
      ['updated_since'],
    );
  });
