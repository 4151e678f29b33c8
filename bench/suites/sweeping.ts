import { deleteOldEvents } from '../../src/events/index.ts';
import { deleteOldRecords } from '../../src/imports/index.ts';
import type { Pool, Queryable } from '../../src/platform/database/index.ts';
import type { Bench } from '../bench.ts';
import { makeAccount, run, type Account } from '../data.ts';
import { atMost, figure, type Comparison, type Sample } from '../measure.ts';

/** The numbers of rows in the account's log before the sweep. Nine other accounts have a hundredth of that each. */
const SIZES = [100_000, 1_000_000, 10_000_000];
const STEPS = 40;
/** The number of rows that one step of a sweep deletes. */
const STEP_ROWS = 500;
const STEP_MAX_MS = 50;

interface Log {
  name: string;
  fill: string;
  deleteOld: (db: Queryable, accountId: string, before: Date) => Promise<boolean>;
}

// Rows as a lead writes them: $1 is the account, and they are numbered from $2 to $3, one each second. An account has a few
// events already.
const AT = `timestamptz '2026-01-01Z' + n * interval '1 s'`;
const LOGS: Log[] = [
  {
    name: 'events',
    fill: `insert into events select $1, n + 1000, 'contact.enquired', gen_random_uuid(), ${AT}, 'key', gen_random_uuid(),
        gen_random_uuid()::text, json_build_object('projectId', gen_random_uuid(), 'channel', 'single')
      from generate_series($2::bigint, $3::bigint) n`,
    deleteOld: deleteOldEvents,
  },
  {
    name: 'imports',
    fill: `insert into imports (account_id, id, received_at, channel, outcome, payload, result)
      select $1, (lpad(to_hex((extract(epoch from ${AT}) * 1000)::bigint), 12, '0')
          || '7000' || '8000' || lpad(to_hex(n), 12, '0'))::uuid, ${AT}, 'single', 'created',
        '{"email":"lead-' || n || '@example.com","notes":"Please call me about the harbour view."}',
        json_build_object('contactId', gen_random_uuid(), 'outcome', 'created')
      from generate_series($2::bigint, $3::bigint) n`,
    deleteOld: deleteOldRecords,
  },
];

/** Measures a step of the sweep of a log, and PostgreSQL's vacuum after the sweep, by the size of the log. */
export async function sweeping(bench: Bench): Promise<Comparison[]> {
  const { db } = bench;
  const comparisons: Comparison[] = [];
  const accounts: Account[] = [];
  for (let n = 0; n < 10; n += 1) accounts.push(await makeAccount(db, `sweeping-${n}`));
  const sizes = bench.quick ? SIZES.slice(0, 2) : SIZES;
  for (const log of LOGS) {
    let rows = 0;
    for (const size of sizes) {
      bench.say(`${log.name}: ${size} rows`);
      await fill(db, log, accounts, rows, size);
      rows = size;
      comparisons.push(await measure(bench, log, accounts, size));
    }
    await run(db, `truncate ${log.name}`, []);
  }
  return comparisons;
}

async function fill(
  db: Pool,
  { name, fill: text }: Log,
  accounts: Account[],
  from: number,
  to: number,
): Promise<void> {
  for (const [at, { id }] of accounts.entries()) {
    const share = at === 0 ? 1 : 0.01;
    await run(db, text, [id, from * share + 1, to * share]);
  }
  await run(db, `vacuum analyze ${name}`, []);
}

async function measure(
  bench: Bench,
  { name, deleteOld }: Log,
  [account]: Account[],
  size: number,
): Promise<Comparison> {
  const { db } = bench;
  const steps: Sample[] = [];
  const before = new Date('2100-01-01');
  for (let step = 0; step < STEPS; step += 1) {
    const startMs = performance.now();
    await deleteOld(db, account?.id ?? '', before);
    const ms = performance.now() - startMs;
    steps.push({ perSecond: STEP_ROWS / (ms / 1_000), p50Ms: ms });
  }
  const startMs = performance.now();
  await run(db, `vacuum ${name}`, []);
  const vacuumMs = performance.now() - startMs;
  const step = figure('a step of 500 rows', steps);
  const vacuum = figure('vacuum after 40 steps', [{ perSecond: NaN, p50Ms: vacuumMs }]);
  return {
    work: `sweeping ${name} of ${size} rows`,
    figures: [step, vacuum],
    verdicts: [atMost(step.p50Ms ?? NaN, STEP_MAX_MS, 'ms for a step')],
  };
}
