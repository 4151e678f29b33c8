import { setTimeout as sleep } from 'node:timers/promises';
import type { Bench } from '../bench.ts';
import { type Account, changeProjects, makeAccount, makeKey, makeStock, run } from '../data.ts';
import { bytesOf } from '../http.ts';
import { compare, timed, type Comparison, type Contender } from '../measure.ts';

/** How long the service caches a key. It caches a stock clock for a shorter time. */
const CACHED_MS = 250;

/** How many projects are read one after the other. */
const DETAILS = 5_000;

/** Measures reads after a change of the stock, when some or all entries of the caches are stale. */
export async function changes(bench: Bench): Promise<Comparison[]> {
  const { db, seconds, rounds } = bench;
  const account = await makeAccount(db, 'changes');
  await makeStock(db, account, { projects: 200, units: 40, images: 5 });
  const key = await makeKey(db, account);
  const service = await bench.serve();
  const page = await bench.baseline('page', account.id);
  const many = await makeAccount(db, 'many-projects');
  const detail = await bench.baseline('detail', many.id);
  const api = `${service.url}/api/v1`;
  let turn = 0;

  function after(changed: number, name: string, url: string): Contender {
    const read = (): Promise<number> => bytesOf(url, { authorization: `Bearer ${key}` });
    const change = async (): Promise<void> => {
      await changeProjects(db, account, changed);
      await sleep(CACHED_MS);
    };
    return { name, run: () => timed(seconds, change, read) };
  }

  const comparisons = [
    await compare(
      'page of which one project changed',
      [after(1, 'one statement (json_agg)', page.url), after(1, 'service', `${api}/stocklist`)],
      { reach: 3, rounds },
    ),
    await compare(
      'page of which nothing is in memory',
      [after(20, 'one statement (json_agg)', page.url), after(20, 'service', `${api}/stocklist`)],
      { rounds },
    ),
  ];
  await assertSame(db, account);
  await makeStock(db, many, { projects: DETAILS, units: 40, images: 5 });
  const authorization = `Bearer ${await makeKey(db, many)}`;
  const detailOf = (name: string, url: string): Contender => {
    const next = () => bytesOf(`${url}${(turn += 1) % DETAILS}`, { authorization });
    // After each project was read once, a change makes all cached answers stale. The key stays cached.
    const change = () => (turn % DETAILS === 0 ? changeProjects(db, many, 1) : Promise.resolve());
    return { name, run: () => timed(seconds, change, next) };
  };
  comparisons.push(
    await compare(
      'project detail that is not in memory',
      [
        detailOf('one statement (json_agg)', `${detail.url}/project-`),
        detailOf('service', `${api}/projects/project-`),
      ],
      { rounds },
    ),
  );
  return comparisons;
}

// Check that the changes took place: without them the bench would measure cached answers.
async function assertSame(db: Bench['db'], { id }: Account): Promise<void> {
  const [row] = (await run(
    db,
    `select max(updated_at) = max(stock_clock) as same from projects join accounts using (account_id)
     where account_id = $1`,
    [id],
  )) as { same: boolean }[];
  if (row?.same !== true) throw new Error('the clock and the projects have parted');
}
