import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** A request, its answer, and the answer to what was sent before it on the connection. */
interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  before: ServerResponse | undefined;
}

/** What was asked on each connection last: requests may be sent without waiting, and are answered in their order. */
export interface Pipelining {
  note(request: IncomingMessage, response: ServerResponse): void;
  /** Whether there was a request on a connection, and the last one is answered. */
  isAnswered(socket: Socket): boolean;
  /**
   * Calls `refuse`, once for a connection, when all that was sent whole on it is answered: Node tells of what it cannot
   * parse at once, and a client would take that for the answer to the request before. Calls `end` instead when what
   * cannot be parsed is the body of a request that has its answer: it gets no second one.
   */
  afterAnswers(socket: Socket, then: { refuse: () => void; end: () => void }): void;
}

export function createPipelining(): Pipelining {
  const latest = new WeakMap<Socket, Exchange>();
  const refused = new WeakSet<Socket>();
  return {
    note(request, response) {
      const { socket } = request;
      latest.set(socket, { request, response, before: latest.get(socket)?.response });
    },
    isAnswered: (socket) => latest.get(socket)?.response.writableFinished === true,
    afterAnswers(socket, { refuse, end }) {
      if (refused.has(socket)) return;
      refused.add(socket);
      const last = latest.get(socket);
      const isTold = last?.response.headersSent === true && !last.request.complete;
      const awaited = isTold || last?.request.complete ? last.response : last?.before;
      const then = isTold ? end : refuse;
      if (awaited === undefined || awaited.writableFinished || !socket.writable) then();
      else awaited.once('close', then);
    },
  };
}
