import assert from 'node:assert/strict';
import { after, mock, test } from 'node:test';
import fc from 'fast-check';
import { parseStocklistQuery } from '../src/stocklist/filters.ts';
import { createPageBuilder } from '../src/stocklist/pages.ts';
import { build, MEDIA_BASE_URL } from './harness.ts';
import { run } from './instances.ts';
import { statementsOf } from './statements.ts';
import {
  addAccount,
  addProject,
  changeOrganization,
  changeProject,
  type Columns,
} from './stock.ts';
import { tenancies } from './tenancy.ts';

/*
 * What is kept of a stocklist is brought up to date by what changed since: that must give what one who has kept nothing
 * reads.
 */

const service = await build({ after });
const { db } = service;
const { tenant, tenantWith } = tenancies(service);

const SEQUENCES = 60;
const PROJECTS = 4;

const columns = fc.record(
  {
    publication: fc.constantFrom('live', 'live', 'draft', 'archived'),
    status: fc.constantFrom('Available', 'Sold Out'),
    region_key: fc.constantFrom('northland', 'otago'),
    name: fc.string({ minLength: 1, maxLength: 8, unit: 'grapheme-ascii' }),
  },
  { requiredKeys: [] },
);
const step = fc.oneof(
  { weight: 8, arbitrary: fc.record({ project: fc.nat(PROJECTS - 1), columns }) },
  { weight: 1, arbitrary: fc.record({ added: columns }) },
  { weight: 1, arbitrary: fc.record({ intro: fc.string({ maxLength: 8 }) }) },
  // More than a page has.
  { weight: 1, arbitrary: fc.record({ many: columns }) },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;
const MANY = 25;

/** Pages that are asked for after some of the steps: each was kept at another time. */
const QUERIES = [
  {},
  { region: 'otago' },
  { status: 'available', region: 'northland' },
  { limit: '2', page: '2' },
  { updated_since: '2026-06-01T00:00:00Z' },
];
const asked = fc.subarray(QUERIES);

async function newAccount() {
  const account = await addAccount(db);
  const ids: string[] = [];
  const add = async (columns: Columns): Promise<void> =>
    void ids.push((await addProject(db, account, columns, [{}])).id);
  for (let n = 0; n < PROJECTS; n += 1) await add({});

  async function take(step: Step): Promise<void> {
    if ('added' in step) return add(step.added);
    if ('intro' in step) return changeOrganization(db, account, step);
    if ('many' in step) {
      for (let n = 0; n < MANY; n += 1)
        await changeProject(db, account, ids[n % ids.length] ?? '', step.many);
      return add(step.many);
    }
    await changeProject(db, account, ids[step.project] ?? '', step.columns);
  }
  return { account, take };
}

async function stockClockMs(accountId: string): Promise<number> {
  const { rows } = await run(db, 'select stock_clock from accounts where account_id = $1', [
    accountId,
  ]);
  return (rows as unknown as { stock_clock: Date }[])[0]?.stock_clock.getTime() ?? NaN;
}

test('a page that is brought up to date by what changed is the page of one who has kept nothing', async () => {
  const keeping = createPageBuilder(db, MEDIA_BASE_URL);
  const property = fc.asyncProperty(
    fc.array(fc.tuple(step, asked), { minLength: 1, maxLength: 12 }),
    async (steps) => {
      const { account, take } = await newAccount();
      for (const [step, queries] of steps) {
        await take(step);
        const clockMs = await stockClockMs(account.id);
        for (const query of queries) {
          const request = parseStocklistQuery(query);
          const read = async (buildPage: typeof keeping) => {
            const { body, ...built } = await buildPage(account.id, clockMs, request);
            return { ...built, text: body.join('') };
          };
          const ours = await read(keeping);
          assert.deepEqual(ours, await read(createPageBuilder(db, MEDIA_BASE_URL)));
          assert.equal(ours.clockMs, clockMs);
        }
      }
    },
  );
  await fc.assert(property, { numRuns: SEQUENCES });
});

test('after a change what changed is read, and the order of all projects is not', async () => {
  const { account, list } = await tenantWith(3);
  const { body } = await list();
  await changeProject(db, account, body.projects[2].id, { name: 'Changed' });
  const statements = await statementsOf(() => list());
  assert.deepEqual(
    statements.filter((name) => name.startsWith('stock')),
    ['stock_changes_read'],
  );
  assert.equal((await list()).body.projects[0].name, 'Changed');
});

test('a scan through all pages of another account, by whatever filter, does not make an account that is polled be read anew', async () => {
  const buildPage = createPageBuilder(db, MEDIA_BASE_URL);
  const polled = await newAccount();
  const read = async ({ id }: { id: string }, query: Record<string, string>) =>
    buildPage(id, await stockClockMs(id), parseStocklistQuery(query));
  const poll = () => read(polled.account, {});
  const change = () => polled.take({ project: 0, columns: { name: 'Changed' } });
  for (let n = 0; n < 3; n += 1) {
    await poll();
    await change();
  }
  // What is kept of each of its filters is large by the organization alone.
  const scanned = await addAccount(db, { intro: 'x'.repeat(100_000) });
  for (let n = 0; n < 150; n += 1)
    for (const page of ['1', '2', '3']) await read(scanned, { city: `City ${n}`, page });
  const statements = await statementsOf(poll);
  assert.deepEqual(
    statements.filter((name) => name.startsWith('stock')),
    ['stock_changes_read'],
  );
});

test('more changes than a page has projects are read as all projects are', async () => {
  const { account, list } = await tenantWith(22);
  const { body } = await list('?limit=100');
  for (const { id } of body.projects) await changeProject(db, account, id, { name: 'Changed' });
  const statements = await statementsOf(() => list('?limit=100'));
  assert(statements.includes('stock_index_read'));
  for (const { name } of (await list('?limit=100')).body.projects) assert.equal(name, 'Changed');
});

test('a database that was restored to an earlier time is shown as it is', async () => {
  const { account, list } = await tenant();
  const early = await addProject(db, account, { name: 'Early' });
  const clockMs = await stockClockMs(account.id);
  await list();
  await changeProject(db, account, early.id, { name: 'Late' });
  assert.equal((await list()).body.projects[0].name, 'Late');
  await run(
    db,
    `update projects set name = 'Early', updated_at = $2 where account_id = $1 and id = $3`,
    [account.id, early.updatedAt, early.id],
  );
  await run(db, 'update accounts set stock_clock = $2 where account_id = $1', [
    account.id,
    new Date(clockMs),
  ]);
  // Its answer from before is kept as well; this one is to be made.
  assert.equal((await list('?limit=7')).body.projects[0].name, 'Early');
});

test('who is overtaken while it is brought up to date gives a page of one time, and so does who comes next', async () => {
  const { account, take } = await newAccount();
  const keeping = createPageBuilder(db, MEDIA_BASE_URL);
  const request = parseStocklistQuery({});
  const read = async (buildPage = keeping) =>
    (await buildPage(account.id, await stockClockMs(account.id), request)).body.join('');
  await read();
  const change = async (project: number, name: string): Promise<string> => {
    await take({ project, columns: { name } });
    return read(createPageBuilder(db, MEDIA_BASE_URL));
  };

  const first = await change(0, 'First');
  const query = db.query.bind(db);
  let release = () => undefined as void;
  const released = new Promise<void>((resolve) => (release = resolve));
  const held = new Promise<void>((isHeld) => {
    db.query = async (prepared) => {
      const result = await query(prepared);
      if (prepared.name !== 'stock_changes_read') return result as never;
      db.query = query;
      isHeld();
      await released;
      return result as never;
    };
  });
  const overtaken = read();
  await held;
  const second = await change(1, 'Second');
  assert.equal(await read(), second);
  release();
  assert.equal(await overtaken, first);
  assert.equal(await read(), second);
  const third = await change(2, 'Third');
  assert.equal(await read(), third);
});

for (const [when, ms] of [
  ['that comes a minute later', 60_000],
  ['after the computer’s clock was set back', -1_000],
] as const)
  test(`what the clock does not tell of, a project deleted by hand, is gone with the first change ${when}`, async (t) => {
    const { account, list } = await tenantWith(2);
    const { body } = await list();
    const [kept, deleted] = body.projects;
    const ofAccount = 'where account_id = $1 and id = $2';
    await run(db, `delete from projects ${ofAccount}`, [account.id, deleted.id]);
    mock.timers.enable({ apis: ['Date'], now: Date.now() + ms });
    t.after(async () => mock.timers.reset());
    await changeProject(db, account, kept.id, { name: 'Changed' });
    const names = (await list()).body.projects.map(({ name }: { name: string }) => name);
    assert.deepEqual(names, ['Changed']);
  });

test('what several filters choose is read once', async () => {
  const { account, list } = await tenantWith(2);
  const queries = ['', '?region=northland', '?city=whang%C4%81rei'];
  for (const query of queries) await list(query);
  const { body } = await list();
  await changeProject(db, account, body.projects[1].id, { name: 'Changed' });
  const seen: unknown[] = [];
  const query = db.query.bind(db);
  db.query = async (prepared) => {
    const result = await query(prepared);
    if (prepared.name === 'stock_changes_read') seen.push(...(result.rows as unknown[]));
    return result as never;
  };
  for (const each of queries) assert.equal((await list(each)).body.projects[0].name, 'Changed');
  db.query = query;
  const withUnits = seen.filter((row) => (row as { units: unknown }).units !== null);
  assert.deepEqual([seen.length, withUnits.length], [3, 1]);
});
