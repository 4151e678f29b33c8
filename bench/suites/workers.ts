import { contender, type Bench } from '../bench.ts';
import { makeAccount, makeKey, makeStock } from '../data.ts';
import { compare, type Comparison } from '../measure.ts';

const INVALID = 200;

/** Measures two workers against one, with work for the service itself: PostgreSQL and the load generator do little. */
export async function workers(bench: Bench): Promise<Comparison[]> {
  const { db, rounds } = bench;
  const account = await makeAccount(db, 'workers');
  await makeStock(db, account, { projects: 20, units: 4, images: 1 });
  const authorization = `Bearer ${await makeKey(db, account, 'read-write')}`;
  const one = await bench.serve({ OFFPLAN_WORKERS: '1' });
  const two = await bench.serve({ OFFPLAN_WORKERS: '2' });
  const json = { authorization, 'content-type': 'application/json' };
  const body = JSON.stringify({ contacts: Array.from({ length: INVALID }, invalid) });
  const checked = (name: string, running: typeof one) =>
    contender(bench, name, running, '/api/v1/contacts/batch?dryRun=true', {
      connections: 16,
      headers: json,
      method: 'POST',
      body,
    });
  const fresh = (name: string, running: typeof one) =>
    contender(bench, name, running, '/api/v1/projects/project-7', {
      connections: 16,
      headers: { authorization },
    });
  return [
    await compare(
      `dry runs of batches of ${INVALID} leads that are refused on reading`,
      [checked('one worker', one), checked('two workers', two)],
      { reach: 1.5, rounds },
    ),
    await compare(
      'a cached project, of which the load generator takes as much as the service',
      [fresh('one worker', one), fresh('two workers', two)],
      { reach: 1, rounds },
    ),
  ];
}

const invalid = (_: unknown, n: number): object => ({
  email: `nobody ${n}`,
  firstName: 'Aroha',
  lastName: 'Ngata',
  mobilePhone: '+64 21 555 0142',
  source: 'Website',
  tags: ['Website lead', 'Brochure', 'Open home'],
  notes: 'Would like to see a two-bedroom apartment.',
  buyerType: 'Investor',
});
