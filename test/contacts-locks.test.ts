import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, test } from 'node:test';
import { importLeads } from './leads.ts';
import { toLead } from '../src/imports/lead.ts';
import { emailsLock } from '../src/contacts/index.ts';
import { openPool, transaction, type Queryable } from '../src/platform/database/index.ts';
import { developersOf, LIVE, UNIT } from './developer.ts';
import { faultyDatabase } from './faults.ts';
import { build, databaseUrl } from './harness.ts';
import { accountIdOf, instance, postTo, run } from './instances.ts';
import { someoneWaits } from './locks.ts';
import { assertProblem } from './problem.ts';

const service = await build({ after });
const developer = developersOf(service);
const { db } = service;

const EMAIL = 'aroha@example.com';
const CONTACTS = '/api/v1/contacts';
const fifty = Array.from({ length: 50 }, (_, index) => index);

const tagInsert = (tx: Queryable, accountId: string, key: string) =>
  run(tx, 'insert into tags (account_id, id, label, label_key) values ($1, $2, $3, $3)', [
    accountId,
    randomUUID(),
    key,
  ]);

/** Does `work` while another transaction has done `first`, which commits when a connection waits for it. */
async function against<T>(
  first: (tx: Queryable) => Promise<unknown>,
  work: () => Promise<T>,
): Promise<T> {
  const { underWay } = await transaction(db, async (tx) => {
    await first(tx);
    const started = work();
    await someoneWaits(db);
    return { underWay: started };
  });
  return underWay;
}

describe('the lock of an email', () => {
  const locked = async (accountId: string, emailKey: string): Promise<boolean> =>
    transaction(db, async (tx) => {
      const { rows } = await run(
        tx,
        `select from email_locks where account_id = $1 and email_key = $2 for update skip locked`,
        [accountId, emailKey],
      );
      return rows.length === 0;
    });
  const rowVersion = async (accountId: string): Promise<unknown> =>
    (await run(db, 'select xmin, ctid from email_locks where account_id = $1', [accountId])).rows;

  test('is held until the transaction ends, without writing the row again', async () => {
    const accountId = await accountIdOf(db, await developer());
    await transaction(db, (tx) => emailsLock(tx, accountId, [EMAIL]));
    assert.equal(await locked(accountId, EMAIL), false);
    const before = await rowVersion(accountId);
    await transaction(db, async (tx) => {
      await emailsLock(tx, accountId, [EMAIL]);
      assert.equal(await locked(accountId, EMAIL), true);
    });
    assert.equal(await locked(accountId, EMAIL), false);
    assert.deepEqual(await rowVersion(accountId), before);
  });

  test('makes an import wait for whoever holds it, and then see what was written', async () => {
    const made = await developer();
    const accountId = await accountIdOf(db, made);
    const id = '0196a000-0000-7000-8000-000000000777';
    const { status, body } = await against(
      async (tx) => {
        await emailsLock(tx, accountId, [EMAIL]);
        await run(
          tx,
          'insert into contacts (account_id, id, email, email_key) values ($1, $2, $3, $3)',
          [accountId, id, EMAIL],
        );
      },
      () => made.post({ email: EMAIL }),
    );
    assert.deepEqual([status, body.contactId], [200, id]);
  });

  test('is taken in one order by everyone', async () => {
    const accountId = await accountIdOf(db, await developer());
    const keys = ['b', 'a', 'ā'].map((name) => `${name}@example.com`);
    await transaction(db, (tx) => emailsLock(tx, accountId, keys));
    const [last = '', ...before] = ['ā', 'b', 'a'].map((name) => `${name}@example.com`);
    await transaction(db, async (holder) => {
      await emailsLock(holder, accountId, [last]);
      const under = transaction(db, async (tx) => {
        await emailsLock(tx, accountId, [last, ...before]);
      });
      await someoneWaits(db);
      for (const key of before) assert.equal(await locked(accountId, key), true, key);
      return { under };
    }).then(({ under }) => under);
  });

  test('holds up no other email and no other account', async () => {
    const made = await developer();
    const other = await developer();
    const accountId = await accountIdOf(db, made);
    await transaction(db, async (tx) => {
      await emailsLock(tx, accountId, [EMAIL]);
      assert.equal((await made.post({ email: 'mele@example.com' })).status, 201);
      assert.equal((await other.post({ email: EMAIL })).status, 201);
    });
  });
});

test('a new tag is made in one order by everyone', async () => {
  const made = await developer();
  const accountId = await accountIdOf(db, made);
  const outcomes = await transaction(db, async (holder) => {
    await tagInsert(holder, accountId, 'b');
    const under = importLeads(db, accountId, [toLead({ email: EMAIL, tags: 'b,a' })]);
    await someoneWaits(db);
    // The import waits for b and has made a already, so that a second one waits for it.
    await assert.rejects(
      transaction(db, async (tx) => {
        await run(tx, `set local lock_timeout = '100ms'`);
        await tagInsert(tx, accountId, 'a');
      }),
      { code: '55P03' },
    );
    return { under };
  }).then(({ under }) => under);
  assert.ok(outcomes.every((outcome) => 'action' in outcome));
  assert.deepEqual((await made.contact(EMAIL)).tags.toSorted(), ['a', 'b']);
});

test('an import that is in a deadlock with someone else is tried again', async () => {
  const made = await developer();
  const accountId = await accountIdOf(db, made);
  await transaction(db, (tx) => emailsLock(tx, accountId, [EMAIL]));
  const { underWay } = await transaction(db, async (tx) => {
    // Only who has waited for a while looks for a deadlock, and gives way: the import.
    await run(tx, `set local deadlock_timeout = '60s'`);
    await tagInsert(tx, accountId, 'hot');
    const started = made.post({ email: EMAIL, tag: 'Hot', notes: 'Hi' });
    await someoneWaits(db);
    await emailsLock(tx, accountId, [EMAIL]);
    return { underWay: started };
  });
  assert.equal((await underWay).status, 201);
  const { tags, activities } = await made.contact(EMAIL);
  assert.deepEqual([tags, activities.length], [['hot'], 1]);
});

test('a unit that is removed while a lead is linked to it is a unit that is not there', async () => {
  const made = await developer();
  const accountId = await accountIdOf(db, made);
  const answer = await against(
    (tx) => run(tx, 'delete from units where account_id = $1 and id = $2', [accountId, UNIT]),
    () => made.post({ email: EMAIL, projectId: LIVE, unitId: UNIT }),
  );
  assertProblem(answer, 'unit_not_in_project', CONTACTS);
  assert.deepEqual((await made.exported()).contacts, []);
});

describe('a connection that is lost', () => {
  test('before COMMIT is a 503, nothing is there, and the lead can be sent again', async () => {
    const made = await developer();
    const accountId = await accountIdOf(db, made);
    const before = await made.exported();
    const lead = { email: EMAIL, notes: 'Hi', tag: 'Hot' };
    const held = transaction(db, async (tx) => {
      await emailsLock(tx, accountId, [EMAIL]);
      const answer = made.post(lead);
      await someoneWaits(db);
      await run(
        tx,
        `select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`,
      );
      assertProblem(await answer, 'unavailable', CONTACTS);
    });
    await held;
    assert.deepEqual(await made.exported(), before);
    assert.equal((await made.post(lead)).status, 201);
  });

  for (const [fault, there] of [
    ['commit is lost', false],
    ['answer is lost', true],
  ] as const)
    for (const [whose, statement] of [
      ['somebody who is there', 'commit'],
      ['a newcomer', 'newcomers_write'],
    ] as const)
      test(`in COMMIT of ${whose}, when its ${fault}, is a 503, and sending again doubles nothing`, async (t) => {
        const { pool, breakNextCommit } = await faultyDatabase(t, db);
        const app = await instance(t, pool);
        const made = await developer();
        await made.post({ email: 'tag@example.com', tag: 'Hot' });
        const isThere = statement === 'commit';
        if (isThere) await made.post({ email: EMAIL });
        const lead = { email: EMAIL, notes: 'Hi', tag: 'Hot', projectId: LIVE };
        breakNextCommit(fault, statement);
        const answer = await postTo(app, made, lead);
        assertProblem(answer, 'unavailable', CONTACTS);
        assert.equal(answer.headers['retry-after'], '1');
        const { contacts } = await made.exported();
        const stored = contacts.filter(({ links }: { links: object[] }) => links.length > 0);
        assert.equal(stored.length, there ? 1 : 0);
        const again = await postTo(app, made, lead);
        assert.equal(again.status, there || isThere ? 200 : 201);
        const { tags, activities, links } = await made.contact(EMAIL);
        assert.deepEqual([tags.length, activities.length, links.length], [1, 1, 1]);
      });

  for (const [whose, statement] of [
    ['those who are there', 'commit'],
    ['newcomers', 'newcomers_write'],
  ] as const)
    test(`in COMMIT of ${whose} is a 503 for each lead that went together, and none is doubled`, async (t) => {
      const { pool, breakNextCommit } = await faultyDatabase(t, db);
      const app = await instance(t, pool);
      const bodies = fifty.map((n) => ({ email: `${n}@example.com`, notes: 'Hi' }));
      const contacts = statement === 'commit' ? bodies.map(({ email }) => ({ email })) : [];
      const made = await developer(contacts);
      const sent = bodies.map((body) => postTo(app, made, body));
      await Promise.race(sent);
      breakNextCommit('answer is lost', statement);
      const answers = await Promise.all(sent);
      for (const answer of answers)
        if (answer.status >= 300) assertProblem(answer, 'unavailable', CONTACTS);
      assert.ok(answers.some(({ status }) => status === 503));
      await Promise.all(bodies.map((body) => postTo(app, made, body)));
      const all = (await made.exported()).contacts;
      assert.equal(all.length, 50);
      for (const { activities } of all) assert.equal(activities.length, 1);
    });
});

test('a lead whose email someone holds does not take its neighbours along', async (t) => {
  const accountId = await accountIdOf(db, await developer());
  const impatient = openPool(await databaseUrl(db), () => undefined, { lockTimeoutMs: 100 });
  t.after(() => impatient.end());
  const leads = ['a', 'b', 'held', 'c', 'd'].map((name) =>
    toLead({ email: `${name}@example.com` }),
  );
  const outcomes = await transaction(db, async (tx) => {
    await emailsLock(tx, accountId, ['held@example.com']);
    return importLeads(impatient, accountId, leads);
  });
  const told = outcomes.map((outcome) => ('action' in outcome ? outcome.action : 'refused'));
  assert.deepEqual(told, ['created', 'created', 'refused', 'created', 'created']);
  const [again] = await importLeads(impatient, accountId, leads.slice(2, 3));
  assert.ok(again && 'action' in again && again.action === 'created');
});
