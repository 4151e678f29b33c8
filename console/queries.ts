import { QueryClient } from '@tanstack/react-query';
import { ProblemError } from './api.ts';

const FRESH_MS = 30_000;
const TRIES = 3;

/** Makes the cache of answers. Live events invalidate them; without events they are asked for again on focus. */
export function createQueries(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: FRESH_MS,
        // A refusal stays a refusal. A service that is busy, such as right after its start, is asked for longer than the client does.
        retry: (count, error) => !isRefusal(error) && count < TRIES,
        throwOnError: false,
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
}

const isRefusal = (error: Error): boolean => error instanceof ProblemError && error.status < 500;
