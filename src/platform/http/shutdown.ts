import type { FastifyReply } from 'fastify';
import { unavailable } from './problems.ts';
import type { Server } from './server.ts';

/** The two steps in which a service stops. */
export interface Shutdown {
  /** Aborted when the service begins to stop: it takes requests for a moment more. */
  stopping: AbortSignal;
  /** Aborted when the service waits no longer for requests in flight. */
  givingUp: AbortSignal;
}

/** A shutdown that never happens, for a service that a test or a script closes by itself. */
export function neverShutDown(): Shutdown {
  return { stopping: new AbortController().signal, givingUp: new AbortController().signal };
}

/**
 * Makes a server stop without leaving a request unanswered. From `stopping` on each answer closes its connection, so that no
 * client sends its next request to a server that is about to go. At `givingUp` each request in flight gets a 503.
 */
export function answerDuringShutdown(server: Server, { stopping, givingUp }: Shutdown): void {
  const inFlight = new Set<FastifyReply>();
  server.addHook('onRequest', (_request, reply, done) => {
    if (stopping.aborted) reply.header('connection', 'close');
    inFlight.add(reply);
    reply.raw.once('close', () => inFlight.delete(reply));
    done(givingUp.aborted ? stopped() : undefined);
  });
  givingUp.addEventListener('abort', () => {
    for (const reply of inFlight) if (!reply.raw.headersSent) reply.send(stopped());
  });
}

// The work may still be done, as when a connection is lost in COMMIT.
const stopped = () =>
  unavailable('The service is stopping. Send the request again.', new Error('not done in time'));
