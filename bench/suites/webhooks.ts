import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createWakeUps } from '../../src/events/index.ts';
import type { Bench } from '../bench.ts';
import { run } from '../data.ts';
import {
  commitEvents,
  makeWebhook,
  makeWebhookAccount,
  post,
  startReceiver,
  type WebhookAccount,
} from '../webhooks.ts';
import {
  atLeast,
  atMost,
  compare,
  figure,
  quantile,
  type Comparison,
  type Contender,
  type Sample,
} from '../measure.ts';
import { cpuMs, type Running } from '../process.ts';

const ACCOUNTS = 4;
const HOOKS_PER_ACCOUNT = 2;
/** The most requests in flight of one webhook. */
const IN_FLIGHT = 8;
const DELIVERIES = 4_000;
/** The number of latencies in a round. */
const LATENCIES = 40;
const BACKLOG = 100_000;
const HUNG_HOOKS = 25;

const ENVIRONMENT = {
  OFFPLAN_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
  OFFPLAN_WEBHOOK_ALLOW_PRIVATE: 'true',
};

type Receiver = Awaited<ReturnType<typeof startReceiver>>;

/**
 * Measures deliveries of events to endpoints on this machine: the rate, the latency, and the latency while other accounts are
 * busy.
 */
export async function webhooks(bench: Bench): Promise<Comparison[]> {
  const service = await bench.serve(ENVIRONMENT);
  const receiver = await startReceiver();
  try {
    return [
      ...(await measureRates(bench, service, receiver)),
      await measureLatencies(bench, service, receiver),
      await measureFairness(bench, service, receiver),
    ];
  } finally {
    await service.stop();
    receiver.close();
  }
}

async function measureRates(
  bench: Bench,
  service: Running,
  receiver: Receiver,
): Promise<Comparison[]> {
  const accounts = await Promise.all(
    Array.from({ length: ACCOUNTS }, (_, at) => makeWebhookAccount(bench.db, `rate-${at}`)),
  );
  for (const account of accounts)
    for (let hook = 0; hook < HOOKS_PER_ACCOUNT; hook += 1)
      await makeWebhook(service, account, `${receiver.url}/rate`);
  const single = await makeWebhookAccount(bench.db, 'rate-single');
  await makeWebhook(service, single, `${receiver.url}/single`);
  await deliver(bench, [single], 1);
  const baseline = await bench.baseline('post');
  const hooks = ACCOUNTS * HOOKS_PER_ACCOUNT;

  const postAll = (inFlight: number): Contender => ({
    name: `POST by node:http, ${inFlight} in flight`,
    run: async () => {
      const url = `${receiver.url}/baseline`;
      const work = { url, inFlight, count: DELIVERIES, body: receiver.example() };
      return measureWork(baseline, async () => {
        const response = await fetch(baseline.url, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(work),
        });
        if (!response.ok) throw new Error(await response.text());
      });
    },
  });
  const deliverAll = (name: string, to: WebhookAccount[], events: number): Contender => ({
    name,
    run: () => measureWork(service, () => deliver(bench, to, events)),
  });

  const many = await compare(
    `${DELIVERIES} deliveries to ${hooks} webhooks of ${ACCOUNTS} accounts`,
    [postAll(hooks * IN_FLIGHT), deliverAll('service', accounts, DELIVERIES / hooks)],
    bench,
  );
  many.verdicts.push(atLeast(many.figures[1]?.perSecond ?? NaN, 1_000, 'a second'));
  const one = await compare(
    `${DELIVERIES} deliveries to one webhook`,
    [postAll(IN_FLIGHT), deliverAll('service', [single], DELIVERIES)],
    bench,
  );
  return [many, one];
}

async function measureWork({ pid }: Running, work: () => Promise<void>): Promise<Sample> {
  const cpuBefore = cpuMs(pid);
  const startMs = performance.now();
  await work();
  const seconds = (performance.now() - startMs) / 1_000;
  const cpuUs = ((cpuMs(pid) - cpuBefore) * 1_000) / DELIVERIES;
  return { perSecond: DELIVERIES / seconds, cpuUs };
}

/** Commits events of each account, and waits until all are delivered and recorded. */
async function deliver({ db }: Bench, accounts: WebhookAccount[], events: number): Promise<void> {
  await Promise.all(accounts.map((account) => commitEvents(db, account, events)));
  const ids = accounts.map(({ id }) => id);
  const countWaiting = async () =>
    (
      await run(
        db,
        `select from webhooks join account_revisions using (account_id)
          where account_id = any($1) and sequence > cursor`,
        [ids],
      )
    ).length;
  while ((await countWaiting()) > 0) await sleep(10);
}

/** Measures the times from a COMMIT to the first byte at the endpoint, of an otherwise idle service. */
async function measureLatencies(
  bench: Bench,
  service: Running,
  receiver: Receiver,
): Promise<Comparison> {
  const account = await makeWebhookAccount(bench.db, 'latency');
  await makeWebhook(service, account, `${receiver.url}/latency`);
  let contacts = 0;
  const wakeUps = createWakeUps(bench.db);
  const writers: Record<string, () => Promise<number>> = {
    'from the request of a lead, in the process that sends': async () => {
      const sentMs = performance.now();
      await post(service, account, '/contacts', { email: `lead-${++contacts}@example.com` });
      return sentMs;
    },
    'from the COMMIT of another process, which notifies this one': async () => {
      await commitEvents(bench.db, account, 1);
      const committedMs = performance.now();
      wakeUps.publish(account.id);
      return committedMs;
    },
    'from the COMMIT of a command, which sends no notification': async () => {
      await commitEvents(bench.db, account, 1);
      return performance.now();
    },
  };
  const comparison: Comparison = { work: 'an event of a quiet service', figures: [], verdicts: [] };
  for (const [name, write] of Object.entries(writers)) {
    bench.say(name);
    const times: number[] = [];
    while (times.length < bench.rounds * LATENCIES)
      times.push(await measureLatency(receiver, '/latency', write));
    comparison.figures.push(figure(name, [describeTimes(times)]));
    comparison.verdicts.push(atMost(quantile(times, 0.95), 300, `ms p95 ${name}`));
  }
  await wakeUps.close();
  return comparison;
}

/** Commits an event, and returns the time until its request reaches the path. */
async function measureLatency(
  receiver: Receiver,
  path: string,
  commit: () => Promise<number>,
): Promise<number> {
  // Wait a random time: real writers are not in step with the intervals of the worker.
  await sleep(randomInt(100, 400));
  const first = receiver.nextFirstByte(path);
  const committedMs = await commit();
  return Math.max((await first) - committedMs, 0);
}

const describeTimes = (times: number[]): Sample => ({
  perSecond: NaN,
  p50Ms: quantile(times, 0.5),
  p99Ms: quantile(times, 0.99),
});

/**
 * Measures the latency of one account's events while another account has a large backlog, and a third has endpoints that never
 * answer.
 */
async function measureFairness(
  bench: Bench,
  service: Running,
  receiver: Receiver,
): Promise<Comparison> {
  const { db } = bench;
  const [busy, slow, mine] = await Promise.all([
    makeWebhookAccount(db, 'busy'),
    makeWebhookAccount(db, 'slow'),
    makeWebhookAccount(db, 'mine'),
  ]);
  await makeWebhook(service, busy, `${receiver.url}/busy`);
  for (let hook = 0; hook < HUNG_HOOKS; hook += 1)
    await makeWebhook(service, slow, `${receiver.url}/hung/${hook}`);
  await makeWebhook(service, mine, `${receiver.url}/mine`);
  await commitEvents(db, slow, 100);
  await commitEvents(db, busy, BACKLOG);
  const times: number[] = [];
  while (times.length < bench.rounds * LATENCIES)
    times.push(
      await measureLatency(receiver, '/mine', async () => {
        await commitEvents(db, mine, 1);
        return performance.now();
      }),
    );
  const sent = receiver.count('/busy');
  if (sent >= BACKLOG) throw new Error('the other account has no more events waiting');
  const hung = Array.from({ length: HUNG_HOOKS }, (_, hook) => receiver.count(`/hung/${hook}`));
  const p95 = quantile(times, 0.95);
  return {
    work: `an account's event while another has ${BACKLOG} waiting, and ${HUNG_HOOKS} endpoints of a third never answer`,
    figures: [figure('from its COMMIT to the first byte', [describeTimes(times)])],
    verdicts: [
      atMost(p95, 1_000, 'ms p95'),
      atLeast(sent, 1, 'deliveries of the busy account meanwhile'),
      atMost(Math.max(...hung), 12, 'requests to an endpoint that never answers'),
    ],
  };
}
