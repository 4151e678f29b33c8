import autocannon from 'autocannon';
import { cpuMs } from './process.ts';

/** The figures of one run of one contender. */
export interface Sample {
  /** Answers, leads or rows a second. */
  perSecond: number;
  p50Ms?: number;
  p99Ms?: number;
  /** Bytes of an answer. */
  bytes?: number;
  /** The processor time of the server for each answer, lead or row, in microseconds. */
  cpuUs?: number;
  /** The processor time of PostgreSQL for each, in microseconds. */
  postgresUs?: number;
  /** The greatest resident memory, in MB. */
  memoryMb?: number;
}

/** Something to measure: a baseline, or the service. */
export interface Contender {
  name: string;
  run: () => Promise<Sample>;
}

/** The median of several runs, and their spread. */
export interface Figure extends Sample {
  name: string;
  least: number;
  most: number;
}

/** A mark and the value that was reached. */
interface Verdict {
  what: string;
  value: number;
  reach: string;
  isReached: boolean;
}

/** Figures that were measured together, and the verdicts on them. */
export interface Comparison {
  work: string;
  figures: Figure[];
  verdicts: Verdict[];
}

export const atLeast = (value: number, reach: number, what = 'ratio'): Verdict => ({
  what,
  value,
  reach: reach === 0 ? 'no mark' : `≥ ${reach}`,
  isReached: value >= reach,
});

export const atMost = (value: number, reach: number, what: string): Verdict => ({
  what,
  value,
  reach: `≤ ${reach}`,
  isReached: value <= reach,
});

/**
 * Runs a baseline and a contender alternately, so that other work on the machine slows both. The verdict is about the median of
 * their ratios.
 */
export async function compare(
  work: string,
  [baseline, ours]: [Contender, Contender],
  { reach, rounds }: { reach?: number; rounds: number },
): Promise<Comparison> {
  const baselines: Sample[] = [];
  const mine: Sample[] = [];
  await warmUp(baseline, WARM_UP_MS);
  await warmUp(ours, WARM_UP_MS);
  for (let round = 0; round < rounds; round += 1) {
    // Change the order in each round, so that neither always runs second.
    const pair = round % 2 === 0 ? [baseline, ours] : [ours, baseline];
    for (const each of pair) (each === baseline ? baselines : mine).push(await each.run());
  }
  const figures = [figure(baseline.name, baselines), figure(ours.name, mine)];
  const ratios = mine.map(({ perSecond }, at) => perSecond / (baselines[at]?.perSecond ?? NaN));
  return { work, figures, verdicts: [atLeast(median(ratios), reach ?? 0)] };
}

const WARM_UP_MS = 6_000;

/** Runs a contender for a time without measuring, so that V8 compiles its code. */
export async function warmUp({ run }: Contender, ms: number): Promise<void> {
  const untilMs = performance.now() + ms;
  while (performance.now() < untilMs) await run();
}

/** Makes a contender that uses another process in each round, because of two processes with the same code one can be faster. */
export function alternate(name: string, contenders: Contender[]): Contender {
  let runs = 0;
  return {
    name,
    run: async () => {
      const next = contenders[runs % contenders.length];
      runs += 1;
      if (next === undefined) throw new Error('there is nothing to run');
      return next.run();
    },
  };
}

/** Repeats `prepare` and `work` for some seconds. It measures only `work`, which returns the bytes of its answer. */
export async function timed(
  seconds: number,
  prepare: () => Promise<void>,
  work: () => Promise<number>,
): Promise<Sample> {
  const times: number[] = [];
  const untilMs = performance.now() + seconds * 1_000;
  let bytes = 0;
  while (performance.now() < untilMs) {
    await prepare();
    const startMs = performance.now();
    bytes = await work();
    times.push(performance.now() - startMs);
  }
  const p50Ms = quantile(times, 0.5);
  return { perSecond: 1_000 / p50Ms, p50Ms, p99Ms: quantile(times, 0.99), bytes };
}

export function figure(name: string, samples: Sample[]): Figure {
  const rates = samples.map(({ perSecond }) => perSecond);
  const fields = ['p50Ms', 'p99Ms', 'bytes', 'cpuUs', 'postgresUs', 'memoryMb'] as const;
  const medians = fields.flatMap((field) => {
    const values = samples.flatMap((sample) => sample[field] ?? []);
    return values.length === 0 ? [] : [[field, median(values)] as const];
  });
  return {
    name,
    perSecond: median(rates),
    least: Math.min(...rates),
    most: Math.max(...rates),
    ...Object.fromEntries(medians),
  };
}

export function median(values: number[]): number {
  return quantile(values, 0.5);
}

export function quantile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(Math.floor(sorted.length * share), sorted.length - 1)] ?? NaN;
}

interface Load extends Omit<autocannon.Options, 'duration'> {
  seconds: number;
  /** The id of the server's process; `postgresPid` is that of PostgreSQL's. */
  pid: number;
  postgresPid: number;
}

/** Sends requests over `connections` for some seconds. Throws unless each answer is a 2xx or a 304. */
export async function load({ seconds, pid, postgresPid, ...options }: Load): Promise<Sample> {
  const before = [cpuMs(pid), cpuMs(postgresPid)];
  const times: number[] = [];
  const result = await new Promise<autocannon.Result>((resolve, reject) => {
    const run = autocannon({ ...options, duration: seconds }, (error: Error | null, result) =>
      error === null ? resolve(result) : reject(error),
    );
    run.on('response', (_client, _status, _bytes, ms) => times.push(ms));
  });
  const [server = 0, postgres = 0] = [cpuMs(pid), cpuMs(postgresPid)].map(
    (after, at) => after - (before[at] ?? 0),
  );
  const bad = result.errors + result['4xx'] + result['5xx'];
  if (bad > 0) throw new Error(`${bad} requests failed: ${JSON.stringify(result.statusCodeStats)}`);
  const count = times.length;
  return {
    perSecond: count / result.duration,
    p50Ms: quantile(times, 0.5),
    p99Ms: quantile(times, 0.99),
    bytes: result.throughput.total / Math.max(result.requests.total, 1),
    cpuUs: (server * 1000) / count,
    postgresUs: (postgres * 1000) / count,
  };
}
