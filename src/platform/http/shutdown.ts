import { unavailable, type Problem } from './problems.ts';

/**
 * The two steps in which a service stops, so that no request stays unanswered. From `stopping` on, each answer closes its
 * connection, and no client sends its next request to a server that is about to end. At `givingUp`, each request in flight gets a
 * 503.
 */
export interface Shutdown {
  /** Aborts when the service begins to stop. It accepts requests for a moment more. */
  stopping: AbortSignal;
  /** Aborts when the service no longer waits for requests in flight. */
  givingUp: AbortSignal;
}

/** A shutdown that never happens, for a service that a test or a script closes by itself. */
export function neverShutDown(): Shutdown {
  return { stopping: new AbortController().signal, givingUp: new AbortController().signal };
}

/**
 * Makes the problem of a request that was in flight at `givingUp`. Its work may still be committed, as when a connection is lost
 * in COMMIT.
 */
export function serviceStopping(): Problem {
  return unavailable(
    'The service is stopping. Send the request again.',
    new Error('not done in time'),
  );
}
