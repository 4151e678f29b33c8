import { QueryClient } from '@tanstack/react-query';
import { ProblemError } from './api.ts';

const FRESH_MS = 30_000;
const TRIES = 2;

/** Makes the cache of answers. Live events invalidate them; without events they are asked for again on focus. */
export function createQueries(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: FRESH_MS,
        // A refusal stays a refusal. The client repeats what is worth it.
        retry: (count, error) => !(error instanceof ProblemError) && count < TRIES,
        throwOnError: false,
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
}
