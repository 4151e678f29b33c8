import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { exportAccount, loadAccount } from '../src/portability/index.ts';
import { createAccountFileSchema } from '../src/portability/schemas.ts';
import { createDatabase } from './support/harness.ts';
import { readFile } from 'node:fs/promises';
import {
  organization,
  portability,
  newSlug,
  id,
  U1,
  U3,
  REWI,
  C1,
  withSlug,
  fullFile,
} from './support/account-files.ts';

const { db, exportText, exported, everything, refused } = await portability();

const NOTHING = { created: 0, updated: 0, unchanged: 0 };

test('export, load, export is the same document byte for byte, and nothing is written', async () => {
  const slug = newSlug();
  await loadAccount(db, fullFile(slug));
  const first = await exportText(slug);
  const before = await everything();
  const report = await loadAccount(db, first);
  assert.equal(await exportText(slug), first);
  assert.deepEqual(await everything(), before);
  assert.deepEqual(report, {
    account: 'updated',
    slug,
    organization: 'unchanged',
    users: { ...NOTHING, unchanged: 2 },
    projects: { ...NOTHING, unchanged: 2 },
    units: { ...NOTHING, unchanged: 3, removed: 0 },
    tags: { created: 0 },
    contacts: { ...NOTHING, unchanged: 3 },
    activities: { created: 0 },
    links: { created: 0 },
    changes: [],
  });
});

test('an export loaded into an empty database is exported as the same document', async (t) => {
  const slug = newSlug();
  await loadAccount(db, fullFile(slug));
  const first = await exportText(slug);
  const other = await createDatabase(t);
  await loadAccount(other, first);
  assert.equal(await exportText(slug, other), first);
});

test('enquiries keep their order when an export is loaded into an empty database', async (t) => {
  const slug = newSlug();
  const contacts = [1, 2].map((n) => ({ id: id(700 + n), email: `enquirer${n}@example.com` }));
  const enquiries = [2, 1, 2, 1].map((n, hour) => ({
    contactId: id(700 + n),
    values: { phone: `09 555 010${hour}` },
    occurredAt: `2026-05-01T0${hour}:00:00.000Z`,
  }));
  await loadAccount(db, withSlug(slug, { contacts, enquiries }));
  const first = await exportText(slug);
  assert.deepEqual(JSON.parse(first).enquiries, enquiries);
  const other = await createDatabase(t);
  await loadAccount(other, first);
  assert.equal(await exportText(slug, other), first);
});

test('an export is laid out as JSON.stringify does it, every list and every field there', async () => {
  const slug = newSlug();
  await loadAccount(db, withSlug(slug));
  const text = await exportText(slug);
  assert.equal(text, `${JSON.stringify(JSON.parse(text), null, 2)}\n`);
  const { revision, ...parts } = JSON.parse(text);
  assert.match(revision, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  assert.deepEqual(parts, {
    format: 'offplan-account/1',
    account: {
      slug,
      organization: {
        ...organization,
        intro: null,
        phone: null,
        logoImage: null,
        agentsSee: 'all',
        timeZone: 'UTC',
        defaultCurrency: null,
        secondStepFor: 'nobody',
      },
    },
    users: [],
    projects: [],
    tags: [],
    contacts: [],
    enquiries: [],
  });
  await loadAccount(db, fullFile(slug));
  const full = await exportText(slug);
  assert.equal(full, `${JSON.stringify(JSON.parse(full), null, 2)}\n`);
});

test('the demo account is exported as it is committed', async () => {
  const text = await readFile(new URL('../demo/account.json', import.meta.url), 'utf8');
  await loadAccount(db, text);
  assert.equal(await exportText(JSON.parse(text).account.slug), text);
});

test('the export of an unknown account writes nothing', async () => {
  assert.equal(await exportAccount(db, 'nowhere', () => assert.fail('it wrote')), false);
});

test('more contacts than a page are all exported, by id', async () => {
  const slug = newSlug();
  const ids = Array.from({ length: 2_001 }, (_, index) => id(index));
  const contacts = ids.map((each, index) => ({ id: each, email: `c${index}@example.com` }));
  await loadAccount(db, withSlug(slug, { contacts: contacts.toReversed() }));
  const text = await exportText(slug);
  const found: { id: string }[] = JSON.parse(text).contacts;
  assert.deepEqual(
    found.map((contact) => contact.id),
    ids,
  );
  assert.equal(text, `${JSON.stringify(JSON.parse(text), null, 2)}\n`);
});

test('a load stores the values of a file as they are given, and defaults for the others', async () => {
  const slug = newSlug();
  await loadAccount(db, fullFile(slug));
  const { users, projects, tags, contacts } = await exported(slug);
  assert.deepEqual(
    users.map((user: { active: boolean }) => user.active),
    [true, false],
  );
  const [ridge, matai] = projects;
  assert.equal(ridge.estimatedCompletionDate, '2028-06-30T00:00:00.000Z');
  assert.equal(ridge.regionSlug, 'te-upoko-o-te-ika-wellington');
  assert.deepEqual(ridge.galleryImages, [{ key: 'ridge/2.jpg' }, { key: 'ridge/1.jpg' }]);
  assert.deepEqual(ridge.relatedProjects, ['matai-lane']);
  assert.deepEqual(
    ridge.units.map((unit: { name: string }) => unit.name),
    ['1B', '1A'],
  );
  assert.equal(ridge.units[0].status, 'Coming Soon');
  assert.deepEqual([ridge.units[0].lotNumber, ridge.units[1].lotNumber], ['Lot 27A', 27]);
  assert.deepEqual([ridge.units[0].level, ridge.units[1].level], ['Ground', 3]);
  assert.deepEqual([ridge.units[0].bedrooms, ridge.units[0].price], [0, 0.1]);
  assert.deepEqual([matai.publication, matai.status], ['draft', 'Coming Soon']);
  assert.deepEqual([matai.heroImage, matai.galleryImages, matai.relatedProjects], [null, [], []]);
  assert.deepEqual(
    tags.map((tag: { label: string }) => tag.label),
    ['VIP', 'Āpōpō', 'Zebra', 'first home'],
  );
  const [aroha, , other] = contacts;
  assert.deepEqual([aroha.email, aroha.firstName, aroha.notes], ['Aroha@Example.com', '  ', '']);
  assert.equal(aroha.name, 'Aroha\n"Ngata" \u{1F3E1}\u2028');
  assert.deepEqual([aroha.budget, other.budget], [1e21, '$800k']);
  assert.equal(aroha.importedAt, '2026-03-31T21:15:09.204Z');
  assert.equal(other.archivedAt, '0001-01-01T00:00:00.000Z');
  assert.equal(aroha.assignedAccountUserId, REWI);
  assert.deepEqual(aroha.tags, ['Zebra', 'first home', 'VIP']);
  assert.deepEqual(
    aroha.activities.map((activity: { body: string }) => activity.body),
    ['B', 'A', 'B'],
  );
  const [note, call] = aroha.activities;
  assert.deepEqual([note.type, note.outcome, note.userId], ['note', null, null]);
  assert.deepEqual([call.type, call.outcome, call.userId], ['call', 'No answer', REWI]);
  assert.deepEqual(
    aroha.links.map((link: { unitId: string }) => link.unitId),
    [U3, U1, null],
  );
});

test('an activity that names no user of the account is refused', async () => {
  const activity = { body: 'A', occurredAt: '2026-03-01T00:00:00Z', userId: C1 };
  const contacts = [{ email: 'aroha@example.com', activities: [activity] }];
  await refused(withSlug(newSlug(), { contacts }), '/contacts/0/activities/0/userId');
});

test('a link or an assignment may name a row that the same file creates, in any order', async () => {
  const slug = newSlug();
  const { account, format, contacts, tags, projects, users } = fullFile(slug) as Record<
    string,
    unknown
  >;
  await loadAccount(db, JSON.stringify({ contacts, tags, projects, users, account, format }));
  const other = newSlug();
  await loadAccount(db, fullFile(other));
  const { revision: _, ...loaded } = await exported(slug);
  const { revision: __, ...expected } = await exported(other);
  expected.account.slug = slug;
  assert.deepEqual(loaded, expected);
});

test('two accounts may have the same ids, and never touch each other', async () => {
  const [one, two] = [newSlug(), newSlug()];
  await loadAccount(db, fullFile(one));
  const before = await exportText(one);
  await loadAccount(db, fullFile(two));
  await loadAccount(db, withSlug(two, { contacts: [{ id: C1, name: 'Other', tags: ['x'] }] }));
  assert.equal(await exportText(one), before);
});

test('a load reports its progress up to the last contact', async () => {
  const slug = newSlug();
  const told: number[][] = [];
  const contacts = Array.from({ length: 4_001 }, (_, index) => ({
    email: `c${index}@example.com`,
  }));
  await loadAccount(db, withSlug(slug, { contacts }), {
    onProgress: (done, total) => void told.push([done, total]),
  });
  assert.deepEqual(told, [
    [2_000, 4_001],
    [4_000, 4_001],
    [4_001, 4_001],
  ]);
});

test('the published schema is the one in the code, and accepts an exported file', async () => {
  const file = new URL('../docs/account-file.schema.json', import.meta.url);
  const published = JSON.parse(await readFile(file, 'utf8'));
  const made = JSON.parse(JSON.stringify(createAccountFileSchema()));
  assert.deepEqual(published, made, 'npm run documents');
  const slug = newSlug();
  await loadAccount(db, fullFile(slug));
  const ajv = new Ajv2020({ validateFormats: false, allowUnionTypes: true });
  assert.equal(ajv.validate(published, await exported(slug)), true);
});

test('a role is that of the file; without one a new person is an agent, and a known one keeps theirs', async () => {
  const slug = newSlug();
  const rolesOf = async (users: object[]): Promise<unknown[]> => {
    await loadAccount(db, withSlug(slug, { users }));
    return (await exported(slug)).users.map(({ role }: { role: string }) => role);
  };
  const hana = { email: 'hana@tuiridge.example', name: 'Hana' };
  const rewi = { email: 'rewi@tuiridge.example', name: 'Rewi' };
  assert.deepEqual(await rolesOf([{ ...hana, role: 'owner' }, rewi]), ['owner', 'agent']);
  assert.deepEqual(await rolesOf([hana, { ...rewi, role: 'viewer' }]), ['owner', 'viewer']);
  await refused(withSlug(slug, { users: [{ ...hana, role: 'boss' }] }), '/users/0/role');
});
