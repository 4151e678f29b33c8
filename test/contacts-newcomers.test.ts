import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  developersOf,
  DRAFT,
  INACTIVE_USER,
  LIVE,
  NOWHERE,
  OTHER_LIVE,
  OTHER_UNIT,
  UNIT,
  USER,
  WITHDRAWN_UNIT,
  type Developer,
} from './developer.ts';
import { build } from './harness.ts';
import { BATCH, named, sender, written } from './imports.ts';
import { committing } from '../src/imports/files/importers.ts';
import { readImport } from '../src/imports/request.ts';
import { emailsLock } from '../src/contacts/index.ts';
import { accountIdOf, run } from './instances.ts';
import { submissionOf } from './leads.ts';
import { someoneWaits } from './locks.ts';
import { statementsOf as allStatementsOf } from './statements.ts';

const service = await build({ after });
const { db } = service;
const developer = developersOf(service);
const send = sender(service);

const EMAIL = 'aroha@example.com';
const ALONE = ['newcomers_write'];
const LOOKED_UP = ['begin isolation level read committed', 'emails_lock', 'leads_find'];
const TOGETHER = [...LOOKED_UP, 'import_write', 'commit'];

/** The statements of some work, except the look-up of its key, which a slow machine repeats in the middle. */
const statementsOf = async (work: () => Promise<unknown>): Promise<string[]> =>
  (await allStatementsOf(work)).filter((name) => name !== 'api_key_look_up');

/** A developer whose key has been looked up. */
async function known(): Promise<Developer> {
  const made = await developer();
  await service.send({ method: 'GET', url: '/api/v1/stocklist', key: made.key });
  return made;
}

/** The same with these tags, whose next lead is taken for a newcomer's. */
async function knownWith(...tags: string[]): Promise<Developer> {
  const made = await known();
  for (const n of [1, 2]) await made.post({ email: `tags-${n}@example.com`, tags });
  return made;
}

describe('a lead whose email nobody has', () => {
  test('is one statement, whatever it has, once its tags are there', async () => {
    const made = await known();
    const lead = (email: string) => ({
      email,
      tags: ['Hot', 'Open day', 'hot'],
      notes: 'Hi',
      projectId: LIVE,
      unitId: UNIT,
      assignedAccountUserId: USER,
    });
    const withNewTags = await statementsOf(() => made.post(lead('first@example.com')));
    assert.deepEqual(withNewTags.slice(0, 4), [...ALONE, ...LOOKED_UP]);
    assert.deepEqual(await statementsOf(() => made.post(lead('second@example.com'))), TOGETHER);
    assert.deepEqual(await statementsOf(() => made.post(lead(EMAIL))), ALONE);
    const { tags, activities, links, ...contact } = await made.contact(EMAIL);
    assert.deepEqual(tags, ['Hot', 'Open day']);
    assert.deepEqual([activities.length, links.length], [1, 1]);
    assert.deepEqual([links[0].projectId, links[0].unitId], [LIVE, UNIT]);
    assert.equal(contact.assignedAccountUserId, USER);
  });

  test('is looked up first when the lead before was of somebody who is there', async () => {
    const made = await known();
    const post = (email: string) => statementsOf(() => made.post({ email }));
    assert.deepEqual(await post(EMAIL), ALONE);
    assert.deepEqual(await post(EMAIL), [...ALONE, ...TOGETHER]);
    assert.deepEqual(await post(EMAIL), TOGETHER);
    assert.deepEqual(await post('2@example.com'), TOGETHER);
    assert.deepEqual(await post('3@example.com'), ALONE);
  });

  test('is looked up first with an Idempotency-Key, and in a batch of more than 50, or of 16 beside others', async () => {
    const made = await known();
    const keyed = await statementsOf(() => send(made, { email: EMAIL }, { headers: named('a') }));
    assert.ok(!keyed.includes('newcomers_write'));
    const batch = async (count: number): Promise<string[]> => {
      const contacts = Array.from({ length: count }, () => ({ email: `${randomUUID()}@a.nz` }));
      return statementsOf(() => send(made, { contacts }, { url: BATCH }));
    };
    const other = await known();
    // Longer than anyone who was there a moment ago counts as being there.
    await sleep(1_100);
    assert.deepEqual(await batch(50), ALONE);
    assert.deepEqual((await batch(51)).slice(0, 3), LOOKED_UP);
    await other.post({ email: 'beside@example.com' });
    assert.deepEqual(await batch(16), ALONE);
    assert.deepEqual((await batch(17)).slice(0, 3), [LOOKED_UP[0], 'emails_lock', 'emails_lock']);
  });

  test('is one with a hundred others of a file, and is looked up first after one of somebody who is there', async () => {
    const accountId = await accountIdOf(db, await known());
    const importRows = committing(db, accountId);
    const rows = (from: number) =>
      Array.from({ length: 100 }, (_, n) => {
        const [each] = submissionOf(readImport({ email: `row-${from + n}@a.nz` })).imports;
        assert.ok(each);
        return each;
      });
    const importing = (from: number) => statementsOf(() => importRows(rows(from)));
    assert.deepEqual(await importing(0), ALONE);
    assert.deepEqual(await importing(50), [...ALONE, ...TOGETHER]);
    assert.deepEqual(await importing(150), TOGETHER);
    assert.deepEqual(await importing(250), ALONE);
  });

  test('is merged with the contact that a migration by hand put there without a lock', async () => {
    const made = await known();
    await run(
      db,
      `insert into contacts (account_id, id, email, email_key) values ($1, $2, $3, $3)`,
      [await accountIdOf(db, made), randomUUID(), EMAIL],
    );
    assert.equal((await made.post({ email: EMAIL, phone: '1' })).body.action, 'merged');
    assert.equal((await made.contact(EMAIL)).phone, '1');
  });

  test('waits for whoever makes a contact of it, and is one when that comes to nothing', async () => {
    const made = await known();
    const accountId = await accountIdOf(db, made);
    const client = await db.connect();
    try {
      await client.query('begin');
      await emailsLock(client, accountId, [EMAIL]);
      const sent = statementsOf(async () => {
        const answer = made.post({ email: EMAIL });
        await someoneWaits(db);
        await client.query('rollback');
        assert.equal((await answer).status, 201);
      });
      assert.ok(!(await sent).includes('leads_find'));
    } finally {
      client.release();
    }
  });

  test('is a newcomer to an account, whoever else knows the email', async () => {
    const [one, other] = [await known(), await known()];
    await one.post({ email: EMAIL, notes: 'Hi' });
    assert.deepEqual(await statementsOf(() => other.post({ email: EMAIL })), ALONE);
    assert.deepEqual((await other.contact(EMAIL)).activities, []);
  });
});

describe('what is wrong with a newcomer is refused, and leaves nothing but its record:', () => {
  for (const [what, lead, status] of [
    ['a project that is not there', { projectId: NOWHERE }, 422],
    ['one that is not live', { projectId: DRAFT }, 422],
    ['a project that has no id', { projectId: 'harbourlight' }, 422],
    ['a unit that is withdrawn', { projectId: LIVE, unitId: WITHDRAWN_UNIT }, 422],
    ['a unit of another project', { projectId: LIVE, unitId: OTHER_UNIT }, 422],
    ['a unit alone', { unitId: UNIT }, 422],
    ['a unit of a project that has no id', { projectId: `${LIVE} `, unitId: UNIT }, 422],
    ['a unit that has no id', { projectId: LIVE, unitId: '1A' }, 422],
    ['a unit in a spelling of PostgreSQL', { projectId: LIVE, unitId: `{${UNIT}}` }, 422],
    ['a user who is not active', { assignedAccountUserId: INACTIVE_USER }, 422],
    ['no email', { email: undefined }, 400],
  ] as const)
    test(what, async () => {
      const made = await knownWith('Hot');
      const { imports: before, email_locks: locksBefore, ...others } = await written(db);
      const answer = await send(made, { email: EMAIL, tag: 'Hot', ...lead });
      assert.equal(answer.status, status, answer.text);
      const { imports, email_locks: locks, ...now } = await written(db);
      assert.deepEqual(now, others);
      assert.equal(imports?.length, (before?.length ?? 0) + 1);
      // The lock of an email stays, as a row that nobody has to make again.
      assert.ok((locks?.length ?? 0) <= (locksBefore?.length ?? 0) + 1);
    });
});

test('of newcomers that go together each has its own, and one that is none sends all to be looked up', async () => {
  const made = await knownWith('One', 'Two');
  const contacts = [
    { email: EMAIL, tag: 'One', projectId: LIVE, unitId: UNIT },
    { email: 'no email' },
    { email: 'hana@example.com', tag: 'Two', projectId: OTHER_LIVE, unitId: OTHER_UNIT },
    { email: EMAIL.toUpperCase(), notes: 'Again', projectId: LIVE, unitId: UNIT },
  ];
  const batch = (all: object[]) => send(made, { contacts: all }, { url: BATCH });
  let answer;
  const sent = await statementsOf(async () => (answer = await batch(contacts)));
  assert.deepEqual(sent, ALONE);
  const { summary } = (answer as unknown as { body: { summary: object } }).body;
  assert.deepEqual(summary, { created: 2, merged: 1, refused: 1 });
  const [aroha, hana] = [await made.contact(EMAIL), await made.contact('hana@example.com')];
  assert.deepEqual([aroha.tags, aroha.links.length, aroha.activities.length], [['One'], 1, 1]);
  assert.deepEqual([hana.tags, hana.links[0].unitId], [['Two'], OTHER_UNIT]);
  const again = await batch([{ email: 'mele@example.com' }, { email: EMAIL, notes: 'Thrice' }]);
  assert.deepEqual([again.body.summary.created, again.body.summary.merged], [1, 1]);
  assert.equal((await made.contact(EMAIL)).activities.length, 2);
});

test('a lead that names its unit wrongly takes no other along, whichever comes first', async () => {
  const good = { email: EMAIL, projectId: LIVE, unitId: UNIT };
  for (const wrong of [
    { projectId: LIVE, unitId: '1A' },
    { projectId: LIVE, unitId: `{${UNIT}}` },
    { projectId: `{${LIVE}}`, unitId: UNIT },
    { projectId: 'harbourlight', unitId: UNIT },
  ])
    for (const isFirst of [true, false]) {
      const made = await known();
      const bad = { email: 'hana@example.com', ...wrong };
      const contacts = isFirst ? [bad, good] : [good, bad];
      const { body } = await send(made, { contacts }, { url: BATCH });
      assert.deepEqual(body.summary, { created: 1, merged: 0, refused: 1 }, JSON.stringify(wrong));
      assert.equal((await made.contact(EMAIL)).links[0].unitId, UNIT);
    }
});

test('a newcomer beside one whose email somebody has locked before is there once, and so is its record', async () => {
  const made = await known();
  await made.refused({ email: EMAIL, projectId: NOWHERE }, 'project_not_available', '/projectId');
  await made.post({ email: 'first@example.com' });
  const contacts = [{ email: EMAIL }, { email: 'hana@example.com', notes: 'Hi' }];
  const sent = await statementsOf(() => send(made, { contacts }, { url: BATCH }));
  assert.deepEqual(sent, [...ALONE, ...TOGETHER]);
  assert.equal((await made.contact('hana@example.com')).activities.length, 1);
  const { rows } = await run(
    db,
    `select payload from imports where account_id = $1 and channel = 'batch'`,
    [await accountIdOf(db, made)],
  );
  assert.equal(rows.length, 2);
});
