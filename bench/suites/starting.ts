import { fileURLToPath } from 'node:url';
import { contender, type Bench } from '../bench.ts';
import { findProject, makeAccount, makeKey, makeStock, type Account } from '../data.ts';
import { leadBody, LEADS, sendBatches } from '../leads.ts';
import { answerOf } from '../http.ts';
import { atMost, figure, type Comparison, type Sample } from '../measure.ts';
import { peakMb, residentMb, runToEnd, type Running } from '../process.ts';

const IDLE_MS = 5_000;

/** Measures the time from the start to the first answer, and the memory of an idle and of a busy service. */
export async function starting(bench: Bench): Promise<Comparison[]> {
  const { db, rounds } = bench;
  const account = await makeAccount(db, 'starting');
  await makeStock(db, account, { projects: 200, units: 40, images: 5 });
  const authorization = `Bearer ${await makeKey(db, account)}`;
  const starts: Sample[] = [];
  const idle: Sample[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const startedMs = performance.now();
    const service = await bench.serve();
    await answerOf(`${service.url}/api/v1/stocklist`, { authorization });
    const p50Ms = performance.now() - startedMs;
    await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
    starts.push({ perSecond: 1_000 / p50Ms, p50Ms });
    idle.push({ perSecond: NaN, memoryMb: residentMb(service.pid) });
    await service.stop();
  }
  const service = await bench.serve();
  await everything(bench, service, account);
  const loaded = figure('under everything', [{ perSecond: NaN, memoryMb: peakMb(service.pid) }]);
  await service.stop();
  const started = figure('start', starts);
  const quiet = figure('idle', idle);
  return [
    await help(bench),
    {
      work: 'start on a migrated PostgreSQL, to the first answer',
      figures: [started],
      verdicts: [atMost(started.p50Ms ?? NaN, 1_000, 'ms')],
    },
    {
      work: 'memory',
      figures: [quiet, loaded],
      verdicts: [
        atMost(quiet.memoryMb ?? NaN, 130, 'MB idle'),
        atMost(loaded.memoryMb ?? NaN, 400, 'MB under everything'),
      ],
    },
  ];
}

const BIN = fileURLToPath(new URL('../../bin/offplan.js', import.meta.url));

/** Measures `node bin/offplan.js --help` in a clone against a Node.js that runs nothing. */
async function help({ rounds }: Bench): Promise<Comparison> {
  const run = async (args: string[]): Promise<Sample> => {
    const { seconds } = await runToEnd(args);
    return { perSecond: 1 / seconds, p50Ms: seconds * 1_000 };
  };
  const [bare, ours]: [Sample[], Sample[]] = [[], []];
  for (let round = 0; round < rounds * 2; round += 1) {
    bare.push(await run(['--eval', '0']));
    ours.push(await run([BIN, '--help']));
  }
  const [node, offplan] = [figure('node', bare), figure('offplan --help', ours)];
  const ratio = (offplan.p50Ms ?? NaN) / (node.p50Ms ?? NaN);
  return {
    work: '`node bin/offplan.js --help` against bare Node.js',
    figures: [node, offplan],
    verdicts: [atMost(ratio, 8, 'times as long')],
  };
}

/**
 * Keeps a service busy: all pages of a long stocklist in each coding, the cached page, single leads and batches, all at the same
 * time.
 */
async function everything(bench: Bench, service: Running, account: Account): Promise<void> {
  const { db } = bench;
  const long = await makeAccount(db, 'long');
  await makeStock(db, long, { projects: bench.quick ? 2_000 : 20_000, units: 10, images: 5 });
  const projectId = await findProject(db, account);
  const [crawler, poller, writer] = await Promise.all([
    makeKey(db, long),
    makeKey(db, account),
    makeKey(db, account, 'read-write'),
  ]);
  const api = `${service.url}/api/v1`;
  async function crawl(): Promise<void> {
    for (let page = 1; page <= 200; page += 1)
      for (const coding of ['identity', 'gzip', 'br'])
        await answerOf(`${api}/stocklist?limit=100&page=${page}`, {
          authorization: `Bearer ${crawler}`,
          'accept-encoding': coding,
        });
  }
  const poll = contender(bench, 'poll', service, '/api/v1/stocklist', {
    headers: { authorization: `Bearer ${poller}` },
  });
  const push = contender(bench, 'push', service, '/api/v1/contacts', {
    connections: 32,
    headers: { authorization: `Bearer ${writer}`, 'content-type': 'application/json' },
    method: 'POST',
    body: leadBody('everything', projectId),
  });
  await Promise.all([
    crawl(),
    poll.run(),
    push.run(),
    sendBatches(`${api}/contacts/batch`, writer, projectId, LEADS),
  ]);
  await Promise.all([poll.run(), push.run()]);
}
