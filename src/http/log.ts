import type { FastifyReply, FastifyRequest } from 'fastify';
import pino, { type Logger } from 'pino';
import type { Config } from '../config.ts';

/** The log: JSON lines on stderr, buffered while a write is under way. */
export function createLogger(level: Config['logLevel']): Logger {
  const destination = pino.destination({ dest: 2, sync: false, maxLength: BUFFER_MAX_BYTES });
  // A full disk under the log must neither end the service nor, by a last flush that never succeeds, keep it.
  destination.on('error', () => {
    destination.flushSync = () => undefined;
  });
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    destination,
  );
}

/** What is buffered at the most; lines beyond it are dropped rather than filling the memory. */
const BUFFER_MAX_BYTES = 16 * 1024 * 1024;

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

/** What is logged of an error: a driver's can quote values (a lead's email in a detail), so only what names the fault. */
export function loggable(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { errorType: typeof error };
  const { code } = error as { code?: unknown };
  const cause = error.cause === undefined ? {} : { cause: loggable(error.cause) };
  const fromDatabase = typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code);
  const message = fromDatabase ? {} : { message: error.message };
  return { errorType: error.name, code, ...message, stack: frames(error), ...cause };
}

// The stack without its first lines, which repeat the message.
function frames(error: Error): string[] {
  const lines = (error.stack ?? '').split('\n');
  return lines.filter((line) => line.startsWith('    at ')).map((line) => line.trim());
}
