import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import { isDiskFull, isUnavailable } from '../database/index.ts';
import type { Connection } from './connections.ts';
import { toInvalidRequest } from './validation.ts';
import { UNCACHED_HEADERS } from './headers.ts';
import { getLogContext, describeError, noteRefusal } from './log.ts';
import { PROBLEMS, Problem, problemBody, unavailable, type ProblemCode } from './problems.ts';

/** The media type of errors (RFC 9457). */
export const PROBLEM_TYPE = 'application/problem+json; charset=utf-8';

/** Creates the handler that answers every error of a request as a problem, and logs the errors of the service (500 and 503). */
export function createErrorHandler(log: Logger) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    const problem = toProblem(error, request.routeOptions.bodyLimit);
    logFault(log, error, problem.code, request);
    sendProblem(problem, request, reply);
  };
}

/**
 * Logs an error that broke off an answer after its status was sent. Returns the status that the request would have got, for the
 * log and the metrics.
 */
export function noteBrokenAnswer(log: Logger, error: unknown, request: FastifyRequest): number {
  const { code, cause } = toProblem(error, request.routeOptions.bodyLimit);
  logFault(log, error, code, request);
  noteRefusal(request, code, cause);
  return PROBLEMS[code].status;
}

function logFault(log: Logger, error: unknown, code: ProblemCode, request: FastifyRequest): void {
  // A 503 without a cause is intended, such as that of /readyz while the service stops.
  const isFault = !(error instanceof Problem) || error.cause !== undefined;
  if (PROBLEMS[code].status >= 500 && isFault)
    log.error({ ...getLogContext(request), ...describeError(error) }, code);
}

export function handleUnknownRoute(request: FastifyRequest, reply: FastifyReply): void {
  sendProblem(unknownRoute(), request, reply);
}

export function unknownRoute(): Problem {
  return new Problem('route_not_found', UNKNOWN_ROUTE);
}

const UNKNOWN_ROUTE =
  'There is nothing at this path. The paths of the API begin with /api/v1 and have no slash at the end; /docs lists them.';

function sendProblem(problem: Problem, request: FastifyRequest, reply: FastifyReply): void {
  noteRefusal(request, problem.code, problem.cause);
  reply
    .code(PROBLEMS[problem.code].status)
    // Set the request id here too: a request that Fastify itself refuses has passed no hook.
    .headers({ ...UNCACHED_HEADERS, 'x-request-id': request.id, ...problem.headers })
    .type(PROBLEM_TYPE)
    .serializer(JSON.stringify)
    .send(problemBody(problem, getInstance(request), request.id));
}

/** Returns the `instance` of a problem: the path of the request, as a URI reference. */
export function getInstance(request: FastifyRequest): string {
  return uriReference(request.url.split('?', 1)[0] ?? '/');
}

// Escapes the characters of a path that a URI reference cannot have.
function uriReference(path: string): string {
  return path.replace(/%(?![0-9A-Fa-f]{2})|[^\w%:/?#@!$&'()*+,;=.~-]/g, encodeURIComponent);
}

/** An error of Fastify. One of the plugin for static files may have headers, such as the `Content-Range` of a 416. */
type FileError = Partial<FastifyError> & { headers?: Record<string, string> };

function toProblem(error: unknown, limitBytes: number): Problem {
  if (error instanceof Problem) return error;
  if (isUnavailable(error)) return unavailable(isDiskFull(error) ? NO_SPACE : NO_DATABASE, error);
  const { code, statusCode, validation, validationContext, headers } = error as FileError;
  if (validation !== undefined) return toInvalidRequest(validation, validationContext);
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return bodyTooLarge(limitBytes, error);
  const known = code === undefined ? FILES[statusCode ?? 0] : FRAMEWORK[code];
  return known
    ? new Problem(known[0], known[1], { cause: error, ...(headers && { headers }) })
    : internalError(error);
}

function bodyTooLarge(limitBytes: number, cause: unknown): Problem {
  const detail = `The body may have at most ${limitBytes / 2 ** 20} MiB.`;
  return new Problem('body_too_large', detail, { cause });
}

const NO_DATABASE = 'The database cannot be used just now. Send the request again.';
const NO_SPACE = 'The disk of the database is full. Send the request again later.';

function internalError(cause: unknown): Problem {
  return new Problem('internal_error', 'The request could not be handled. It was logged.', {
    cause,
  });
}

// The errors of Fastify by their codes. The client can correct the cause of each.
const FRAMEWORK: Record<string, [ProblemCode, string]> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['unsupported_media_type', 'Send the body as application/json.'],
  FST_ERR_CTP_EMPTY_JSON_BODY: ['malformed_body', 'The body is empty; send a JSON object.'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: [
    'malformed_body',
    'The body ends before its Content-Length.',
  ],
  // The client closed the connection within its body. It gets no answer: this one is for the log.
  ECONNRESET: ['malformed_body', 'The body ended before it was whole.'],
  FST_ERR_BAD_URL: ['route_not_found', UNKNOWN_ROUTE],
  // The parser of Node.js also accepts the methods of RTSP. Unknown paths have a handler of their own.
  FST_ERR_NOT_FOUND: ['malformed_request', 'The request could not be parsed.'],
};

// The errors of the plugin for static files have a status and no code. For a name that no file can have, the route is unknown.
const FILES: Record<number, [ProblemCode, string]> = {
  400: ['route_not_found', UNKNOWN_ROUTE],
  403: ['route_not_found', UNKNOWN_ROUTE],
  412: [
    'precondition_failed',
    'The file is not the one that If-Match or If-Unmodified-Since names.',
  ],
  416: ['range_not_satisfiable', 'The file is shorter than what Range asks for.'],
};

/** How long a client may go on sending after the last answer of its connection. Then the connection is cut. */
const CLOSE_DELAY_MS = 500;

const CLIENT_ERRORS: Record<string, [ProblemCode, string]> = {
  HPE_HEADER_OVERFLOW: [
    'headers_too_large',
    'The request line and headers may have at most 16 KiB, and 1,000 fields.',
  ],
  ERR_HTTP_REQUEST_TIMEOUT: ['request_timeout', 'Send the whole request without a pause.'],
};
const MALFORMED: [ProblemCode, string] = ['malformed_request', 'The request could not be parsed.'];

interface ClientErrorContext {
  connection: Connection;
  requestId: string;
  logger: Logger;
}

/**
 * Answers bytes that Node.js cannot parse, and requests that do not arrive in time. This answer comes after those to earlier
 * requests of the connection, since a client expects answers in the order of its requests.
 */
export function answerClientError(
  error: NodeJS.ErrnoException,
  socket: Socket,
  { connection: { inFlight, latest }, requestId, logger }: ClientErrorContext,
): void {
  if (error.code === 'ECONNRESET') return void socket.destroy();
  const refuse = (): void => {
    // An earlier answer ended the connection.
    if (!socket.writable) return;
    const [code, detail] = CLIENT_ERRORS[error.code ?? ''] ?? MALFORMED;
    closeWith(socket, formatAnswer(new Problem(code, detail), requestId));
    const { status } = PROBLEMS[code];
    const cause = error.code;
    logger.info({ reqId: requestId, method: null, route: null, status, code, cause }, 'request');
  };
  // The error is in the body of the latest request.
  const incomplete = latest?.request.raw.complete === false ? latest : undefined;
  if (incomplete?.raw.headersSent) return closeWith(socket, '');
  const before = inFlight.findLast((reply) => reply !== incomplete);
  if (before === undefined) refuse();
  else before.raw.once('close', refuse);
}

function closeWith(socket: Socket, bytes: string): void {
  socket.end(bytes);
  // Wait: if the connection closed at once, a client that is still sending could lose the answer.
  setTimeout(() => socket.destroy(), CLOSE_DELAY_MS).unref();
}

function formatAnswer(problem: Problem, requestId: string): string {
  const { status, title } = PROBLEMS[problem.code];
  const body = JSON.stringify(problemBody(problem, '/', requestId));
  const fields = {
    'Content-Type': PROBLEM_TYPE,
    'Content-Length': String(Buffer.byteLength(body)),
    ...UNCACHED_HEADERS,
    'X-Request-Id': requestId,
    Connection: 'close',
  };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}`);
  return `HTTP/1.1 ${status} ${title}\r\n${lines.join('\r\n')}\r\n\r\n${body}`;
}
