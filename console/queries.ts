import { QueryClient } from '@tanstack/react-query';
import { ProblemError } from './api.ts';

const FRESH_MS = 30_000;
const RETRY_AFTER_MS = 500;

/** Creates the query cache. Live events invalidate its queries; stale ones are also refetched when the window gets the focus. */
export function createQueries(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: FRESH_MS,
        // The client has already sent the request again, except after a 500. Then the person decides.
        retry: (count, error) => isFault(error) && count < 1,
        retryDelay: RETRY_AFTER_MS,
        // A query that cannot reach the service says so, and runs again once the service can be reached.
        networkMode: 'always',
        refetchOnReconnect: true,
        throwOnError: false,
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
}

const isFault = (error: Error): boolean => error instanceof ProblemError && error.status === 500;
