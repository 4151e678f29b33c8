import type { Bench } from '../bench.ts';
import { makeAccount, makeKey, makeStock } from '../data.ts';
import { makeListedContacts, SORTS } from '../contact-lists.ts';
import { atMost, figure, median, quantile, type Comparison } from '../measure.ts';
import { exportContacts } from '../exports.ts';

const CONTACTS = 1_000_000;
const QUICK_CONTACTS = 100_000;
/** How many of the slowest lists are shown. */
const SHOWN = 10;

/**
 * Measures a page of 20 contacts for each filter in each order, and for combined filters, over HTTP with one request in flight;
 * then exports of all contacts.
 */
export async function lists(bench: Bench): Promise<Comparison[]> {
  const count = bench.quick ? QUICK_CONTACTS : CONTACTS;
  bench.say(`making ${count.toLocaleString('en')} contacts`);
  const account = await makeAccount(bench.db, 'lists');
  await makeStock(bench.db, account, { projects: 60, units: 4, images: 0 });
  const filters = await makeListedContacts(bench.db, account, count);
  const key = await makeKey(bench.db, account, ['contacts:read']);
  const { url, pid } = await bench.serve();
  const headers = { authorization: `Bearer ${key}` };
  const figures = [];
  for (const [name, filter] of Object.entries(filters))
    for (const sort of SORTS) {
      const query = new URLSearchParams({ ...filter, sort }).toString();
      const times: number[] = [];
      let bytes = 0;
      for (let round = 0; round < 5 * bench.rounds; round += 1) {
        const startedMs = performance.now();
        const response = await fetch(`${url}/api/v1/contacts?${query}`, { headers });
        bytes = (await response.arrayBuffer()).byteLength;
        if (response.status !== 200) throw new Error(`${query} was answered ${response.status}`);
        times.push(performance.now() - startedMs);
      }
      figures.push(toFigure(`${name} ${sort}`, times, bytes));
    }
  bench.say(`process ${pid} answered ${figures.length} kinds of lists`);
  const slowest = figures.toSorted((a, b) => (b.p50Ms ?? 0) - (a.p50Ms ?? 0));
  const p95 = slowest[Math.floor(slowest.length * 0.05)]?.p50Ms ?? NaN;
  return [
    {
      work: `a page of 20 of ${count.toLocaleString('en')} contacts, ${figures.length} filters and orders, the slowest first`,
      figures: slowest.slice(0, SHOWN),
      verdicts: [
        atMost(p95, 50, 'ms at the 95th percentile'),
        atMost(slowest[0]?.p50Ms ?? NaN, 1_000, 'ms of the slowest'),
      ],
    },
    await exportContacts(bench, account, count),
  ];
}

/** Makes the figure of requests that ran one after the other. */
export function toFigure(name: string, times: number[], bytes: number) {
  const total = times.reduce((sum, each) => sum + each, 0);
  const perSecond = (times.length * 1000) / total;
  return figure(name, [{ perSecond, p50Ms: median(times), p99Ms: quantile(times, 0.99), bytes }]);
}
