import type { Bench } from '../bench.ts';
import { makeImporter, sending } from '../leads.ts';
import { compare, warmUp, type Comparison } from '../measure.ts';

const PATH = '/api/v1/contacts';

/** V8 makes its best code of all that a lead takes in the first 60,000; a floor is made of less. */
const WARM_UP_MS = 60_000;

/** Leads one a request, with a note, two tags, a source and a link to a project. */
export async function importing(bench: Bench): Promise<Comparison[]> {
  const { rounds } = bench;
  const importer = await makeImporter(bench.db, 20_000);
  const service = await bench.serve();
  const comparisons: Comparison[] = [];
  const ours = (connections: number) =>
    sending(bench, 'service', service, { ...importer, path: PATH, connections });

  await warmUp(ours(8), WARM_UP_MS);
  for (const [kind, told] of [
    ['lead', ''],
    ['logged-lead', ' that keeps the log, too'],
  ] as const) {
    const floor = await bench.floor(kind, importer.account.id, importer.projectId);
    const theirs = (connections: number) =>
      sending(bench, 'one statement', floor, { ...importer, path: '/', connections });
    await warmUp(theirs(8), WARM_UP_MS);
    for (const [connections, reach] of [
      [8, 0.85],
      [1, 0.5],
      [32, 0.85],
    ] as const) {
      const work = `a lead a request, ${connections} in flight, against one statement${told}`;
      const p99Ms = connections === 8 ? { p99Ms: 20 } : {};
      comparisons.push(
        await compare(work, [theirs(connections), ours(connections)], { reach, rounds, ...p99Ms }),
      );
    }
    await floor.stop();
  }
  comparisons.push(
    await compare('32 in flight against 8', [ours(8), ours(32)], { reach: 1.5, rounds }),
  );
  await service.stop();
  return comparisons;
}
