import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { loadAccount } from '../src/portability/index.ts';
import { accountIdOf } from './support/accounts.ts';
import { leadImporter } from './support/leads.ts';
import {
  portability,
  newSlug,
  P1,
  P2,
  U1,
  U2,
  HANA,
  REWI,
  C1,
  C2,
  project,
  withSlug,
  fullFile,
  handWritten,
} from './support/account-files.ts';

const { db, exportText, exported, everything, refused } = await portability();
const importLeads = await leadImporter({ after }, db);

test('a file without ids keeps its order, and changes nothing when it is loaded again', async () => {
  const slug = newSlug();
  await loadAccount(db, handWritten(slug));
  const text = await exportText(slug);
  const { projects, tags, contacts, users } = JSON.parse(text);
  assert.deepEqual(
    projects.map((each: { slug: string }) => each.slug),
    ['b', 'a'],
  );
  assert.deepEqual(tags, [{ label: 'b' }, { label: 'a' }]);
  assert.deepEqual(contacts[0].tags, ['b', 'a']);
  assert.deepEqual(
    [users[0].email, contacts[1].email],
    ['Hana@tuiridge.example', 'MELE@example.com'],
  );
  const before = await everything();
  await loadAccount(db, handWritten(slug));
  assert.deepEqual(await everything(), before);
  // Found without regard to case.
  await loadAccount(db, withSlug(slug, { contacts: [{ email: 'mele@EXAMPLE.com' }] }));
  assert.equal((await exported(slug)).contacts[1].email, 'mele@EXAMPLE.com');
});

test('with --prune the units, images and related projects of a file replace the whole list, in its order', async () => {
  const slug = newSlug();
  await loadAccount(db, fullFile(slug));
  const load = (more: object) => {
    const projects = [{ slug: 'ridge-road', ...more }];
    const file = { format: 'offplan-account/1', account: { slug }, projects };
    return loadAccount(db, file, { prune: true });
  };
  // A contact is linked to 1A, and the new 1C comes in before it.
  const report = await load({ units: [{ name: '1C', price: 5 }, { id: U1 }] });
  assert.deepEqual(report.units, { created: 1, updated: 0, unchanged: 1, removed: 1 });
  const [ridge] = (await exported(slug)).projects;
  assert.deepEqual(
    ridge.units.map((unit: { name: string; lotNumber: unknown }) => [unit.name, unit.lotNumber]),
    [
      ['1C', null],
      ['1A', 27],
    ],
  );
  await load({ galleryImages: [{ key: 'ridge/1.jpg' }], relatedProjects: [] });
  const [after] = (await exported(slug)).projects;
  assert.deepEqual([after.galleryImages, after.relatedProjects], [[{ key: 'ridge/1.jpg' }], []]);
  assert.deepEqual(after.units, ridge.units);
});

test("a contact's tags, activities and links are only added to", async () => {
  const slug = newSlug();
  await loadAccount(db, fullFile(slug));
  const B = { type: 'note', body: 'B', occurredAt: '2026-03-02T00:00:00Z' };
  const report = await loadAccount(
    db,
    withSlug(slug, {
      contacts: [
        {
          id: C1,
          tags: ['new', 'ZEBRA'],
          // Two are there; the last one differs in its time.
          activities: [B, B, B, { ...B, occurredAt: '2026-03-02T00:00:00.001Z' }],
          links: [{ projectId: P2 }, { projectId: P1, unitId: U1 }, { projectId: P2 }],
        },
        { id: C2, tags: [], activities: [], links: [] },
      ],
    }),
  );
  assert.deepEqual(report.contacts, { created: 0, updated: 1, unchanged: 1 });
  assert.deepEqual([report.activities.created, report.links.created], [2, 1]);
  const [aroha] = (await exported(slug)).contacts;
  assert.deepEqual(aroha.tags, ['Zebra', 'first home', 'VIP', 'new']);
  assert.equal(aroha.activities.length, 5);
  assert.equal(aroha.links.length, 4);
});

test('several contacts may have one email; without ids they are made once', async () => {
  const slug = newSlug();
  const contacts = [
    { email: 'a@example.com', name: 'One' },
    { email: 'A@example.com', name: 'Two' },
  ];
  await loadAccount(db, withSlug(slug, { contacts }));
  const first = await exportText(slug);
  assert.equal(JSON.parse(first).contacts.length, 2);
  // Now the account has two: which is which?
  await refused(withSlug(slug, { contacts }), '/contacts/0/email', '/contacts/1/email');
  await refused(withSlug(slug, { contacts: [{ email: 'a@example.com' }] }), '/contacts/0/email');
  const [one, two] = JSON.parse(first).contacts;
  // The one that is left when the file has named the other by its id.
  await loadAccount(
    db,
    withSlug(slug, { contacts: [{ id: one.id, email: one.email }, { email: 'a@example.com' }] }),
  );
  assert.equal((await exported(slug)).contacts[1].email, 'a@example.com');
  await loadAccount(db, first, { force: true });
  assert.deepEqual((await exported(slug)).contacts, JSON.parse(first).contacts);
  assert.equal(two.name, 'Two');
});

test('an entry without an ID is never the row of another entry that has its ID', async () => {
  const slug = newSlug();
  const file = withSlug(slug, {
    contacts: [
      { id: C1, email: 'a@example.com' },
      { email: 'a@example.com', name: 'Two' },
    ],
    projects: [
      project('a', {
        id: P1,
        units: [
          { id: U1, name: '1' },
          { name: '1', price: 3 },
        ],
      }),
    ],
  });
  await loadAccount(db, file);
  const { contacts, projects } = await exported(slug);
  assert.deepEqual([contacts.length, projects[0].units.length], [2, 2]);
  const before = await everything();
  await loadAccount(db, file);
  assert.deepEqual(await everything(), before);
});

test('a row that one entry names by its id is not another entry by its key', async () => {
  const slug = newSlug();
  await loadAccount(db, fullFile(slug));
  await refused(
    {
      format: 'offplan-account/1',
      account: { slug },
      users: [{ id: HANA }, { email: 'HANA@tuiridge.example' }],
      projects: [
        { id: P1, units: [{ id: U1 }, { id: U2 }, { name: '1A' }] },
        { slug: 'ridge-road' },
      ],
      contacts: [{ id: C2 }, { email: 'mele@example.com' }],
    },
    '/users/1/email',
    '/projects/0/units/2/name',
    '/projects/1/slug',
    '/contacts/1/email',
  );
});

test('POST /contacts answers duplicate_contacts when several loaded contacts share the email', async () => {
  const slug = newSlug();
  await loadAccount(db, fullFile(slug));
  const [result] = await importLeads(slug, [{ email: 'AROHA@example.com' }]);
  assert.equal(result?.problem?.code, 'duplicate_contacts');
});

test('two projects may swap their slugs, two users their emails', async () => {
  const slug = newSlug();
  await loadAccount(db, fullFile(slug));
  await loadAccount(db, {
    format: 'offplan-account/1',
    account: { slug },
    users: [
      { id: HANA, email: 'rewi@tuiridge.example' },
      { id: REWI, email: 'hana@tuiridge.example' },
    ],
    projects: [
      { id: P1, slug: 'matai-lane', relatedProjects: ['ridge-road'] },
      { id: P2, slug: 'ridge-road' },
    ],
  });
  const { users, projects } = await exported(slug);
  assert.deepEqual(
    users.map((user: { email: string }) => user.email),
    ['rewi@tuiridge.example', 'hana@tuiridge.example'],
  );
  assert.deepEqual(
    projects.map((each: { slug: string }) => each.slug),
    ['matai-lane', 'ridge-road'],
  );
  assert.deepEqual(projects[0].relatedProjects, ['ridge-road']);
});

test('a changed project gets the next tick, an unchanged one keeps its own', async () => {
  const slug = newSlug();
  await loadAccount(db, fullFile(slug));
  const accountId = await accountIdOf(db, { slug });
  const clocks = async () => {
    const text = `select stock_clock as clock, p.id, p.updated_at as "updatedAt"
      from accounts join projects p using (account_id) where account_id = $1 order by p.id`;
    const { rows } = await db.query<{ clock: Date; updatedAt: Date }>({
      name: 'clocks',
      text,
      values: [accountId],
    });
    return [rows[0]?.clock, ...rows.map(({ updatedAt }) => updatedAt)].map(Number);
  };
  const [clock = 0, ridge, matai] = await clocks();
  assert.ok(clock <= Date.now());
  assert.deepEqual([ridge, matai], [clock - 1, clock]);
  const account = { format: 'offplan-account/1', account: { slug } };
  const changes = [
    { name: 'Ridge' },
    { publication: 'draft' },
    { galleryImages: [] },
    { units: [{ id: U1 }, { id: U2 }] },
    { units: [{ id: U1 }, { id: U2, price: 1 }] },
    { relatedProjects: [] },
  ];
  let last = clock;
  for (const change of changes) {
    const projects = [{ id: P2 }, { id: P1, ...change }];
    await loadAccount(db, { ...account, projects }, { prune: true });
    const [now = 0, ...updated] = await clocks();
    assert.ok(now > last, JSON.stringify(change));
    assert.deepEqual(updated, [now, matai]);
    last = now;
  }
  await loadAccount(db, { ...account, contacts: [{ id: C2, stage: 'New' }] });
  assert.equal((await clocks())[0], last, 'a contact is not stock');
  await loadAccount(db, { ...account, account: { slug, organization: { phone: '1' } } });
  const [now = 0, ...updated] = await clocks();
  assert.ok(now > last, 'the organization is shown');
  assert.deepEqual(updated, [last, matai]);
});
