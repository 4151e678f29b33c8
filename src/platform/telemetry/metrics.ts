import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Pool } from '../database/index.ts';
import type { Observe } from '../http/index.ts';
import { collectProcessMetrics } from './process.ts';
import type { ProcessMetrics } from './render.ts';

export { listenForScrapes } from './endpoint.ts';
export { renderMetrics } from './render.ts';

/** The counts of the cache of answers to reads. */
interface AnswerCounts {
  hits: number;
  misses: number;
  bytes: number;
}

/** Reads sizes of the import log from the database. */
interface ImportLogSizes {
  readBytes: () => Promise<number>;
  /** The largest share that any account has used of the bytes of refused imports that it may keep. */
  readRefusedShare: () => Promise<number>;
}

/** The metrics of one process. Accounts and keys are not labels, since their number has no limit. */
export interface Metrics {
  /** Counts a request. Call it once for each request, when it is answered. */
  observe: Observe;
  /** Counts an import by its channel and its outcome: created, merged, or the code of the refusal. */
  countImport: (channel: string, outcome: string) => void;
  /** Adds the metrics of the answer cache. */
  addAnswers: (counts: AnswerCounts) => void;
  /** Adds the number of requests whose imports are not done. */
  addPendingImports: (countPending: () => number) => void;
  /** Adds the size of the import log. Only the first process has it. */
  addImportLog: (log: ImportLogSizes) => void;
  read: () => Promise<ProcessMetrics>;
}

/** Upper bounds in seconds, from a cached answer to the longest request. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
/** The methods that the label names. A stranger can send dozens of others to each route. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
/** The label of every other method. */
const OTHER_METHOD = 'other';
/** The label of a request whose path has no route. */
const NO_ROUTE = 'none';
/** The outcomes that alerts watch. They begin with 0: Prometheus would see no increase in a counter that begins with 1. */
const OUTCOMES = ['created', 'merged', 'internal_error', 'unavailable'];

/** Creates the metrics of a process and of its connections to the database. */
export function createMetrics(db: Pool): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectProcessMetrics(registry);
  addPool(registers, db);
  const requests = new Counter({
    name: 'http_requests_total',
    help: 'Requests that were answered.',
    labelNames: ['method', 'route', 'status'],
    registers,
  });
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'From the arrival of a request to the end of its answer.',
    labelNames: ['method', 'route'],
    buckets: BUCKETS,
    registers,
  });
  const imports = new Counter({
    name: 'offplan_imports_total',
    help: 'Imports that were created or merged, or refused with this code.',
    labelNames: ['channel', 'outcome'],
    registers,
  });
  for (const channel of ['single', 'batch'])
    for (const outcome of OUTCOMES) imports.inc({ channel, outcome }, 0);

  return {
    observe: ({ method: sent, routeOptions: { url: route = NO_ROUTE } }, status, ms) => {
      const method = METHODS.has(sent) ? sent : OTHER_METHOD;
      requests.inc({ method, route, status });
      durations.observe({ method, route }, ms / 1_000);
    },
    countImport: (channel, outcome) => imports.inc({ channel, outcome }),
    addAnswers: (counts) => addAnswers(registers, counts),
    addPendingImports: (countPending) =>
      addGauge(
        registers,
        'offplan_import_requests_pending',
        'Requests whose imports wait for their transaction, or are in it.',
        countPending,
      ),
    addImportLog: (log) => addImportLog(registers, log),
    read: () => registry.getMetricsAsJSON(),
  };
}

function addAnswers(registers: Registry[], counts: AnswerCounts): void {
  const answers = new Counter({
    name: 'offplan_answers_total',
    help: 'Answers to reads that were cached (hit) or built (miss).',
    labelNames: ['cache'],
    registers,
    collect: () => {
      answers.reset();
      answers.inc({ cache: 'hit' }, counts.hits);
      answers.inc({ cache: 'miss' }, counts.misses);
    },
  });
  addGauge(registers, 'offplan_answers_bytes', 'The size of cached answers.', () => counts.bytes);
}

function addImportLog(registers: Registry[], log: ImportLogSizes): void {
  addGauge(
    registers,
    'offplan_import_log_bytes',
    'How much of the disk the import log takes.',
    log.readBytes,
  );
  addGauge(
    registers,
    'offplan_import_log_refused_share',
    'The share that the fullest account uses of the bytes of refused imports that it may keep.',
    log.readRefusedShare,
  );
}

function addPool(registers: Registry[], db: Pool): void {
  const connections = new Gauge({
    name: 'offplan_database_connections',
    help: 'Connections to PostgreSQL.',
    labelNames: ['state'],
    registers,
    collect: () => {
      connections.set({ state: 'idle' }, db.idleCount);
      connections.set({ state: 'busy' }, db.totalCount - db.idleCount);
    },
  });
  addGauge(
    registers,
    'offplan_database_waiting',
    'Work that waits for a connection to PostgreSQL.',
    () => db.waitingCount,
  );
}

/** Adds a gauge whose value is read at each scrape. It keeps its value when the database cannot be read. */
function addGauge(
  registers: Registry[],
  name: string,
  help: string,
  read: () => number | Promise<number>,
): void {
  const collect = async (): Promise<void> => {
    const value = await Promise.try(read).catch(() => null);
    if (value !== null) gauge.set(value);
  };
  const gauge: Gauge = new Gauge({ name, help, registers, collect });
}
