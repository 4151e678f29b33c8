import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Knows which answers are not yet sent on each connection. */
export interface Connections {
  /** The answers of a connection that are in flight, in the order of their requests. */
  inFlightOn: (socket: Socket) => ServerResponse[];
}

/**
 * Tracks the connections of a server. It also corrects `closeIdleConnections`: Node.js takes a connection for idle as soon
 * as its answer is written, and would cut off a client that is still reading it.
 */
export function trackConnections(server: Server): Connections {
  const connections = new Map<Socket, Set<ServerResponse>>();

  server.on('connection', (socket) => {
    connections.set(socket, new Set());
    socket.once('close', () => connections.delete(socket));
  });
  server.prependListener('request', ({ socket }, response) => {
    const inFlight = connections.get(socket);
    inFlight?.add(response);
    response.once('close', () => inFlight?.delete(response));
  });
  server.closeIdleConnections = () => {
    for (const [socket, inFlight] of connections)
      if (inFlight.size === 0 && socket.writableLength === 0) socket.destroy();
  };

  return { inFlightOn: (socket) => [...(connections.get(socket) ?? [])] };
}
