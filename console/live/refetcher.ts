import type { QueryClient, QueryFilters } from '@tanstack/react-query';
import type { Event } from '../api.ts';
import { listTouchedKeys } from './types.ts';

const AT_MOST_EVERY_MS = 1_000;
/** Figures are refetched less often: they count all contacts of an account, and the import of a file makes events for minutes. */
const FIGURES_AT_MOST_EVERY_MS = 10_000;

/**
 * Invalidates the queries that events affect, at most once a second, so that many events cause one request a second. It skips
 * queries with `meta: { isManual: true }`, such as long lists, which their pages refresh.
 */
export function createRefetcher(queries: QueryClient) {
  const rows = createThrottle(AT_MOST_EVERY_MS, invalidate);
  const figures = createThrottle(FIGURES_AT_MOST_EVERY_MS, invalidate);

  function invalidate(nouns: ReadonlySet<string>): void {
    const filters: QueryFilters = {
      predicate: ({ queryKey, meta }) =>
        meta?.['isManual'] !== true && nouns.has(String(queryKey[0])),
    };
    // TanStack Query does not restart a first load, whose answer may be older than the event: load it once more.
    for (const query of queries.getQueryCache().findAll(filters))
      if (query.state.data === undefined)
        void query.promise?.then(() => query.fetch()).catch(() => undefined);
    void queries.invalidateQueries(filters);
  }

  return {
    add({ type }: Event): void {
      for (const noun of listTouchedKeys(type)) (noun === 'figures' ? figures : rows).add(noun);
    },
    stop(): void {
      rows.stop();
      figures.stop();
    },
  };
}

/** Collects values. It flushes the first one at once, and later ones when `everyMs` have passed since the last flush. */
function createThrottle(everyMs: number, flush: (values: ReadonlySet<string>) => void) {
  let values = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let lastMs = -Infinity;

  function run(): void {
    timer = undefined;
    lastMs = performance.now();
    flush(values);
    values = new Set();
  }

  return {
    add(value: string): void {
      values.add(value);
      timer ??= setTimeout(run, Math.max(0, lastMs + everyMs - performance.now()));
    },
    stop: (): void => clearTimeout(timer),
  };
}
