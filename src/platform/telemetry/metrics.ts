import type { Pool } from '../database/index.ts';
import type { Observe } from '../http/index.ts';
import { counter, type Family } from './exposition.ts';
import { createProcessMeter } from './process.ts';
import { createRequestCounts } from './requests.ts';
import { poolFamilies } from './service.ts';

/** What is counted and read of one process. Neither accounts nor keys are labels: of them there is no end. */
export interface Metrics {
  /** To be called once for each request, when it is answered. */
  observe: Observe;
  /** To be called once for each import, with its channel and what became of it. */
  countImport: (channel: string, outcome: string) => void;
  /** Adds what is read when somebody asks. */
  add: (read: () => Family[]) => void;
  gather: () => Family[];
}

/** A request to what is no route. */
const NO_ROUTE = 'none';

/** Of a process and its connections to the database; what it serves is added. */
export function createMetrics(db: Pool): Metrics {
  const requests = createRequestCounts();
  // A counter that begins with 1 shows Prometheus no increase; these are what alerts are about.
  const imports = new Map(
    ['single', 'batch'].map((channel) => [
      channel,
      new Map(
        ['created', 'merged', 'internal_error', 'unavailable'].map((outcome) => [outcome, 0]),
      ),
    ]),
  );
  const readers = [createProcessMeter(), () => poolFamilies(db), requests.families, importFamilies];

  function importFamilies(): Family[] {
    const samples = [...imports].flatMap(([channel, outcomes]) =>
      [...outcomes].map(([outcome, value]) => ({ labels: { channel, outcome }, value })),
    );
    const help = 'Imports that became something: created, merged, or the code of their refusal.';
    return [counter('offplan_imports_total', help, samples)];
  }

  return {
    observe: ({ method, routeOptions }, status, ms) =>
      requests.count(method, routeOptions.url ?? NO_ROUTE, status, ms / 1_000),
    countImport: (channel, outcome) => {
      const outcomes = imports.get(channel) ?? new Map<string, number>();
      imports.set(channel, outcomes);
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    },
    add: (read) => void readers.push(read),
    gather: () => readers.flatMap((read) => read()),
  };
}
