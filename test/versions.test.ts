import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { mergeContacts } from '../src/contacts/index.ts';
import { loadAccount } from '../src/portability/index.ts';
import {
  C1,
  C2,
  C3,
  fullFile,
  HANA,
  newSlug,
  P1,
  P2,
  portability,
  U1,
  U2,
  U3,
} from './support/account-files.ts';
import { accountIdOf } from './support/accounts.ts';
import { leadImporter } from './support/leads.ts';
import { run } from './support/sql.ts';

const { db } = await portability();
const importLeads = await leadImporter({ after }, db);

/** Loads the full file into a new account. `versionsOf` reads the versions of its rows with these ids. */
async function loadFull() {
  const slug = newSlug();
  await loadAccount(db, fullFile(slug));
  const accountId = await accountIdOf(db, { slug });
  async function versionsOf(table: string, ...ids: string[]): Promise<number[]> {
    const text = `select version from ${table} where account_id = $1 and id = any($2) order by id`;
    const { rows } = await run(db, text, [accountId, ids]);
    return rows.map(({ version }) => Number(version));
  }
  return { slug, accountId, versionsOf };
}

test('each import that changes a contact counts in its version, and one that changes nothing does not', async () => {
  const { slug, versionsOf } = await loadFull();
  const email = 'mele@example.com';
  const leads = [
    { email, phone: '1' },
    { email },
    { email, notes: 'Hi' },
    { email, notes: 'Hi' },
    { email, tag: 'hot' },
    { email, tag: 'HOT' },
    { email, projectId: P1, unitId: U2 },
    { email, projectId: P1, unitId: U2 },
  ];
  const versions: (number | undefined)[] = [];
  for (const lead of leads) {
    const [result] = await importLeads(slug, [lead]);
    assert.equal(result?.action, 'merged');
    versions.push(...(await versionsOf('contacts', C2)));
  }
  assert.deepEqual(versions, [2, 2, 3, 3, 4, 4, 5, 5]);
});

test('a contact that an import creates has version 1, also with a note, tags and a link', async () => {
  const { slug, accountId, versionsOf } = await loadFull();
  await importLeads(slug, [{ email: 'new@example.com', notes: 'Hi', tag: 'hot', projectId: P1 }]);
  const { rows } = await run(
    db,
    `select id from contacts where account_id = $1 and email = 'new@example.com'`,
    [accountId],
  );
  assert.deepEqual(await versionsOf('contacts', String(rows[0]?.['id'])), [1]);
});

test('a merge of duplicates counts in the version of the contact that remains', async () => {
  const { accountId, versionsOf } = await loadFull();
  await mergeContacts(db, accountId, C1, [C3], { dryRun: true });
  assert.deepEqual(await versionsOf('contacts', C1, C3), [1, 1]);
  await mergeContacts(db, accountId, C1, [C3], { dryRun: false });
  assert.deepEqual(await versionsOf('contacts', C1, C3), [2]);
});

test('a load counts in the version of each row that it changes, and of no other', async () => {
  const { slug, versionsOf } = await loadFull();
  const load = (more: object) =>
    loadAccount(db, { format: 'offplan-account/1', account: { slug }, ...more });
  await load({
    users: [{ id: HANA, name: 'Hana P.' }],
    projects: [{ id: P1, slug: 'ridge', units: [{ id: U2, price: 5 }, { id: U1 }] }, { id: P2 }],
    contacts: [{ id: C2, tags: ['hot'] }, { id: C1 }],
  });
  assert.deepEqual(await versionsOf('users', HANA), [2]);
  assert.deepEqual(await versionsOf('projects', P1, P2), [2, 1]);
  assert.deepEqual(await versionsOf('units', U1, U2, U3), [1, 2, 1]);
  assert.deepEqual(await versionsOf('contacts', C1, C2), [1, 2]);
});
