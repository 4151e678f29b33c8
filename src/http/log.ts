import type { FastifyReply, FastifyRequest } from 'fastify';
import pino, { type Logger } from 'pino';
import type { Config } from '../config.ts';

/** The log: JSON lines on stderr, buffered while a write is under way. */
export function createLogger(level: Config['logLevel']): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    pino.destination({ dest: 2, sync: false }),
  );
}

/** One line for each request. It names the route, never the URL, headers or body: those can be personal. */
export function logResponse(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  request.log.info(
    {
      method: request.method,
      route: request.routeOptions.url ?? null,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
    },
    'request',
  );
  done();
}
