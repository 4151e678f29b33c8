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
    // A request that is under way may bring an answer older than the event: ask once more after it. Cancelling it instead would
    // never let an answer arrive that takes longer than the time between two changes.
    for (const query of queries.getQueryCache().findAll(filters))
      if (query.state.fetchStatus !== 'idle')
        void query.promise?.then(() => query.fetch()).catch(() => undefined);
    void queries.invalidateQueries(filters, { cancelRefetch: false });
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

/** Collects values. It flushes the first one at once, and later ones every `everyMs`. */
function createThrottle(everyMs: number, flush: (values: ReadonlySet<string>) => void) {
  let values = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;

  function run(): void {
    timer = undefined;
    if (values.size === 0) return;
    timer = setTimeout(run, everyMs);
    flush(values);
    values = new Set();
  }

  return {
    add(value: string): void {
      values.add(value);
      timer ??= setTimeout(run);
    },
    stop: (): void => clearTimeout(timer),
  };
}
