import type { QueryClient } from '@tanstack/react-query';
import type { Event } from '../api.ts';
import { listTouchedKeys } from './types.ts';

const AT_MOST_EVERY_MS = 1_000;

/**
 * Invalidates the cached answers that events touch, at most once a second, so that a flood of events is a request a second.
 * Queries with `meta: { isManual: true }`, such as long lists, are left to their pages.
 */
export function createRefetcher(queries: QueryClient) {
  const touched = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let lastMs = -Infinity;

  function flush(): void {
    timer = undefined;
    lastMs = performance.now();
    const nouns = new Set(touched);
    touched.clear();
    void queries.invalidateQueries({
      predicate: ({ queryKey, meta }) =>
        meta?.['isManual'] !== true && nouns.has(String(queryKey[0])),
    });
  }

  return {
    add({ type }: Event): void {
      for (const noun of listTouchedKeys(type)) touched.add(noun);
      timer ??= setTimeout(flush, Math.max(0, lastMs + AT_MOST_EVERY_MS - performance.now()));
    },
    stop: (): void => clearTimeout(timer),
  };
}
