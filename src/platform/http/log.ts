import pino, { type Logger } from 'pino';
import type { Config } from '../config/index.ts';
import { escapeControls } from '../text/index.ts';
import { SAFE_METHODS } from './safe-methods.ts';

/** Creates the log: JSON lines on stderr. It buffers them for a moment, since a write takes as long as a small request. */
export function createLogger(level: Config['logLevel']): Logger {
  const destination = pino.destination({
    dest: 2,
    sync: false,
    minLength: BUFFER_BYTES,
    periodicFlush: FLUSH_EVERY_MS,
    maxLength: BUFFER_MAX_BYTES,
  });
  // The disk of the log may be full. The service then goes on, and its exit does not wait for a flush that cannot succeed.
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
    // Escape control characters, since the terminal that shows the log would obey those of a stranger. The line is still JSON
    // with the same meaning.
    { write: (line) => void destination.write(escapeControls(line)) },
  );
}

const BUFFER_BYTES = 4096;
const FLUSH_EVERY_MS = 100;
/** Further lines are dropped, so that they do not fill the memory. */
const BUFFER_MAX_BYTES = 16 * 1024 * 1024;

/** A request that takes longer is always logged at the level info. */
const SLOW_MS = 1_000;

/** The part of a request that the log, the metrics and the traces need. */
export interface AnsweredRequest {
  readonly id: string;
  readonly method: string;
  readonly routeOptions: { readonly url?: string | undefined };
}

/**
 * Logs a request that writes, was refused or was slow at the level info, and any other at debug, since pollers read thousands of
 * times a second. A line has the route, never the URL, headers or body: those can be personal data.
 */
export function logResponse(
  log: Logger,
  request: AnsweredRequest,
  status: number,
  ms: number,
): void {
  const isNotable = !SAFE_METHODS.has(request.method) || status >= 400 || ms >= SLOW_MS;
  if (isNotable) log.info(describeRequest(request, status, ms), 'request');
  else if (log.isLevelEnabled('debug')) log.debug(describeRequest(request, status, ms), 'request');
}

function describeRequest(request: AnsweredRequest, status: number, ms: number): object {
  return {
    ...getLogContext(request),
    method: request.method,
    route: request.routeOptions.url ?? null,
    status,
    ...refusals.get(request),
    ms: Math.round(ms * 10) / 10,
  };
}

/** Returns the request id, by which the line of an answer is found, and the id of its trace if there is one. */
export function getLogContext(request: AnsweredRequest): { reqId: string; traceId?: string } {
  const traceId = traceIds.get(request);
  return { reqId: request.id, ...(traceId !== undefined && { traceId }) };
}

// Maps rather than decorators, since a request that Fastify itself refuses is not decorated.
const traceIds = new WeakMap<AnsweredRequest, string>();
const refusals = new WeakMap<AnsweredRequest, { code: string; cause?: unknown }>();

/** Adds the id of its trace to the log line of a request. */
export function noteTrace(request: AnsweredRequest, traceId: string): void {
  traceIds.set(request, traceId);
}

/** Notes the code of a request's problem, and the code of its cause, for the log. */
export function noteRefusal(request: AnsweredRequest, code: string, reason?: unknown): void {
  const { code: cause } = (reason ?? {}) as { code?: unknown };
  refusals.set(request, { code, ...(cause !== undefined && { cause }) });
}

/** Returns the parts of an error that may be logged. The message of a database error can quote values, such as an email. */
export function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { errorType: typeof error };
  const { code } = error as { code?: unknown };
  const cause = error.cause === undefined ? {} : { cause: describeError(error.cause) };
  const fromDatabase = typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code);
  const message = fromDatabase ? {} : { message: error.message };
  return { errorType: error.name, code, ...message, stack: listFrames(error), ...cause };
}

// The first lines of a stack repeat the message.
function listFrames(error: Error): string[] {
  const lines = (error.stack ?? '').split('\n');
  return lines.filter((line) => line.startsWith('    at ')).map((line) => line.trim());
}
