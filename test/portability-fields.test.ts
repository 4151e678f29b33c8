import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadAccount, type LoadOptions } from '../src/portability/index.ts';
import {
  C1,
  fullFile,
  HANA,
  newSlug,
  P1,
  P2,
  portability,
  U1,
  U2,
} from './support/account-files.ts';

const { db, exported, refusedWith } = await portability();

async function loadFull(): Promise<string> {
  const slug = newSlug();
  await loadAccount(db, fullFile(slug));
  await loadAccount(db, {
    format: 'offplan-account/1',
    account: { slug, organization: { intro: 'We build.', phone: '1' } },
    contacts: [{ id: C1, phone: '2', companyName: 'Kauri' }],
  });
  return slug;
}

/** Leaves out `phone` and gives null for other fields of the organization, a project, a unit and a contact. */
const sparse = (slug: string) => ({
  format: 'offplan-account/1',
  account: { slug, organization: { intro: null } },
  users: [{ id: HANA, active: false }],
  projects: [{ slug: 'ridge-road', heroImage: null, units: [{ id: U1, level: null }] }, { id: P2 }],
  contacts: [{ id: C1, companyName: null, assignedAccountUserId: null, stage: 'Lost' }],
});

const RULES: [
  file: string,
  isExport: boolean,
  options: LoadOptions,
  null: boolean,
  absent: boolean,
][] = [
  ['written by hand', false, {}, false, false],
  ['written by hand, loaded with --prune', false, { prune: true }, false, false],
  ['written by hand, loaded with --replace', false, { replace: true }, true, true],
  ['exported', true, {}, true, false],
  ['exported, loaded with --replace', true, { replace: true }, true, true],
];

for (const [what, isExport, options, emptiesNull, emptiesAbsent] of RULES)
  test(`in a file that is ${what}, null ${emptiesNull ? 'empties' : 'keeps'} a field, and an absent field ${emptiesAbsent ? 'is emptied' : 'stays'}`, async () => {
    const slug = await loadFull();
    const before = await exported(slug);
    const file = sparse(slug);
    if (options.prune || isExport) file.projects[0]?.units?.unshift({ id: U2 } as never);
    await loadAccount(db, isExport ? { ...file, revision: before.revision } : file, options);
    const { account, users, projects, contacts } = await exported(slug);
    const isEmpty = [
      account.organization.intro,
      projects[0].heroImage,
      projects[0].units[1].level,
      contacts[0].companyName,
      contacts[0].assignedAccountUserId,
    ].map((value) => value === null);
    assert.deepEqual(
      isEmpty,
      Array.from({ length: 5 }, () => emptiesNull),
    );
    assert.equal(account.organization.phone === null, emptiesAbsent);
    assert.equal(contacts[0].phone === null, emptiesAbsent);
    assert.equal(projects[0].units[1].lotNumber === null, emptiesAbsent);
    // Fields that cannot be empty, and everything that the file does not name, stay.
    const [ridge, matai] = before.projects;
    const kept = ['slug', 'name', 'publication', 'status', 'regionSlug', 'galleryImages'];
    for (const field of kept) assert.deepEqual(projects[0][field], ridge[field], field);
    assert.deepEqual([projects[1].name, projects[1].units], [matai.name, matai.units]);
    assert.deepEqual([users[0].name, users[0].active, users[1]], ['Hana', false, before.users[1]]);
    assert.equal(contacts[0].stage, 'Lost');
    assert.deepEqual(contacts[0].tags, before.contacts[0].tags);
  });

test('a list of a file that is written by hand adds and changes, and removes nothing', async () => {
  const slug = await loadFull();
  const load = (more: object) =>
    loadAccount(db, {
      format: 'offplan-account/1',
      account: { slug },
      projects: [{ slug: 'ridge-road', ...more }],
    });
  const [before] = (await exported(slug)).projects;
  const { units } = await load({
    units: [{ name: '1C' }, { name: '1A', status: 'Settled' }, { name: '1D' }],
    galleryImages: [{ key: 'ridge/1.jpg' }, { key: 'ridge/3.jpg' }],
    relatedProjects: [],
  });
  assert.deepEqual(units, { created: 2, updated: 1, unchanged: 0, removed: 0 });
  const [ridge] = (await exported(slug)).projects;
  const list = (each: { name: string; status: string }) => [each.name, each.status];
  assert.deepEqual(ridge.units.map(list), [
    ['1B', 'Coming Soon'],
    ['1A', 'Settled'],
    ['1C', 'Coming Soon'],
    ['1D', 'Coming Soon'],
  ]);
  assert.deepEqual(ridge.units[0], before.units[0]);
  assert.deepEqual(ridge.galleryImages, [
    { key: 'ridge/2.jpg' },
    { key: 'ridge/1.jpg' },
    { key: 'ridge/3.jpg' },
  ]);
  assert.deepEqual(ridge.relatedProjects, ['matai-lane']);
  const again = await load({ units: [{ name: '1D' }, { name: '1C' }], galleryImages: [] });
  assert.deepEqual(again.projects, { created: 0, updated: 0, unchanged: 1 });
});

test('an edited export is the whole list, and a unit that comes back by its name is a new one: the report names both', async () => {
  const slug = await loadFull();
  const file = await exported(slug);
  file.projects[0].units.shift();
  const without = await loadAccount(db, file);
  assert.deepEqual(without.units, { created: 0, updated: 0, unchanged: 2, removed: 1 });
  const again = await exported(slug);
  again.projects[0].units.push({ name: '1B' });
  const back = await loadAccount(db, again);
  assert.deepEqual(back.units, { created: 1, updated: 0, unchanged: 2, removed: 0 });
  assert.deepEqual(
    [without, back].map(({ changes }) =>
      changes.flatMap(({ noun, name, change }) => (noun === 'unit' ? [[name, change]] : [])),
    ),
    [[['ridge-road/1B', 'removed']], [['ridge-road/1B', 'created']]],
  );
  assert.notEqual((await exported(slug)).projects[0].units[1].id, U2);
});

test('a unit that a contact is linked to refuses an edited export that leaves it out', async () => {
  const slug = await loadFull();
  const file = await exported(slug);
  file.projects[0].units.pop();
  const details = await refusedWith({}, file, '/projects/0/units', '/contacts/0/links/1/unitId');
  assert.match(details[1] ?? '', /"1A".*Withdrawn/);
});

test('a load that removes a unit keeps the places of the others', async () => {
  const slug = await loadFull();
  const file = await exported(slug);
  file.projects[0].units = [{ name: '1Z' }, ...file.projects[0].units];
  await loadAccount(db, file);
  const { projects, ...head } = await exported(slug);
  assert.deepEqual(
    projects[0].units.map((unit: { name: string }) => unit.name),
    ['1Z', '1B', '1A'],
  );
  projects[0].units.shift();
  const { units } = await loadAccount(db, { ...head, projects });
  assert.deepEqual(units, { created: 0, updated: 0, unchanged: 3, removed: 1 });
  assert.equal(projects[0].id, P1);
});
