import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { accountIdOf } from '../support/accounts.ts';
import { developersOf, type Developer } from '../support/developer.ts';
import { build, type Answer } from '../support/harness.ts';
import { BATCH, idempotencyKey, sender } from '../support/imports.ts';
import { IMPORT_ASKED } from '../../src/platform/telemetry/index.ts';
import { someoneWaits, whileEmailsLocked, whileLocked } from '../support/locks.ts';

/** A request to import, as the service publishes it. */
interface Submission {
  imports: { payload: string }[];
}

const FLOOD = 64;
const STOCKLIST = '/api/v1/stocklist';
const EMAIL = 'aroha@example.com';

const service = await build({ after });
const makeDeveloper = developersOf(service);
const send = sender(service);
let count = 0;

/** A page that is in no cache. */
const uncachedPage = () => `${STOCKLIST}?updated_since=${new Date((count += 1)).toISOString()}`;

const read = async ({ key }: Pick<Developer, 'key'>, url: string) =>
  (await service.send({ url, key })).status;

/** Sends many requests at once. `answered` counts the answers so far. */
function flood(request: () => Promise<number>, requests = FLOOD) {
  let answered = 0;
  const all = Array.from({ length: requests }, async () => {
    const status = await request();
    answered += 1;
    return status;
  });
  return { answered: () => answered, all: Promise.all(all) };
}

describe('while the pages of one account wait for the database', () => {
  test('the database serves another account', async () => {
    const [busy, quiet] = [await makeDeveloper(), await makeDeveloper()];
    assert.equal(await read(quiet, STOCKLIST), 200);
    // The service looks this key up in the database; the page is in its cache.
    const key = await service.key(quiet.slug, 'read');
    let flooded: Promise<number[]> | undefined;
    await whileLocked(service.db, 'units', async () => {
      const { all, answered } = flood(() => read(busy, uncachedPage()));
      flooded = all;
      await someoneWaits(service.db);
      assert.equal(await read({ key }, STOCKLIST), 200);
      assert.equal(answered(), 0);
    });
    assert.deepEqual(new Set(await flooded), new Set([200]));
  });
});

test('a page of one account is answered before most pages that another account asked for earlier', async () => {
  const [busy, quiet] = [await makeDeveloper(), await makeDeveloper()];
  await Promise.all([read(busy, STOCKLIST), read(quiet, STOCKLIST)]);
  const { all, answered } = flood(() => read(busy, uncachedPage()));
  assert.equal(await read(quiet, uncachedPage()), 200);
  assert.ok(answered() < FLOOD / 2, `${answered()} pages came first`);
  await all;
});

/** Imports that change the one contact whose email is locked, or read it. */
const KINDS: Record<string, (who: Developer) => Promise<Answer>> = {
  leads: (who) => send(who, { email: EMAIL }),
  batches: (who) => send(who, { contacts: [{ email: EMAIL }] }, { url: BATCH }),
  'leads with an Idempotency-Key': (who) =>
    send(who, { email: EMAIL }, { headers: idempotencyKey(`key-${(count += 1)}`) }),
};

describe('while imports of one account wait for a lock, another account can import and read:', () => {
  for (const [kind, post] of Object.entries(KINDS))
    test(kind, async () => {
      const [busy, quiet] = [await makeDeveloper([{ email: EMAIL }]), await makeDeveloper()];
      const accountId = await accountIdOf(service.db, busy);
      const { flooded } = await whileEmailsLocked(service.db, accountId, [EMAIL], async () => {
        const { all, answered } = flood(async () => (await post(busy)).status);
        await someoneWaits(service.db);
        for (const each of Object.values(KINDS)) assert.ok((await each(quiet)).status < 300);
        assert.equal(await read(quiet, uncachedPage()), 200);
        assert.equal(answered(), 0);
        return { flooded: all };
      });
      assert.deepEqual(new Set(await flooded), new Set([200]));
    });
});

test('a lead of one account is answered before most batches that another account sent earlier', async () => {
  const [busy, quiet] = [await makeDeveloper(), await makeDeveloper()];
  const contacts = () =>
    Array.from({ length: 250 }, () => ({ email: `lead-${(count += 1)}@example.com` }));
  const batch = async () => (await send(busy, { contacts: contacts() }, { url: BATCH })).status;
  const { all, answered } = flood(batch, 16);
  assert.equal((await quiet.post({ email: EMAIL })).status, 201);
  assert.ok(answered() < 8, `${answered()} batches came first`);
  assert.deepEqual(new Set(await all), new Set([200]));
});

test('a lead of one account is read before most large leads that another account sent earlier', async () => {
  const [busy, quiet] = [await makeDeveloper(), await makeDeveloper()];
  const read: string[] = [];
  const note = (submission: unknown): void => {
    read.push(...(submission as Submission).imports.map(({ payload }) => payload.slice(0, 20)));
  };
  const large = async () =>
    (await busy.post({ email: `large-${(count += 1)}@example.com`, notes: 'x'.repeat(70_000) }))
      .status;
  IMPORT_ASKED.subscribe(note);
  const { all } = flood(large, 16);
  assert.equal((await quiet.post({ email: 'quiet@example.com' })).status, 201);
  assert.deepEqual(new Set(await all), new Set([201]));
  IMPORT_ASKED.unsubscribe(note);
  const place = read.findIndex((payload) => payload.includes('quiet@'));
  assert.ok(place < 8, `${place} of 16 large leads came first`);
});
