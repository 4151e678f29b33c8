import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** For how long a client may go on sending after the last answer of its connection. */
const LINGER_MS = 2_000;

/**
 * Ends connections in the two steps of RFC 9112, 9.6. Closed at once, with something of what the client sends unread, TCP
 * would reset the connection, and what the client had not yet taken of its answers would be lost.
 */
export function lingerAtEnd(server: Server): void {
  server.on('connection', (socket) => {
    // What Node calls when the answer that ends a connection is sent.
    socket.destroySoon = () => linger(socket);
  });
}

/** Ends our side of a connection, and the client's if it does not do so itself in time. */
export function linger(socket: Socket): void {
  socket.end();
  discardInput(socket);
  const late = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(late));
}

/** Takes what a client sends from now on and drops it: none of it is parsed, nor kept. */
export function discardInput(socket: Socket): void {
  const parsers = socket.listeners('data') as (() => void)[];
  // To listen is what takes the connection from Node's parser.
  socket.on('data', drop);
  for (const parser of parsers) socket.off('data', parser);
  socket.resume();
}

function drop(): void {}
