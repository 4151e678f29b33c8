import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { findAccountBySlug } from '../src/accounts/index.ts';
import { mergeContacts } from '../src/contacts/index.ts';
import { exportAccount, loadAccount } from '../src/portability/index.ts';
import {
  C1,
  C2,
  C3,
  fullFile,
  HANA,
  id,
  newSlug,
  P1,
  portability,
  U1,
} from './support/account-files.ts';
import { accountIdOf } from './support/accounts.ts';
import { createDatabase } from './support/harness.ts';
import { leadImporter } from './support/leads.ts';

const { db, exportText, exported, refused } = await portability();
const importLeads = await leadImporter({ after }, db);

async function loadFull(): Promise<string> {
  const slug = newSlug();
  await loadAccount(db, fullFile(slug));
  return slug;
}

const LATER_LEAD = {
  email: 'mele@example.com',
  mobilePhone: '021 555 0199',
  companyName: 'Walk-in',
};
const fileOf = (slug: string, more: object) => ({
  format: 'offplan-account/1',
  account: { slug },
  ...more,
});

test('an export is not loaded over a contact that a lead has changed since, unless the load is forced', async () => {
  const slug = await loadFull();
  const file = await exported(slug);
  await importLeads(slug, [LATER_LEAD]);
  file.projects[0].units[0].price = 839_000;
  const [detail] = await refused(file, '/contacts/1');
  assert.match(detail ?? '', new RegExp(`^contact ${C2} was changed at 20.*Z\\.$`));
  const { contacts, projects } = await exported(slug);
  assert.deepEqual([contacts[1].mobilePhone, projects[0].units[0].price], ['021 555 0199', 0.1]);
  await loadAccount(db, file, { force: true });
  const forced = await exported(slug);
  assert.deepEqual(
    [forced.contacts[1].mobilePhone, forced.projects[0].units[0].price],
    [null, 839_000],
  );
});

test('an export is loaded when a row that it leaves alone has changed since', async () => {
  const slug = await loadFull();
  const { contacts: _, ...file } = await exported(slug);
  await importLeads(slug, [LATER_LEAD, { email: 'new@example.com' }]);
  file.projects[0].units[0].price = 839_000;
  const report = await loadAccount(db, file);
  assert.deepEqual(report.units, { created: 0, updated: 1, unchanged: 2, removed: 0 });
  const after = await exported(slug);
  assert.deepEqual([after.contacts[1].companyName, after.contacts.length], ['Walk-in', 4]);
});

test('an export names each row that changed since, of every kind', async () => {
  const slug = await loadFull();
  const file = await exported(slug);
  await loadAccount(
    db,
    fileOf(slug, {
      account: { slug, organization: { phone: '1' } },
      users: [{ id: HANA, name: 'Hana P.' }],
      projects: [
        {
          id: P1,
          name: 'Ridge',
          units: [
            { id: U1, price: 7 },
            { name: 'Added', price: 8 },
          ],
        },
      ],
      contacts: [{ id: C2, phone: '2' }],
    }),
  );
  const details = await refused(
    file,
    '/account/organization',
    '/users/0',
    '/projects/0',
    '/projects/0/units',
    '/projects/0/units/1',
    '/contacts/1',
  );
  assert.ok(
    details.some((detail) => detail.startsWith('leaves out the unit "Added", which was added')),
  );
});

test('an export does not bring back a contact or a unit that was removed since', async () => {
  const slug = await loadFull();
  const accountId = await accountIdOf(db, { slug });
  const file = await exported(slug);
  file.projects[0].units.push({ name: 'Passing' });
  await loadAccount(db, file);
  const withUnit = await exported(slug);
  await mergeContacts(db, accountId, C1, [C3], { dryRun: false });
  const later = await exported(slug);
  later.projects[0].units.pop();
  await loadAccount(db, later);
  const details = await refused(withUnit, '/projects/0/units/2/id', '/contacts/2/id');
  assert.match(
    details.join(' '),
    /no unit of the account, which had it at the export; leave the id out/,
  );
});

test('an entry that was added to an export without an id does not change a contact that came in later', async () => {
  const slug = await loadFull();
  const file = await exported(slug);
  await importLeads(slug, [{ email: 'new@example.com', phone: '1' }]);
  file.contacts.push({ email: 'new@example.com', phone: '2' });
  const [detail] = await refused(file, '/contacts/3');
  assert.match(detail ?? '', /was changed at/);
});

test('the revision of an export stays while nothing is stored', async () => {
  const slug = await loadFull();
  const first = await exportText(slug);
  await loadAccount(db, first);
  await importLeads(slug, [{ email: 'aroha@example.com', phone: '1' }]);
  await loadAccount(db, JSON.parse(first), { dryRun: true });
  assert.equal(await exportText(slug), first);
  await importLeads(slug, [LATER_LEAD]);
  const { revision } = await exported(slug);
  assert.ok(revision > JSON.parse(first).revision);
  await importLeads(slug, [LATER_LEAD]);
  assert.equal((await exported(slug)).revision, revision);
});

test('a load that creates the account takes the revision of the file over, and later changes are after it', async (t) => {
  const slug = await loadFull();
  const file = { ...(await exported(slug)), revision: '2999-01-01T00:00:00.000Z' };
  const other = await createDatabase(t);
  await loadAccount(other, structuredClone(file));
  assert.deepEqual(JSON.parse(await exportText(slug, other)), file);
  await loadAccount(other, fileOf(slug, { contacts: [{ id: C2, phone: '1' }] }));
  const { revision } = JSON.parse(await exportText(slug, other));
  assert.equal(revision, '2999-01-01T00:00:00.001Z');
  await assert.rejects(loadAccount(other, file), /has changed since this file was exported/);
});

test('imports and loads that run at the same time leave no change out of an export with a later revision', async () => {
  const slug = await loadFull();
  const exports: string[] = [];
  for (let round = 0; round < 10; round += 1) {
    const lead = { email: 'mele@example.com', tag: `tag ${round}` };
    const unit = { id: U1, price: round };
    await Promise.all([
      importLeads(slug, [lead]),
      loadAccount(db, fileOf(slug, { projects: [{ id: P1, units: [unit] }] })),
      exportText(slug).then((text) => exports.push(text)),
    ]);
  }
  const last = await exportText(slug);
  for (const text of [...exports, last]) {
    const isLast = text.replace(/"revision": .*/, '') === last.replace(/"revision": .*/, '');
    assert.equal(JSON.parse(text).revision === JSON.parse(last).revision, isLast);
  }
});

test('export --only stock has neither people nor contacts, and its load touches none', async () => {
  const slug = await loadFull();
  let text = '';
  await exportAccount(db, slug, (chunk) => void (text += chunk), { only: 'stock' });
  const file = JSON.parse(text);
  assert.deepEqual(Object.keys(file), ['format', 'revision', 'account', 'projects']);
  assert.equal(text, `${JSON.stringify(file, null, 2)}\n`);
  const full = await exported(slug);
  assert.deepEqual([file.account, file.projects], [full.account, full.projects]);
  await importLeads(slug, [LATER_LEAD]);
  file.projects[1].units[0].price = 5;
  const { units, contacts } = await loadAccount(db, file);
  assert.deepEqual([units.updated, contacts], [1, { created: 0, updated: 0, unchanged: 0 }]);
});

test('a dry run reports what a load would do, field by field, and stores nothing', async () => {
  const slug = await loadFull();
  const before = await exportText(slug);
  const file = JSON.parse(before);
  file.projects[1].units[0].price = 5;
  file.projects[0].units = [file.projects[0].units[1], { name: '1C' }];
  Object.assign(file.contacts[1], { phone: '1', tags: ['new'] });
  const report = await loadAccount(db, file, { dryRun: true });
  assert.equal(await exportText(slug), before);
  assert.deepEqual(
    report.changes.filter(({ noun }) => noun !== 'project'),
    [
      { noun: 'unit', name: 'ridge-road/1B', change: 'removed', fields: [], added: [] },
      { noun: 'unit', name: 'ridge-road/1C', change: 'created', fields: [], added: [] },
      {
        noun: 'unit',
        name: 'matai-lane/1A',
        change: 'updated',
        fields: [{ field: 'price', from: null, to: 5 }],
        added: [],
      },
      {
        noun: 'contact',
        name: 'mele@example.com',
        change: 'updated',
        fields: [{ field: 'phone', from: null, to: '1' }],
        added: ['tags +1'],
      },
    ],
  );
  const { changes: _, ...counts } = report;
  const { changes: __, ...loaded } = await loadAccount(db, file);
  assert.deepEqual(counts, loaded);
  await assert.rejects(loadAccount(db, before, { dryRun: true }), /has changed since/);
});

test('a dry run for a new slug says that the account would be created', async () => {
  const slug = newSlug();
  const report = await loadAccount(db, fullFile(slug), { dryRun: true });
  assert.deepEqual(
    [report.account, report.contacts.created, report.tags.created],
    ['created', 3, 4],
  );
  assert.equal(await findAccountBySlug(db, slug), undefined);
});

test('a load for existing accounts only refuses an unknown slug', async () => {
  const slug = newSlug();
  const load = loadAccount(db, fullFile(slug), { existing: true });
  await assert.rejects(load, ({ faults }) => {
    assert.equal(faults[0].pointer, '/account/slug');
    return true;
  });
  assert.equal(await findAccountBySlug(db, slug), undefined);
  await loadAccount(db, fullFile(slug));
  await loadAccount(db, fullFile(slug), { existing: true });
});

test('a row that no export has seen does not hold up an export of before', async () => {
  const slug = await loadFull();
  const file = await exported(slug);
  await loadAccount(db, fileOf(slug, { contacts: [{ id: id(900), email: 'later@example.com' }] }));
  const { contacts } = await loadAccount(db, file);
  assert.deepEqual(contacts, { created: 0, updated: 0, unchanged: 3 });
});
