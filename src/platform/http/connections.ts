import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyReply } from 'fastify';

export interface Connection {
  /** The replies that are not sent yet, in the order of their requests. */
  inFlight: FastifyReply[];
  /** The reply to the latest request, sent or not. */
  latest: FastifyReply | undefined;
}

export interface Connections {
  /** Notes the reply to a new request. Call it once for each request. */
  add: (reply: FastifyReply) => void;
  find: (socket: Socket) => Connection;
  list: () => Connection[];
}

/**
 * Tracks the connections of a server and their replies. It also corrects `closeIdleConnections`: Node.js takes a
 * connection for idle as soon as its response is written, and would cut off a client that is still reading it.
 */
export function trackConnections(server: Server): Connections {
  /** The replies of each connection. The next request removes those that are sent. */
  const connections = new Map<Socket, FastifyReply[]>();

  function find(socket: Socket): Connection {
    const replies = connections.get(socket) ?? [];
    return { inFlight: replies.filter(isInFlight), latest: replies.at(-1) };
  }

  server.on('connection', (socket) => {
    connections.set(socket, []);
    socket.once('close', () => connections.delete(socket));
  });
  server.closeIdleConnections = () => {
    for (const socket of connections.keys())
      if (find(socket).inFlight.length === 0 && socket.writableLength === 0) socket.destroy();
  };

  return {
    add: (reply) => {
      const { socket } = reply.request;
      const replies = connections.get(socket);
      if (replies) connections.set(socket, [...replies.filter(isInFlight), reply]);
    },
    find,
    list: () => [...connections.keys()].map(find),
  };
}

function isInFlight({ raw }: FastifyReply): boolean {
  return !raw.closed;
}
