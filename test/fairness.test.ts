import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { findAccountBySlug } from '../src/accounts/index.ts';
import {
  developersOf,
  LIVE,
  OTHER_LIVE,
  OTHER_UNIT,
  OTHER_USER,
  UNIT,
  USER,
  type Developer,
} from './developer.ts';
import { build } from './harness.ts';
import { waitingForLocks, whileLocked } from './locks.ts';
import { run } from './instances.ts';
import { statementsOf } from './statements.ts';

const FLOOD = 64;
const STOCKLIST = '/api/v1/stocklist';
const CONTACTS = '/api/v1/contacts';

const service = await build({ after });
const developer = developersOf(service);
let count = 0;

// A page that nobody has asked for.
const coldPage = () => `${STOCKLIST}?updated_since=${new Date((count += 1)).toISOString()}`;

const read = async ({ key }: Developer, url: string) => (await service.send({ url, key })).status;

async function batch({ key }: Developer, payload: object | string): Promise<number> {
  const headers = { 'content-type': 'application/json' };
  const url = `${CONTACTS}/batch`;
  return (await service.send({ method: 'POST', url, key, headers, payload })).status;
}

/** Sends many requests at once; gives how many of them are answered, when it is asked. */
function flood(send: () => Promise<number>) {
  let answered = 0;
  const all = Array.from({ length: FLOOD }, async () => {
    const status = await send();
    answered += 1;
    return status;
  });
  return { answered: () => answered, all: Promise.all(all) };
}

test('pages of one account that wait for the database keep no connection from others', async () => {
  const [busy, quiet] = [await developer(), await developer()];
  assert.equal(await read(quiet, STOCKLIST), 200);
  let flooded: Promise<number[]> | undefined;
  await whileLocked(service.db, 'units', async () => {
    const { all, answered } = flood(() => read(busy, coldPage()));
    flooded = all;
    await sleep(500);
    // A page reads its order and what has changed at the same time.
    const waiting = await waitingForLocks(service.db);
    assert.ok(waiting <= 2, `${waiting} connections`);
    // Its key is looked up each time: it is remembered for less than that.
    for (let n = 0; n < 3; n += 1) {
      assert.equal(await read(quiet, STOCKLIST), 200);
      await sleep(300);
    }
    assert.equal(answered(), 0);
  });
  assert.deepEqual(new Set(await flooded), new Set([200]));
});

test('a page of one account does not wait for all of another’s', async () => {
  const [busy, quiet] = [await developer(), await developer()];
  await Promise.all([read(busy, STOCKLIST), read(quiet, STOCKLIST)]);
  const { all, answered } = flood(() => read(busy, coldPage()));
  assert.equal(await read(quiet, coldPage()), 200);
  assert.ok(answered() < FLOOD / 4, `${answered()} came first`);
  await all;
});

test('batches of one account that wait are not looked at, and another’s are', async () => {
  const [busy, quiet] = [await developer(), await developer()];
  const leads = () => ({ contacts: [{ email: `batch-${(count += 1)}@example.com` }] });
  let flooded: Promise<number[]> | undefined;
  let malformed: Promise<number> | undefined;
  await whileLocked(service.db, 'imports', async () => {
    const { all, answered } = flood(() => batch(busy, leads()));
    flooded = all;
    malformed = batch(busy, '{');
    let isLookedAt = false;
    void malformed.then(() => (isLookedAt = true));
    await sleep(300);
    const waiting = await waitingForLocks(service.db);
    assert.ok(waiting <= 2, `${waiting} connections`);
    assert.equal(await batch(quiet, '{'), 400);
    assert.equal(answered(), 0);
    assert.equal(isLookedAt, false);
  });
  assert.deepEqual(new Set(await flooded), new Set([200]));
  assert.equal(await malformed, 400);
});

/** How many contacts of an account came with each transaction. */
async function transactionSizes({ slug }: Developer): Promise<number[]> {
  const { rows } = await run(
    service.db,
    'select count(*)::int as count from contacts where account_id = $1 group by xmin::text',
    [await findAccountBySlug(service.db, slug)],
  );
  return (rows as { count: number }[]).map(({ count }) => count);
}

test('beside another account, what one sends one by one goes in small transactions', async () => {
  const [busy, alone, quiet] = [await developer(), await developer(), await developer()];
  const lead = async ({ post }: Developer) =>
    (await post({ email: `single-${(count += 1)}@example.com` })).status;
  // Longer than anyone who was there a moment ago counts as being there.
  await sleep(1_100);
  assert.deepEqual(new Set(await flood(() => lead(alone)).all), new Set([201]));
  assert.ok(Math.max(...(await transactionSizes(alone))) > 16);
  assert.equal(await lead(quiet), 201);
  const { all, answered } = flood(() => lead(busy));
  while (answered() < FLOOD) assert.equal(await lead(quiet), 201);
  assert.deepEqual(new Set(await all), new Set([201]));
  const sizes = await transactionSizes(busy);
  assert.ok(Math.max(...sizes) <= 16 && sizes.length < FLOOD / 2, sizes.join(' '));
});

test('beside another account a piece of a batch is sent when the one before it is written', async () => {
  const [busy, quiet] = [await developer(), await developer()];
  const leads = () =>
    Array.from({ length: 250 }, () => ({ email: `piece-${(count += 1)}@example.com` }));
  async function sentWhileLocked(): Promise<number> {
    let answer: Promise<number> | undefined;
    const statements = await statementsOf(() =>
      whileLocked(service.db, 'imports', async () => {
        answer = batch(busy, { contacts: leads() });
        await sleep(1_000);
      }),
    );
    assert.equal(await answer, 200);
    return statements.filter((name) => name === 'import_write').length;
  }
  // Longer than anyone who was there a moment ago counts as being there.
  await sleep(1_100);
  // The last of the five goes with COMMIT.
  assert.equal(await sentWhileLocked(), 4);
  assert.equal(await read(quiet, STOCKLIST), 200);
  assert.equal(await sentWhileLocked(), 1);
});

test('beside another account a batch is locked, looked up and written in pieces of 16, and does what it does alone', async () => {
  const [busy, quiet] = [await developer(), await developer()];
  const references = [
    { projectId: LIVE, unitId: UNIT, assignedAccountUserId: USER },
    { projectId: OTHER_LIVE, unitId: OTHER_UNIT, assignedAccountUserId: OTHER_USER },
  ];
  const firsts = Array.from({ length: 40 }, (_, index) => ({
    email: `piece-${(count += 1)}@example.com`,
    ...references[Math.floor(index / 20)],
  }));
  // Each email in two pieces: whom both find is one contact.
  const contacts = [...firsts, ...firsts].map((each) => ({ ...each, tags: ['One', 'Two'] }));
  const parts = ['emails_lock', 'leads_find', 'import_write'];
  async function counted(summary: object): Promise<number[]> {
    const statements = await statementsOf(async () => {
      const url = `${CONTACTS}/batch`;
      const payload = { contacts };
      const { body } = await service.send({ method: 'POST', url, key: busy.key, payload });
      assert.deepEqual(body.summary, summary);
    });
    return parts.map((part) => statements.filter((name) => name === part).length);
  }
  // Longer than anyone who was there a moment ago counts as being there.
  await sleep(1_100);
  assert.deepEqual(await counted({ created: 40, merged: 40, refused: 0 }), [1, 1, 2]);
  assert.equal(await read(quiet, STOCKLIST), 200);
  assert.deepEqual(await counted({ created: 0, merged: 80, refused: 0 }), [3, 5, 5]);
  const accountId = await findAccountBySlug(service.db, busy.slug);
  const { rows } = await run(
    service.db,
    `select (select count(*)::int from contacts where account_id = $1) as contacts,
      (select count(*)::int from contact_tags where account_id = $1) as tags,
      (select count(*)::int from contact_links where account_id = $1) as links`,
    [accountId],
  );
  assert.deepEqual(rows, [{ contacts: 40, tags: 80, links: 40 }]);
});

test('named requests of one account take no more than their share of connections', async () => {
  const [busy, quiet] = [await developer(), await developer()];
  let flooded: Promise<number[]> | undefined;
  await whileLocked(service.db, 'idempotency_keys', async () => {
    const { all, answered } = flood(async () => {
      const headers = { 'idempotency-key': `key-${(count += 1)}` };
      const payload = { email: `${count}@example.com` };
      const request = { method: 'POST', url: CONTACTS, key: busy.key, headers, payload } as const;
      return (await service.send(request)).status;
    });
    flooded = all;
    await sleep(500);
    assert.equal(await waitingForLocks(service.db), 2);
    assert.equal((await quiet.post({ email: 'quiet@example.com' })).status, 201);
    assert.equal(await read(quiet, coldPage()), 200);
    assert.equal(answered(), 0);
  });
  assert.deepEqual(new Set(await flooded), new Set([201]));
});
