import { contender, type Bench } from '../bench.ts';
import { makeAccount, makeContacts, makeKey, makeStock, run } from '../data.ts';
import { leadBody } from '../leads.ts';
import { atLeast, compare, repeat, type Comparison, type Contender } from '../measure.ts';

/** Leads one a request, with a note, two tags, a source and a link to a project. */
export async function importing(bench: Bench): Promise<Comparison[]> {
  const { db } = bench;
  const account = await makeAccount(db, 'importing');
  await makeStock(db, account, { projects: 20, units: 4, images: 1 });
  await makeContacts(db, account, 20_000);
  const [row] = (await run(db, 'select id from projects where account_id = $1 limit 1', [
    account.id,
  ])) as { id: string }[];
  const projectId = row?.id ?? '';
  const key = await makeKey(db, account, 'read-write');
  const service = await bench.serve();
  const comparisons: Comparison[] = [];
  let runs = 0;

  const ours = (connections: number) => asking('service', service, '/api/v1/contacts', connections);

  function asking(name: string, running: typeof service, path: string, connections: number) {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const each = () =>
      contender(bench, name, running, path, {
        connections,
        headers,
        method: 'POST',
        body: leadBody(`${(runs += 1)}`, projectId),
      });
    return { name, run: () => each().run() };
  }

  for (const [kind, told] of [
    ['lead', ''],
    ['logged-lead', ' that keeps the log, too'],
  ] as const) {
    const floor = await bench.floor(kind, account.id, projectId);
    for (const [connections, reach] of [
      [8, 0.85],
      [1, 0.5],
      [32, 0.85],
    ] as const) {
      const work = `a lead a request, ${connections} in flight, against one statement${told}`;
      const pair: [Contender, Contender] = [
        asking('one statement', floor, '/', connections),
        ours(connections),
      ];
      const { rounds } = bench;
      comparisons.push(
        await compare(work, pair, { reach, rounds, ...(connections === 8 && { p99Ms: 20 }) }),
      );
    }
    await floor.stop();
  }
  comparisons.push(
    await compare('32 in flight against 8', [ours(8), ours(32)], {
      reach: 1.5,
      rounds: bench.rounds,
    }),
  );
  if (!bench.quick) {
    const before = await repeat(ours(8), bench.rounds);
    bench.say('making 2,000,000 contacts');
    await makeContacts(db, account, 1_980_000, 20_000);
    const after = await repeat(ours(8), bench.rounds);
    comparisons.push({
      work: '2,000,000 contacts against 20,000, 8 in flight',
      figures: [before, after],
      verdicts: [atLeast(after.perSecond / before.perSecond, 0.9)],
    });
  }
  await service.stop();
  return comparisons;
}
