import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkRelatedProject, findLongDescription, planProject, planUnit } from './rules.ts';

const ENTRY = {
  slug: 'ridge-road',
  name: 'Ridge Road',
  developmentDescription: 'Twelve townhouses.',
  estimatedCompletionDate: '2028-06-30',
  addressLine1: '1 Ridge Road',
  postalCode: '6011',
  latitude: -41.29,
  longitude: 174.77,
  cityName: 'Wellington',
  regionName: 'Te Ūpoko / Wellington',
  suburbName: 'Te Aro',
  projectWebsiteUrl: 'https://tuiridge.example',
};
const OWN = { id: 'u', projectId: 'p', position: 0 };

test('a new project is a draft, and gets its region slug and its instant', () => {
  const { row, change, faults } = planProject(undefined, 'p', ENTRY);
  assert.deepEqual([change, faults], ['created', []]);
  assert.deepEqual(row, {
    ...ENTRY,
    id: 'p',
    publication: 'draft',
    status: 'Coming Soon',
    estimatedCompletionDate: '2028-06-30T00:00:00.000Z',
    addressLine2: null,
    regionSlug: 'te-upoko-wellington',
    heroImage: null,
    galleryImages: [],
  });
});

test('a draft needs a slug and a name, and a live project each field that the stock endpoints show', () => {
  const pointersOf = (entry: object) =>
    planProject(undefined, 'p', entry).faults.map(({ pointer }) => pointer);
  assert.deepEqual(pointersOf({}), ['/slug', '/name']);
  assert.deepEqual(pointersOf({ slug: 'ridge-road', name: 'Ridge Road' }), []);
  const live = { name: 'Ridge Road', slug: 'ridge-road', publication: 'live' };
  const missing = Object.keys(ENTRY).filter((field) => !(field in live));
  const withSlug = missing.flatMap((field) =>
    field === 'regionName' ? [field, 'regionSlug'] : [field],
  );
  assert.deepEqual(
    pointersOf(live),
    withSlug.map((field) => `/${field}`),
  );
  assert.deepEqual(pointersOf({ ...ENTRY, ...live, regionName: '/' }), ['/regionSlug']);
  assert.deepEqual(pointersOf({ ...ENTRY, ...live }), []);
});

test('a live project does not lose a field that the stock endpoints show', () => {
  const live = { ...ENTRY, publication: 'live' as const };
  const { row: stored } = planProject(undefined, 'p', live);
  const { faults } = planProject(stored, 'p', { latitude: null, addressLine2: null });
  assert.deepEqual(faults, [{ pointer: '/latitude', detail: 'is required for a live project.' }]);
  assert.deepEqual(planProject(stored, 'p', { publication: 'draft', latitude: null }).faults, []);
});

test('a draft gets its region slug when it gets its region, and another one with another region', () => {
  const { row } = planProject(undefined, 'p', { slug: 'ridge-road', name: 'Ridge Road' });
  assert.equal(row.regionSlug, null);
  const plan = planProject(row, 'p', { regionName: 'Te Tai Tokerau' });
  assert.equal(plan.row.regionSlug, 'te-tai-tokerau');
  assert.equal(planProject(plan.row, 'p', { regionName: 'Waikato' }).row.regionSlug, 'waikato');
});

test('a description above 64 KiB is refused, unless it is stored already', () => {
  const { row } = planProject(undefined, 'p', ENTRY);
  const long = { ...row, developmentDescription: 'ā'.repeat(32_769) };
  assert.deepEqual(
    findLongDescription(row, long).map(({ pointer }) => pointer),
    ['/developmentDescription'],
  );
  assert.deepEqual(findLongDescription(long, { ...long, name: 'B' }), []);
  assert.deepEqual(
    findLongDescription(row, { ...long, developmentDescription: 'ā'.repeat(32_768) }),
    [],
  );
});

test('a stored project changes only in the fields that an entry gives', () => {
  const { row: stored } = planProject(undefined, 'p', { ...ENTRY, heroImage: { key: 'a.jpg' } });
  assert.equal(planProject(stored, 'p', ENTRY).change, 'unchanged');
  const { row, change } = planProject(stored, 'p', { heroImage: null, cityName: 'Porirua' });
  assert.equal(change, 'updated');
  assert.deepEqual(row, { ...stored, heroImage: null, cityName: 'Porirua' });
});

test('a unit stays in its project', () => {
  const { row } = planUnit(undefined, OWN, { name: '1A', lotNumber: 27 });
  assert.deepEqual([row.status, row.lotNumber, row.price], ['Coming Soon', 27, null]);
  assert.equal(planUnit(row, { ...OWN, position: 1 }, {}).change, 'updated');
  const moved = planUnit(row, { ...OWN, projectId: 'q' }, {});
  assert.deepEqual([moved.row, moved.faults.map(({ pointer }) => pointer)], [row, ['/id']]);
});

test('a project shows each other project once, and not itself', () => {
  assert.equal(checkRelatedProject('p', 'q', ['r']), null);
  assert.match(checkRelatedProject('p', 'p', []) ?? '', /itself/);
  assert.match(checkRelatedProject('p', 'q', ['q']) ?? '', /once/);
});
