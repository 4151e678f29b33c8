import type { Bench } from '../bench.ts';
import { makeContacts, run } from '../data.ts';
import { makeImporter, makeLeadSender } from '../leads.ts';
import { compare, alternate, warmUp, type Comparison } from '../measure.ts';

const SIZES = [20_000, 200_000, 2_000_000];
/** The warm-up of the two processes of an account. */
const WARM_UP_MS = 60_000;

/** Measures the same leads into accounts of different sizes, each in a database of its own. */
export async function growth(bench: Bench): Promise<Comparison[]> {
  const accounts = [];
  for (const size of bench.quick ? SIZES.slice(0, 2) : SIZES) {
    const name = `${size.toLocaleString('en')} contacts`;
    bench.say(`making ${name}`);
    const { db, databaseUrl } = await bench.createDatabase();
    const importer = await makeImporter(db, 'growth');
    await makeContacts(db, importer.account, size);
    const sent = { ...importer, path: '/api/v1/contacts', connections: 8 };
    const env = { DATABASE_URL: databaseUrl };
    const services = [await bench.serve(env), await bench.serve(env)];
    const each = services.map((service) => makeLeadSender(bench, name, service, sent));
    accounts.push(alternate(name, each));
  }
  // First write the new rows to disk, where those of an account that has grown for years are.
  await run(bench.db, 'checkpoint', []);
  for (const each of accounts) await warmUp(each, WARM_UP_MS);
  const [least, ...larger] = accounts;
  if (least === undefined) throw new Error('there is nothing to compare with');
  const comparisons: Comparison[] = [];
  for (const each of larger) {
    const work = `a lead a request, 8 in flight, ${each.name} against ${least.name}`;
    comparisons.push(await compare(work, [least, each], { reach: 0.9, rounds: bench.rounds }));
  }
  return comparisons;
}
