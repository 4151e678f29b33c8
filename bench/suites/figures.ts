import type { Bench } from '../bench.ts';
import { makeAccount, makeKey, makeStock, NEW_ID, run } from '../data.ts';
import { makeListedContacts } from '../contact-lists.ts';
import { atMost, type Comparison } from '../measure.ts';
import { toFigure } from './lists.ts';

const CONTACTS = 1_000_000;
const QUICK_CONTACTS = 100_000;
const GROUPS = ['source', 'stage', 'user', 'project'];

/** Measures the figures of dashboards, over HTTP with one request in flight. */
export async function figures(bench: Bench): Promise<Comparison[]> {
  const count = bench.quick ? QUICK_CONTACTS : CONTACTS;
  bench.say(`making ${count.toLocaleString('en')} contacts`);
  const account = await makeAccount(bench.db, 'figures');
  await makeStock(bench.db, account, { projects: 60, units: 100, images: 0 });
  await makeListedContacts(bench.db, account, count);
  // Every second contact was called, and every tenth one enquired again a month later.
  await run(
    bench.db,
    `insert into activities (account_id, id, contact_id, type, body, occurred_at)
      select account_id, ${NEW_ID}, id, type, 'x', at from (
        select account_id, id, created_at, first_answer_at, row_number() over (order by id) as n from contacts
        where account_id = $1
      ) c, lateral (values
        ('call', first_answer_at),
        ('enquiry', case when n % 10 = 0 then created_at + interval '30 days' end)
      ) as each(type, at)
      where at is not null`,
    [account.id],
  );
  await run(bench.db, 'vacuum (analyze) activities', []);
  const key = await makeKey(bench.db, account, ['stats:read']);
  const { url } = await bench.serve();
  const headers = { authorization: `Bearer ${key}` };
  const measured = [];
  for (const [name, path] of Object.entries(listRequests())) {
    const times: number[] = [];
    let bytes = 0;
    for (let round = 0; round < 5 * bench.rounds; round += 1) {
      const startedMs = performance.now();
      const response = await fetch(`${url}/api/v1/stats/${path}`, { headers });
      bytes = (await response.arrayBuffer()).byteLength;
      if (response.status !== 200) throw new Error(`${path} was answered ${response.status}`);
      times.push(performance.now() - startedMs);
    }
    measured.push(toFigure(name, times, bytes));
  }
  const slowest = Math.max(...measured.map(({ p50Ms }) => p50Ms ?? NaN));
  return [
    {
      work: `figures of ${count.toLocaleString('en')} contacts of four years`,
      figures: measured,
      verdicts: [atMost(slowest, 300, 'ms of the slowest')],
    },
  ];
}

/** Lists the paths of the figures by their names in the report. */
function listRequests(): Record<string, string> {
  const ago = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
  const requests: Record<string, string> = { 'units by status': 'stock' };
  for (const days of [30, 365]) {
    const from = `from=${ago(days - 1)}`;
    requests[`leads of ${days} days`] = `leads?${from}`;
    for (const group of GROUPS)
      requests[`leads of ${days} days by ${group}`] = `leads?${from}&groupBy=${group}`;
    requests[`first answers of ${days} days`] = `response?${from}`;
  }
  const from = `from=${ago(1_460)}&interval=month`;
  requests['leads of four years by month'] = `leads?${from}`;
  for (const group of GROUPS)
    requests[`leads of four years by month and ${group}`] = `leads?${from}&groupBy=${group}`;
  return requests;
}
