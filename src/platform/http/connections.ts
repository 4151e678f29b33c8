import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyReply } from 'fastify';

export interface Connection {
  /** The replies that are not sent yet, in the order of their requests. */
  inFlight: FastifyReply[];
  /** The reply to the latest request, sent or not. */
  latest: FastifyReply | undefined;
}

export interface Connections {
  /** Notes the reply to a new request. Call it once per request. */
  add: (reply: FastifyReply) => void;
  /** Notes that a request of the connection has ended. Call it when its reply is closed. */
  end: (socket: Socket) => void;
  find: (socket: Socket) => Connection;
  list: () => Connection[];
}

/** How long a client may go on sending a body that was refused. Then the connection is cut. */
const REFUSED_BODY_MS = 5_000;

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
 * Tracks the connections of a server and their replies. It also corrects `closeIdleConnections`: Node.js takes a connection for
 * idle as soon as its response is written, and would cut off a client that is still reading it. A connection is not idle either
 * when a part of its next request has arrived, nor for a moment after it was accepted: its first request may be on the way.
 */
export function trackConnections(server: Server): Connections {
  const connections = new Map<Socket, TrackedConnection>();

  function find(socket: Socket): Connection {
    const { replies } = connections.get(socket) ?? createTracked();
    return { inFlight: replies.filter(isInFlight), latest: replies.at(-1) };
  }

  server.on('connection', (socket) => {
    connections.set(socket, createTracked());
    socket.once('close', () => connections.delete(socket));
    const destroySoon = socket.destroySoon.bind(socket);
    // Node.js calls it after the last answer of the connection.
    socket.destroySoon = () => {
      const request = find(socket).latest?.request.raw;
      if (request === undefined || request.complete) destroySoon();
      else discardBody(request, destroySoon);
    };
  });
  server.closeIdleConnections = () => {
    for (const [socket, tracked] of connections) if (isIdle(socket, tracked)) socket.destroy();
  };

  return {
    add: (reply) => {
      const { socket } = reply.request;
      const tracked = connections.get(socket);
      if (tracked) tracked.replies = [...tracked.replies.filter(isInFlight), reply];
    },
    end: (socket) => {
      const tracked = connections.get(socket);
      if (tracked) tracked.endedBytes = socket.bytesRead;
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
