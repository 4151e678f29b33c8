import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkRelatedProject, planProject, planUnit } from './rules.ts';

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

test('a new project without its fields is refused, with one fault a field', () => {
  const { faults } = planProject(undefined, 'p', { name: 'Ridge Road', regionName: '/' });
  const pointers = faults.map(({ pointer }) => pointer);
  const given = new Set(['name', 'regionName']);
  const missing = Object.keys(ENTRY).filter((field) => !given.has(field));
  assert.deepEqual(pointers, [...missing.map((field) => `/${field}`), '/regionSlug']);
});

test('a stored project changes only in the fields that an entry gives', () => {
  const { row: stored } = planProject(undefined, 'p', { ...ENTRY, heroImage: { key: 'a.jpg' } });
  assert.equal(planProject(stored, 'p', ENTRY).change, 'unchanged');
  const { row, change } = planProject(stored, 'p', { heroImage: null, regionName: 'Northland' });
  assert.equal(change, 'updated');
  assert.deepEqual(row, { ...stored, heroImage: null, regionName: 'Northland' });
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
