import type { Bench } from '../bench.ts';
import { makeContacts } from '../data.ts';
import { makeImporter, makeLeadSender } from '../leads.ts';
import { compare, warmUp, type Comparison, type Contender } from '../measure.ts';

const PATH = '/api/v1/contacts';

/** The warm-up, in which V8 optimizes all code that a lead runs. The baseline has less code. */
const WARM_UP_MS = 30_000;

/** Measures leads, one in each request, with a note, two tags, a source and a link to a project. */
export async function importing(bench: Bench): Promise<Comparison[]> {
  const { rounds } = bench;
  const importer = await makeImporter(bench.db, 'importing');
  await makeContacts(bench.db, importer.account, 20_000);
  const service = await bench.serve();
  const comparisons: Comparison[] = [];
  const ours = (connections: number) =>
    makeLeadSender(bench, 'service', service, { ...importer, path: PATH, connections });

  await warmUp(ours(8), WARM_UP_MS);
  // The service promises the import log, the events and the changes, so the baseline writes them, too.
  const baseline = await bench.baseline('lead', importer.account.id, importer.projectId);
  const theirs = (connections: number) =>
    makeLeadSender(bench, 'one statement', baseline, { ...importer, path: '/', connections });
  await warmUp(theirs(8), WARM_UP_MS);
  for (const [connections, reach] of [
    [1, 0.8],
    [8, 0.85],
    [32, 1.1],
  ] as const) {
    const work = `a lead a request, ${connections} in flight, against one statement`;
    const pair = [theirs(connections), ours(connections)] as [Contender, Contender];
    comparisons.push(await compare(work, pair, { reach, rounds }));
  }
  await baseline.stop();
  await service.stop();
  return comparisons;
}
