import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { discardInput } from './linger.ts';

/** How many requests of one connection are under way at once: Node would take in, and keep, as many as are sent. */
const UNDER_WAY_MAX = 16;

/** What was asked on a connection. */
interface Line {
  /** The last request, its answer, and the answer to the one before it. */
  request: IncomingMessage;
  response: ServerResponse;
  before: ServerResponse | undefined;
  /** The answers that are being made, in the order of their requests; finished ones may be in front. */
  underWay: ServerResponse[];
  /** What was sent beyond them. */
  waiting: { response: ServerResponse; begin: () => void }[];
  /** An answer has said that the connection ends: what follows is not carried out (RFC 9112, 9.6), nobody would hear of it. */
  isOver: boolean;
}

/** Requests that are sent on one connection without waiting for the answers, which come in their order. */
export interface Pipelining {
  /** Begins a request when few enough before it on its connection are under way; nothing more is read until then. */
  inTurn(request: IncomingMessage, response: ServerResponse, begin: () => void): void;
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
  const lines = new WeakMap<Socket, Line>();
  const refused = new WeakSet<Socket>();

  function lineOf(request: IncomingMessage, response: ServerResponse): Line {
    const line = lines.get(request.socket);
    if (line !== undefined)
      return Object.assign(line, { request, response, before: line.response });
    const first = {
      request,
      response,
      before: undefined,
      underWay: [],
      waiting: [],
      isOver: false,
    };
    lines.set(request.socket, first);
    return first;
  }

  return {
    inTurn(request, response, begin) {
      const line = lineOf(request, response);
      const { underWay, waiting } = line;
      noteFollowed(request.socket, line, line.before);
      if (line.isOver) return;
      forgetFinished(underWay);
      if (waiting.length === 0 && underWay.length < UNDER_WAY_MAX) {
        underWay.push(response);
        return begin();
      }
      waiting.push({ response, begin });
      if (waiting.length > 1) return;
      request.socket.pause().on('resume', pauseAgain);
      underWay[0]?.once('close', () => beginMore(request.socket, line));
    },
    isAnswered: (socket) => lines.get(socket)?.response.writableFinished === true,
    afterAnswers(socket, { refuse, end }) {
      if (refused.has(socket)) return;
      refused.add(socket);
      const last = lines.get(socket);
      const isTold = last?.response.headersSent === true && !last.request.complete;
      const awaited = isTold || last?.request.complete ? last.response : last?.before;
      const then = isTold ? end : refuse;
      if (awaited === undefined || awaited.writableFinished || !socket.writable) then();
      else awaited.once('close', then);
    },
  };
}

function beginMore(socket: Socket, line: Line): void {
  const { underWay, waiting } = line;
  // Nobody is there to be answered.
  if (socket.destroyed) return void waiting.splice(0);
  forgetFinished(underWay);
  for (const { response, begin } of waiting.splice(0, UNDER_WAY_MAX - underWay.length)) {
    underWay.push(response);
    begin();
    if (response !== line.response) noteFollowed(socket, line, response);
    if (line.isOver) return;
  }
  if (waiting.length === 0) socket.off('resume', pauseAgain).resume();
  else underWay[0]?.once('close', () => beginMore(socket, line));
}

// More was sent behind a request whose answer says that the connection ends, as each does while the service stops: the
// answer takes that back if it still can.
function noteFollowed(socket: Socket, line: Line, response: ServerResponse | undefined): void {
  if (line.isOver || response?.getHeader('connection') !== 'close') return;
  // Behind a wish for another protocol Node loses what came in the same packet: that connection ends in any case.
  const isCertain = response.headersSent || response.req.headers.upgrade !== undefined;
  if (!isCertain) return response.removeHeader('connection');
  line.isOver = true;
  discardInput(socket.off('resume', pauseAgain));
}

/** Node resumes a connection with each request that has arrived whole, those that wait among them. */
function pauseAgain(this: Socket): void {
  this.pause();
}

function forgetFinished(underWay: ServerResponse[]): void {
  while (underWay[0]?.writableFinished) underWay.shift();
}
