import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyReply } from 'fastify';

/** A connection, with its replies. */
export interface Connection {
  /** The replies that are not sent yet, in the order of their requests. */
  inFlight: FastifyReply[];
  /** The reply to the latest request, sent or not. */
  latest: FastifyReply | undefined;
}

/** The connections of a server. */
export interface Connections {
  /** Tracks the connections of a server from now on. */
  watch: (server: Server) => void;
  /** Notes the reply to a new request. Call it once per request. */
  add: (reply: FastifyReply) => void;
  find: (socket: Socket) => Connection;
  list: () => Connection[];
}

/** How long a client may go on sending a body that was refused. Then the connection is cut. */
const REFUSED_BODY_MS = 5_000;

/**
 * A connection on which nothing moves for this long is closed: the client neither reads nor sends. Node.js lets this time pass
 * twice when bytes wait to be sent.
 */
const STALL_TIMEOUT_MS = 10_000;

/** The first request of a connection may arrive this much later than the connection. */
const FIRST_REQUEST_MS = 1_000;

interface TrackedConnection {
  /** When the connection was accepted, by `performance.now()`. */
  openedMs: number;
  /** The replies in flight. A reply that is sent stays in the list until the next request arrives. */
  replies: FastifyReply[];
  /**
   * The number of bytes that the client had sent when its latest request ended. If it has sent more since, a part of its next
   * request has arrived.
   */
  endedBytes: number;
}

/**
 * Creates the list of a server's connections and their replies. It closes connections that stall, and corrects
 * `closeIdleConnections`: Node.js takes a connection for idle as soon as its response is written, and would cut off a client that is
 * still reading it. A connection is not idle either when a part of its next request has arrived, nor for a moment after it was
 * accepted: its first request may be on the way.
 */
export function createConnections(): Connections {
  const connections = new Map<Socket, TrackedConnection>();

  function find(socket: Socket): Connection {
    const { replies } = connections.get(socket) ?? createTracked();
    return { inFlight: replies.filter(isInFlight), latest: replies.at(-1) };
  }

  function track(socket: Socket): void {
    connections.set(socket, createTracked());
    socket.once('close', () => connections.delete(socket));
    const destroySoon = socket.destroySoon.bind(socket);
    // Node.js calls it after the last answer of the connection.
    socket.destroySoon = () => {
      const request = find(socket).latest?.request.raw;
      if (request === undefined || request.complete) destroySoon();
      else discardBody(request, destroySoon);
    };
  }

  function closeStalled(socket: Socket): void {
    const { inFlight, latest } = find(socket);
    // A first request that is late gets a 408 from Node.js.
    const isWaiting = inFlight.length === 0 && latest !== undefined;
    if (socket.writableLength > 0 || isWaiting) socket.destroy();
  }

  return {
    watch: (server) => {
      server.on('connection', track);
      server.setTimeout(STALL_TIMEOUT_MS, closeStalled);
      server.closeIdleConnections = () => {
        for (const [socket, tracked] of connections) if (isIdle(socket, tracked)) socket.destroy();
      };
    },
    add: (reply) => {
      const { socket } = reply.request;
      const tracked = connections.get(socket);
      if (tracked === undefined) return;
      tracked.replies = [...tracked.replies.filter(isInFlight), reply];
      reply.raw.once('close', () => (tracked.endedBytes = socket.bytesRead));
    },
    find,
    list: () => [...connections.keys()].map(find),
  };
}

/**
 * Discards the rest of the body of a request that was answered before it arrived, then closes its connection. If the connection
 * was reset at once, a client that is still sending would report a broken connection in place of the answer.
 */
function discardBody(request: IncomingMessage, close: () => void): void {
  // Without a listener of data, removing the others stops a body that flows already.
  request.once('end', close).removeAllListeners('readable').on('data', noop).resume();
  setTimeout(close, REFUSED_BODY_MS).unref();
}

function noop(): void {}

function createTracked(): TrackedConnection {
  return { openedMs: performance.now(), replies: [], endedBytes: 0 };
}

function isIdle(socket: Socket, { openedMs, replies, endedBytes }: TrackedConnection): boolean {
  const isNew = socket.bytesRead === 0 && performance.now() - openedMs < FIRST_REQUEST_MS;
  if (isNew) return false;
  const isSent = socket.writableLength === 0 && !replies.some(isInFlight);
  return isSent && socket.bytesRead === endedBytes;
}

function isInFlight({ raw }: FastifyReply): boolean {
  return !raw.closed;
}
