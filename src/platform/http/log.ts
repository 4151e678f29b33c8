import pino, { type Logger } from 'pino';
import type { Config } from '../config/index.ts';

/** The log: JSON lines on stderr, gathered for a moment, since each write takes as long as a small request. */
export function createLogger(level: Config['logLevel']): Logger {
  const destination = pino.destination({
    dest: 2,
    sync: false,
    minLength: GATHERED_BYTES,
    periodicFlush: GATHERED_MS,
    maxLength: BUFFER_MAX_BYTES,
  });
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

const GATHERED_BYTES = 4096;
const GATHERED_MS = 100;
/** What is buffered at the most; lines beyond it are dropped rather than filling the memory. */
const BUFFER_MAX_BYTES = 16 * 1024 * 1024;

/** An answer that takes longer is worth a line, whatever it is. */
const SLOW_MS = 1_000;

/** What is known of a request that was answered, whoever did. */
export interface Answered {
  readonly id: string;
  readonly method: string;
  readonly routeOptions: { readonly url?: string | undefined };
}

/**
 * A line for each request that was to change something, was refused or took long; for the others, of which pollers
 * make thousands a second, at the level debug. It names the route, never the URL, headers or body: those can be personal.
 */
export function logResponse(log: Logger, request: Answered, status: number, ms: number): void {
  const { method } = request;
  const isRead = method === 'GET' || method === 'HEAD';
  const isNotable = !isRead || status >= 400 || ms >= SLOW_MS;
  if (isNotable) log.info(lineOf(request, status, ms), 'request');
  else if (log.isLevelEnabled('debug')) log.debug(lineOf(request, status, ms), 'request');
}

function lineOf(request: Answered, status: number, ms: number): object {
  return {
    ...contextOf(request),
    method: request.method,
    route: request.routeOptions.url ?? null,
    status,
    ...refusals.get(request),
    ms: Math.round(ms * 10) / 10,
  };
}

/** What leads from a line to its request, and to its trace when there is one. */
export function contextOf(request: Answered): { reqId: string; traceId?: string } {
  const traceId = traceIds.get(request);
  return { reqId: request.id, ...(traceId !== undefined && { traceId }) };
}

// Beside the request rather than in it: what Fastify refuses by itself is not decorated.
const traceIds = new WeakMap<Answered, string>();
const refusals = new WeakMap<Answered, { code: string; cause?: unknown }>();

export function noteTrace(request: Answered, traceId: string): void {
  traceIds.set(request, traceId);
}

/** Notes the code of the problem that a request is answered with, and that of the error which led to it. */
export function noteRefusal(request: Answered, code: string, reason?: unknown): void {
  const { code: cause } = (reason ?? {}) as { code?: unknown };
  refusals.set(request, { code, ...(cause !== undefined && { cause }) });
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
