import type { IncomingMessage, Server as HttpServer, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
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
  spareTakers(server.server);
  whenAborted(stopping, () => server.server.prependListener('request', announce));
  const underWay = createRing<FastifyReply>();
  server.addHook('onRequest', (_request, reply, done) => {
    reply.raw.once('close', underWay.add(reply));
    // An answer at once would end its connection, not knowing yet of what was sent behind it.
    if (givingUp.aborted) setImmediate(done, ended());
    else done();
  });
  whenAborted(givingUp, () => {
    for (const reply of underWay.values()) if (!reply.raw.headersSent) reply.send(ended());
  });
}

/** Node takes an answer that a client is still taking for one that is done, and would cut it off; so with those that linger. */
function spareTakers(server: HttpServer): void {
  const connections = createRing<Socket>();
  server.on('connection', (socket) => socket.once('close', connections.add(socket)));
  const closeIdle = server.closeIdleConnections.bind(server);
  server.closeIdleConnections = () => {
    const takers = connections
      .values()
      .filter(({ writableLength, writableEnded }) => writableLength > 0 || writableEnded);
    if (takers.length === 0) closeIdle();
  };
}

interface Place<T> {
  value?: T;
  before: Place<T>;
  after: Place<T>;
}

/*
 * What comes and goes with each request. V8 links each table that a Set has outgrown to its next one: once one of them
 * has grown old, it keeps all that come after it, with each request in them, until all of the memory is looked through
 * (measured: leads took Node an eighth longer).
 */
function createRing<T>() {
  const ring = {} as Place<T>;
  ring.before = ring.after = ring;

  /** Adds a value; what is given removes it. */
  function add(value: T): () => void {
    const place = { value, before: ring.before, after: ring };
    ring.before = place.before.after = place;
    return () => {
      place.before.after = place.after;
      place.after.before = place.before;
      // What is gone holds nobody.
      place.before = place.after = place;
    };
  }

  function values(): T[] {
    const all: T[] = [];
    for (let { value, after } = ring.after; value !== undefined; { value, after } = after)
      all.push(value);
    return all;
  }

  return { add, values };
}

// Each answer ends its connection, so that none is cut in whose place a client would have sent its next request.
function announce(_request: IncomingMessage, response: ServerResponse): void {
  response.setHeader('connection', 'close');
}

// What was being done may still happen, as when a connection is lost in COMMIT.
const ended = () =>
  unavailable('The service is stopping. Send the request again.', new Error('not done in time'));

function whenAborted(signal: AbortSignal, then: () => unknown): void {
  if (signal.aborted) then();
  else signal.addEventListener('abort', then, { once: true });
}
