import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';
import { unavailable } from './problems.ts';
import type { Server } from './server.ts';

/** The end of a service, in two steps. */
export interface Ending {
  /** Aborted when the service is to stop. */
  stopping: AbortSignal;
  /** Aborted when it cannot wait any longer for what is still under way. */
  givingUp: AbortSignal;
}

/** An ending that never comes. */
export function noEnding(): Ending {
  return { stopping: new AbortController().signal, givingUp: new AbortController().signal };
}

/** Lets a service end without leaving anybody without an answer. */
export function endInOrder(server: Server, { stopping, givingUp }: Ending): void {
  whenAborted(stopping, () => server.server.prependListener('request', announce));
  const underWay = new Set<FastifyReply>();
  server.addHook('onRequest', (_request, reply, done) => {
    underWay.add(reply);
    reply.raw.once('close', () => underWay.delete(reply));
    done();
  });
  whenAborted(givingUp, () => {
    for (const reply of underWay) if (!reply.raw.headersSent) reply.send(ended());
  });
}

// Each answer ends its connection, so that none is cut in whose place a client would have sent its next request.
function announce(_request: IncomingMessage, response: ServerResponse): void {
  response.setHeader('connection', 'close');
}

// What was being done may still happen, as when a connection is lost in COMMIT.
const ended = () => unavailable('The service is stopping. Send the request again.');

function whenAborted(signal: AbortSignal, then: () => unknown): void {
  if (signal.aborted) then();
  else signal.addEventListener('abort', then, { once: true });
}
