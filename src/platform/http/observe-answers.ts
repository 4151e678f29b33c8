import type { ServerResponse } from 'node:http';
import { LogController, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { noteBrokenAnswer } from './errors.ts';
import { logResponse, type AnsweredRequest } from './log.ts';

/** Receives each request when it is answered, with the status and the duration. */
export type Observe = (request: AnsweredRequest, status: number, ms: number) => void;

/** The status that nginx logs for a request whose client left before the answer. It is for the log and the metrics. */
const CLIENT_CLOSED_REQUEST = 499;

/** Creates the function that reports the answer to a request to the log and to the observers, once it is sent or broken off. */
export function createAnswerObserver(logger: Logger, observers: Observe[]) {
  const logController = new BrokenAnswerLog(logger);

  function observe(request: FastifyRequest, reply: FastifyReply): void {
    const startedMs = performance.now();
    reply.raw.on('close', () => {
      const sent = isUnsent(reply.raw) ? CLIENT_CLOSED_REQUEST : reply.raw.statusCode;
      const status = logController.statuses.get(request) ?? sent;
      const ms = performance.now() - startedMs;
      for (const each of observers) each(request, status, ms);
      logResponse(logger, request, status, ms);
    });
  }

  return { observe, logController };
}

/** Notes the answers that an error breaks off. It logs nothing else of Fastify. */
class BrokenAnswerLog extends LogController {
  readonly statuses = new WeakMap<FastifyRequest, number>();
  readonly #logger: Logger;

  constructor(logger: Logger) {
    super({ disableRequestLogging: true });
    this.#logger = logger;
  }

  override streamError(error: NodeJS.ErrnoException, request: FastifyRequest): void {
    if (hasClientLeft(error)) return;
    this.statuses.set(request, noteBrokenAnswer(this.#logger, error, request));
  }
}

/** Whether a stream ended only because its client closed the connection. */
export const hasClientLeft = ({ code }: NodeJS.ErrnoException): boolean =>
  code === 'ERR_STREAM_PREMATURE_CLOSE';

// Node.js detaches the socket from a response that is sent, and attaches it to one only after the earlier responses.
function isUnsent({ socket, writableFinished }: ServerResponse): boolean {
  return socket === null ? !writableFinished : socket.destroyed;
}
