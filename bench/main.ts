/*
 *   npm run bench [-- NAME…] [-- --json] [--seconds N] [--rounds N] [--quick]
 */
import { parseArgs } from 'node:util';
import { describeMachine, withBench, type Bench } from './bench.ts';
import type { Comparison } from './measure.ts';
import { formatTables } from './table.ts';
import { bulk } from './suites/bulk.ts';
import { changes } from './suites/changes.ts';
import { consoleInBrowser } from './suites/console.ts';
import { figures } from './suites/figures.ts';
import { flooding } from './suites/flooding.ts';
import { growth } from './suites/growth.ts';
import { importing } from './suites/importing.ts';
import { lists } from './suites/lists.ts';
import { loading } from './suites/loading.ts';
import { pages } from './suites/pages.ts';
import { reading } from './suites/reading.ts';
import { saving } from './suites/saving.ts';
import { starting } from './suites/starting.ts';
import { storing } from './suites/storing.ts';
import { sweeping } from './suites/sweeping.ts';
import { webhooks } from './suites/webhooks.ts';
import { workers } from './suites/workers.ts';

type Suite = (bench: Bench) => Promise<Comparison[]>;

const SUITES: Record<string, Suite> = {
  reading,
  changes,
  pages,
  importing,
  flooding,
  growth,
  bulk,
  loading,
  lists,
  figures,
  console: consoleInBrowser,
  saving,
  storing,
  sweeping,
  webhooks,
  workers,
  starting,
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
    seconds: { type: 'string', default: '3' },
    rounds: { type: 'string', default: '5' },
  },
});
const names = positionals.length > 0 ? positionals : Object.keys(SUITES);
const unknown = names.filter((name) => !(name in SUITES));
if (unknown.length > 0) {
  console.error(
    `There is no ${unknown.join(', ')} to measure; there are ${Object.keys(SUITES).join(', ')}.`,
  );
  process.exit(2);
}
for (const name of ['seconds', 'rounds'] as const)
  if (!(Number(values[name]) > 0)) {
    console.error(`--${name} must be a number above 0, not ${values[name]}.`);
    process.exit(2);
  }
const say = (text: string): void => console.error(text);
const effort = {
  seconds: Number(values.seconds),
  rounds: Number(values.rounds),
  quick: values.quick,
};
const results: Record<string, Comparison[]> = {};
for (const name of names) {
  say(`${name}: ${effort.rounds} rounds of ${effort.seconds} s`);
  const comparisons = await withBench(
    effort,
    say,
    async (bench) => (await SUITES[name]?.(bench)) ?? [],
  );
  results[name] = comparisons;
  if (!values.json) console.log(`\n${name}\n\n${formatTables(comparisons)}\n`);
}
if (values.json)
  console.log(JSON.stringify({ machine: describeMachine(), effort, results }, null, 2));
else console.log(describeMachine());
