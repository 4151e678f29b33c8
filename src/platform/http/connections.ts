import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export interface Connection {
  /** The response to the latest request, sent or not. */
  latest?: ServerResponse;
  /** The response before it, if that was not sent when the latest request arrived. */
  previous?: ServerResponse | undefined;
}

export interface Connections {
  find: (socket: Socket) => Connection;
}

/** Whether a response is under way. The responses of a connection end in the order of their requests. */
function isBusy({ latest }: Connection): boolean {
  return latest !== undefined && !latest.closed;
}

/**
 * Tracks the connections of a server and their responses. It also corrects `closeIdleConnections`: Node.js takes a
 * connection for idle as soon as its response is written, and would cut off a client that is still reading it.
 */
export function trackConnections(server: Server): Connections {
  const connections = new Map<Socket, Connection>();

  server.on('connection', (socket) => {
    connections.set(socket, {});
    socket.once('close', () => connections.delete(socket));
  });
  server.prependListener('request', ({ socket }, response) => {
    const connection = connections.get(socket);
    if (connection === undefined) return;
    connection.previous = isBusy(connection) ? connection.latest : undefined;
    connection.latest = response;
  });
  server.closeIdleConnections = () => {
    for (const [socket, connection] of connections)
      if (!isBusy(connection) && socket.writableLength === 0) socket.destroy();
  };

  return { find: (socket) => connections.get(socket) ?? {} };
}
