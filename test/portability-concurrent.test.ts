import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { lockAccount } from '../src/accounts/index.ts';
import { runInTransaction, type Queryable } from '../src/platform/database/index.ts';
import { AccountFileError, loadAccount } from '../src/portability/index.ts';
import { accountIdOf } from './support/accounts.ts';
import { lockEmails, someoneWaits } from './support/locks.ts';
import { leadImporter } from './support/leads.ts';
import {
  portability,
  newSlug,
  id,
  P1,
  P2,
  U1,
  U2,
  C2,
  withSlug,
  fullFile,
  handWritten,
} from './support/account-files.ts';
import { run } from './support/sql.ts';

const { db, exported } = await portability();
const importLeads = await leadImporter({ after }, db);

test('two loads of one new account at the same time make one account, as if they ran one after the other', async () => {
  for (let round = 0; round < 2; round += 1) {
    const slug = newSlug();
    const reports = await Promise.all([1, 2, 3].map(() => loadAccount(db, handWritten(slug))));
    assert.deepEqual(reports.map(({ account }) => account).toSorted(), [
      'created',
      'updated',
      'updated',
    ]);
    const { contacts, projects, tags } = await exported(slug);
    assert.deepEqual([contacts.length, projects.length, tags.length], [2, 2, 2]);
  }
});

test('a load holds up neither an import nor a load of another account', async () => {
  const [slug, other] = [newSlug(), newSlug()];
  await loadAccount(db, fullFile(slug));
  const accountId = await accountIdOf(db, { slug });
  await runInTransaction(db, async (tx) => {
    await lockAccount(tx, accountId);
    const lead = { email: 'new@example.com', tag: 'new', projectId: P1, unitId: U2 };
    const [result] = await importLeads(slug, [lead]);
    assert.equal(result?.action, 'created');
    await loadAccount(db, fullFile(other));
  });
});

/** Begins to load a change of a contact whose email is locked, and does something in the transaction that has locked it. */
async function loadWhileEmailLocked(
  meanwhile: (tx: Queryable, account: { slug: string; accountId: string }) => Promise<void>,
) {
  const slug = newSlug();
  await loadAccount(db, fullFile(slug));
  const accountId = await accountIdOf(db, { slug });
  const file = withSlug(slug, { contacts: [{ email: 'new@example.com', stage: 'Qualified' }] });
  const load = await runInTransaction(db, async (tx) => {
    await lockEmails(tx, accountId, ['new@example.com']);
    const report = loadAccount(db, file);
    await someoneWaits(db);
    await meanwhile(tx, { slug, accountId });
    return { report };
  });
  return { slug, accountId, report: await load.report };
}

test('a load waits for the transaction that has locked the email of a contact, and sees its changes', async () => {
  const { slug, report } = await loadWhileEmailLocked(async (tx, { accountId }) => {
    await tx.query({
      name: '',
      text: `insert into contacts (account_id, id, email, email_key, name, created_at, search_text, has_phone)
        values ($1, $2, 'new@example.com', 'new@example.com', 'New', now(), '', false)`,
      values: [accountId, id(900)],
    });
  });
  assert.deepEqual(report.contacts, { created: 0, updated: 1, unchanged: 0 });
  const { contacts } = await exported(slug);
  assert.deepEqual([contacts[3].name, contacts[3].stage], ['New', 'Qualified']);
});

test('a load that waits for a lock logs its events with a time after those of an import that commits meanwhile', async () => {
  const { accountId } = await loadWhileEmailLocked(async (_tx, { slug }) => {
    await importLeads(slug, [{ email: 'other@example.com' }]);
  });
  const { rows } = await db.query<{ at: Date }>({
    name: '',
    text: 'select at from events where account_id = $1 order by sequence',
    values: [accountId],
  });
  const times = rows.map(({ at }) => at.getTime());
  assert.deepEqual(
    times,
    times.toSorted((one, other) => one - other),
  );
});

test('a load that names a contact which is merged away meanwhile is refused, rather than making it again without an email', async () => {
  const slug = newSlug();
  await loadAccount(db, fullFile(slug));
  const accountId = await accountIdOf(db, { slug });
  const file = withSlug(slug, { contacts: [{ id: C2, phone: '7' }] });
  let load: Promise<unknown> | undefined;
  await runInTransaction(db, async (tx) => {
    await lockEmails(tx, accountId, ['mele@example.com']);
    load = loadAccount(db, file).catch((error: unknown) => error);
    await someoneWaits(db);
    await run(tx, 'delete from contacts where account_id = $1 and id = $2', [accountId, C2]);
  });
  const refused = await load;
  assert.ok(refused instanceof AccountFileError);
  assert.deepEqual(
    refused.faults.map(({ pointer }) => pointer),
    ['/contacts/0/email'],
  );
});

test('loads during imports of the same contacts lose nothing and duplicate nothing', async () => {
  const slug = newSlug();
  await loadAccount(db, fullFile(slug));
  const emails = Array.from({ length: 30 }, (_, index) => `c${index}@example.com`);
  const imports = Array.from({ length: 20 }, (_, round) =>
    importLeads(
      slug,
      emails
        .map((email, index) => ({
          email,
          notes: `note ${round}`,
          tags: [`tag ${round}`, `other ${index}`],
          projectId: P1,
          ...(round % 2 === 0 && { unitId: U2 }),
        }))
        .toSorted(
          (a, b) => ((a.email.length * 7 + round) % 3) - ((b.email.length * 7 + round) % 3),
        ),
    ),
  );
  const loads = Array.from({ length: 6 }, (_, round) =>
    loadAccount(
      db,
      withSlug(slug, {
        projects: [
          { id: P1, name: `Ridge ${round}` },
          { id: P2, name: `Matai ${round}` },
        ],
        tags: emails.map((_email, index) => ({ label: `tag ${index}` })).toReversed(),
        contacts: emails.map((email) => ({ email, companyName: 'Company', tags: ['loaded'] })),
      }),
    ),
  );
  const results = (await Promise.all(imports)).flat();
  await Promise.all(loads);
  for (const { problem } of results) assert.equal(problem, undefined);
  const { contacts } = await exported(slug);
  assert.equal(contacts.length, emails.length + 3);
  for (const contact of contacts.slice(3)) {
    assert.equal(contact.companyName, 'Company');
    assert.equal(contact.activities.length, 20);
    assert.equal(contact.tags.length, 22);
    assert.equal(contact.links.length, 2);
  }
});

test('a unit that is linked while it is removed stays, and the load is refused for it', async () => {
  const slug = newSlug();
  await loadAccount(db, fullFile(slug));
  const accountId = await accountIdOf(db, { slug });
  let load: Promise<unknown> | undefined;
  await runInTransaction(db, async (tx) => {
    await tx.query({
      name: '',
      text: `insert into contact_links (account_id, id, contact_id, project_id, unit_id) values ($1, $2, $3, $4, $5)`,
      values: [accountId, id(900), C2, P1, U2],
    });
    const file = withSlug(slug, { projects: [{ id: P1, units: [{ id: U1 }] }] });
    load = loadAccount(db, file, { prune: true }).catch((error: unknown) => error);
    await someoneWaits(db);
  });
  const error = await load;
  if (!(error instanceof AccountFileError)) throw error;
  assert.deepEqual(
    error.faults.map(({ pointer }) => pointer),
    ['/projects/0/units'],
  );
  assert.equal((await exported(slug)).projects[0].units.length, 2);
});
