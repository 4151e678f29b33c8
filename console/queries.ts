import { QueryClient } from '@tanstack/react-query';
import { ProblemError } from './api.ts';

const FRESH_MS = 30_000;
const TRIES = 3;

/** Creates the query cache. Live events invalidate its queries; stale ones are also refetched when the window gets the focus. */
export function createQueries(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: FRESH_MS,
        // Never retry a refusal. A busy service, for example right after its start, gets more retries than the client makes.
        retry: (count, error) => !isRefusal(error) && count < TRIES,
        throwOnError: false,
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
}

const isRefusal = (error: Error): boolean => error instanceof ProblemError && error.status < 500;
