import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, test } from 'node:test';
import { openPool, runInTransaction, type Queryable } from '../../src/platform/database/index.ts';
import { accountIdOf } from '../support/accounts.ts';
import { setInDatabase } from '../support/databases.ts';
import { developersOf, LIVE, UNIT } from '../support/developer.ts';
import { faultyDatabase } from '../support/faults.ts';
import { build, databaseUrl } from '../support/harness.ts';
import { BATCH, sender, sendTo } from '../support/imports.ts';
import { instance } from '../support/instances.ts';
import { endWaiting, lockEmails, someoneWaits, whileEmailsLocked } from '../support/locks.ts';
import { assertProblem } from '../support/problem.ts';
import { run } from '../support/sql.ts';

const service = await build({ after });
const makeDeveloper = developersOf(service);
const send = sender(service);
const { db } = service;

const EMAIL = 'aroha@example.com';
const CONTACTS = '/api/v1/contacts';
const fifty = Array.from({ length: 50 }, (_, index) => index);

const insertTag = (tx: Queryable, accountId: string, key: string) =>
  run(tx, 'insert into tags (account_id, id, label, label_key) values ($1, $2, $3, $3)', [
    accountId,
    randomUUID(),
    key,
  ]);

const insertContact = (tx: Queryable, accountId: string, id: string | undefined) =>
  run(
    tx,
    `insert into contacts (account_id, id, email, email_key, created_at, search_text, has_phone)
      values ($1, $2, $3, $3, now(), '', false)`,
    [accountId, id, EMAIL],
  );

/** Starts `work` after another transaction has run `first`. That one commits as soon as `work` waits for it. */
async function againstOther<T>(
  first: (tx: Queryable) => Promise<unknown>,
  work: () => Promise<T>,
): Promise<T> {
  const { started } = await runInTransaction(db, async (tx) => {
    await first(tx);
    const working = work();
    await someoneWaits(db);
    return { started: working };
  });
  return started;
}

describe('the lock of an email', () => {
  async function isLocked(accountId: string, emailKey: string): Promise<boolean> {
    const { rows } = await run(
      db,
      `select from email_locks where account_id = $1 and email_sha256 = sha256($2) for update skip locked`,
      [accountId, emailKey],
    );
    return rows.length === 0;
  }

  test('makes POST /contacts wait for another writer of the email, and then merge into its contact', async () => {
    const developer = await makeDeveloper();
    const accountId = await accountIdOf(db, developer);
    const id = '0196a000-0000-7000-8000-000000000777';
    const { status, body } = await againstOther(
      async (tx) => {
        await lockEmails(tx, accountId, [EMAIL]);
        await insertContact(tx, accountId, id);
      },
      () => developer.post({ email: EMAIL }),
    );
    assert.deepEqual([status, body.contactId], [200, id]);
  });

  test('makes PATCH of an email wait for another writer of the new email, and then answer 409', async () => {
    const [id, otherId] = [7, 8].map((n) => `0196a000-0000-7000-8000-00000000077${n}`);
    const developer = await makeDeveloper([{ id, email: 'mele@example.com' }]);
    const accountId = await accountIdOf(db, developer);
    const key = await service.key(developer.slug, 'all');
    const url = `${CONTACTS}/${id}`;
    const answer = await againstOther(
      async (tx) => {
        await lockEmails(tx, accountId, [EMAIL]);
        await insertContact(tx, accountId, otherId);
      },
      () => service.send({ method: 'PATCH', url, key, payload: { email: EMAIL } }),
    );
    assertProblem(answer, 'email_in_use', url);
    assert.deepEqual(answer.body.matchingContactIds, [otherId]);
  });

  test('is taken again without writing its row again', async () => {
    const developer = await makeDeveloper();
    const accountId = await accountIdOf(db, developer);
    const rowVersion = async (): Promise<unknown> =>
      (await run(db, 'select xmin, ctid from email_locks where account_id = $1', [accountId])).rows;
    await developer.post({ email: EMAIL });
    const before = await rowVersion();
    await developer.post({ email: EMAIL, notes: 'Hi' });
    assert.deepEqual(await rowVersion(), before);
  });

  test('is taken in one order by every batch, in whichever order it names its emails', async () => {
    const developer = await makeDeveloper();
    const accountId = await accountIdOf(db, developer);
    const [first, second, last] = ['a@example.com', 'b@example.com', 'ā@example.com'] as const;
    await runInTransaction(db, (tx) => lockEmails(tx, accountId, [first, second, last]));
    const contacts = [last, second, first].map((email) => ({ email }));
    const { answer } = await whileEmailsLocked(db, accountId, [last], async () => {
      const sent = send(developer, { contacts }, { url: BATCH });
      await someoneWaits(db);
      for (const key of [first, second]) assert.equal(await isLocked(accountId, key), true, key);
      return { answer: sent };
    });
    assert.equal((await answer).body.summary.created, 3);
  });

  test('makes neither another email nor another account wait', async () => {
    const developer = await makeDeveloper();
    const other = await makeDeveloper();
    await whileEmailsLocked(db, await accountIdOf(db, developer), [EMAIL], async () => {
      assert.equal((await developer.post({ email: 'mele@example.com' })).status, 201);
      assert.equal((await other.post({ email: EMAIL })).status, 201);
    });
  });
});

describe('a new tag that another writer of the account inserts first is used by', () => {
  const CONTACT_ID = '0196a000-0000-7000-8000-000000000779';
  const leads = [
    { email: EMAIL, tag: 'HOT' },
    { email: 'rua@example.com', tag: 'Hot' },
  ];
  for (const [what, url, payload, expected] of [
    ['a lead', CONTACTS, leads[0] ?? {}, 200],
    ['a batch', BATCH, { contacts: leads }, 200],
    ['an edit', `${CONTACTS}/bulk`, { ids: [CONTACT_ID], addTags: ['HOT'] }, 200],
  ] as const)
    test(`${what}, which waits for that writer before it inserts tags`, async () => {
      const developer = await makeDeveloper([{ id: CONTACT_ID, email: EMAIL }]);
      const accountId = await accountIdOf(db, developer);
      const key = await service.key(developer.slug, 'all');
      const { answer } = await runInTransaction(db, async (tx) => {
        await run(tx, 'select from account_revisions where account_id = $1 for update', [
          accountId,
        ]);
        const sent = service.send({ method: 'POST', url, key, payload });
        await someoneWaits(db);
        // It fails here if the other one has inserted the tag before it waits.
        await run(tx, `set local lock_timeout = '100ms'`);
        await insertTag(tx, accountId, 'hot');
        return { answer: sent };
      });
      assert.equal((await answer).status, expected);
      assert.deepEqual((await developer.contact(EMAIL)).tags, ['hot']);
    });
});

test('an import that PostgreSQL ends in a deadlock is retried, and answers 201', async () => {
  const developer = await makeDeveloper();
  const accountId = await accountIdOf(db, developer);
  await runInTransaction(db, (tx) => lockEmails(tx, accountId, [EMAIL]));
  const { answer } = await runInTransaction(db, async (tx) => {
    // PostgreSQL ends the transaction that looks for a deadlock first: the import.
    await run(tx, `set local deadlock_timeout = '60s'`);
    await insertTag(tx, accountId, 'hot');
    const sent = developer.post({ email: EMAIL, tag: 'Hot', notes: 'Hi' });
    await someoneWaits(db);
    await lockEmails(tx, accountId, [EMAIL]);
    return { answer: sent };
  });
  assert.equal((await answer).status, 201);
  const { tags, activities } = await developer.contact(EMAIL);
  assert.deepEqual([tags, activities.length], [['hot'], 1]);
});

test('POST /contacts answers 422 when its unit is removed while the lead is linked to it', async () => {
  const developer = await makeDeveloper();
  const accountId = await accountIdOf(db, developer);
  const answer = await againstOther(
    (tx) => run(tx, 'delete from units where account_id = $1 and id = $2', [accountId, UNIT]),
    () => developer.post({ email: EMAIL, projectId: LIVE, unitId: UNIT }),
  );
  assertProblem(answer, 'unit_not_in_project', CONTACTS);
  assert.deepEqual((await developer.exported()).contacts, []);
});

test('an email that someone holds is a 503 for its own lead, and not for the leads that arrive with it', async (t) => {
  const developer = await makeDeveloper();
  const accountId = await accountIdOf(db, developer);
  const url = await databaseUrl(db);
  await setInDatabase(url, `lock_timeout = '100ms'`);
  t.after(() => setInDatabase(url, 'lock_timeout = default'));
  const impatient = openPool(url, () => undefined, { lockTimeoutMs: 100 });
  t.after(() => impatient.end());
  const app = await instance(t, impatient);
  const post = (name: string) => sendTo(app, developer, { email: `${name}@example.com` });
  await whileEmailsLocked(db, accountId, ['held@example.com'], async () => {
    const answers = await Promise.all(['a', 'b', 'held', 'c', 'd'].map(post));
    const statuses = answers.map(({ status }) => status);
    assert.deepEqual(statuses, [201, 201, 503, 201, 201]);
  });
  assert.equal((await post('held')).status, 201);
});

describe('a connection that is lost', () => {
  test('before COMMIT is a 503, nothing is stored, and the lead can be sent again', async () => {
    const developer = await makeDeveloper();
    const before = await developer.exported();
    const lead = { email: EMAIL, notes: 'Hi', tag: 'Hot' };
    await whileEmailsLocked(db, await accountIdOf(db, developer), [EMAIL], async () => {
      const answer = developer.post(lead);
      await someoneWaits(db);
      await endWaiting(db);
      assertProblem(await answer, 'unavailable', CONTACTS);
    });
    assert.deepEqual(await developer.exported(), before);
    assert.equal((await developer.post(lead)).status, 201);
  });

  for (const [fault, isStored] of [
    ['commit is lost', false],
    ['answer is lost', true],
  ] as const)
    test(`in COMMIT, when its ${fault}, is a 503, and sending again doubles nothing`, async (t) => {
      const { pool, breakNextCommit } = await faultyDatabase(t, db);
      const app = await instance(t, pool);
      const developer = await makeDeveloper([{ email: EMAIL }]);
      const lead = { email: EMAIL, notes: 'Hi', tag: 'Hot', projectId: LIVE };
      breakNextCommit(fault);
      const answer = await sendTo(app, developer, lead);
      assertProblem(answer, 'unavailable', CONTACTS);
      assert.equal(answer.headers['retry-after'], '1');
      assert.equal((await developer.contact(EMAIL)).links.length, isStored ? 1 : 0);
      assert.equal((await sendTo(app, developer, lead)).status, 200);
      const { tags, activities, links } = await developer.contact(EMAIL);
      assert.deepEqual([tags.length, activities.length, links.length], [1, 1, 1]);
    });

  test('in COMMIT is a 503 for each lead of the transaction, and sending all again doubles nothing', async (t) => {
    const { pool, breakNextCommit } = await faultyDatabase(t, db);
    const app = await instance(t, pool);
    const bodies = fifty.map((n) => ({ email: `${n}@example.com`, notes: 'Hi' }));
    const developer = await makeDeveloper(bodies.map(({ email }) => ({ email })));
    const sent = bodies.map((body) => sendTo(app, developer, body));
    await Promise.race(sent);
    breakNextCommit('answer is lost');
    const answers = await Promise.all(sent);
    for (const answer of answers)
      if (answer.status >= 300) assertProblem(answer, 'unavailable', CONTACTS);
    assert.ok(answers.some(({ status }) => status === 503));
    await Promise.all(bodies.map((body) => sendTo(app, developer, body)));
    const { contacts } = await developer.exported();
    assert.equal(contacts.length, 50);
    for (const { activities } of contacts) assert.equal(activities.length, 1);
  });
});
