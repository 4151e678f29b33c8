import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import { isUnavailable } from '../database/index.ts';
import { UNCACHED_HEADERS } from './headers.ts';
import { linger } from './linger.ts';
import { contextOf, loggable, noteRefusal } from './log.ts';
import { PROBLEMS, Problem, problemBody, unavailable, type ProblemCode } from './problems.ts';

export const PROBLEM_TYPE = 'application/problem+json; charset=utf-8';

/** Answers every error of a request as a problem, and logs those that are ours. */
export function errorHandler(log: Logger) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    const problem = toProblem(error, request.routeOptions.bodyLimit);
    // A problem of ours without a cause is no fault: /readyz of a service that is about to stop.
    const isFault = !(error instanceof Problem) || error.cause !== undefined;
    if (PROBLEMS[problem.code].status >= 500 && isFault)
      log.error({ ...contextOf(request), ...loggable(error) }, problem.code);
    sendProblem(problem, request, reply);
  };
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
  // Fastify ends the connection after a body that it refused; pipelining.ts knows of what is said to Node.
  if (reply.hasHeader('connection')) reply.raw.setHeader('connection', 'close');
  reply
    .code(PROBLEMS[problem.code].status)
    // The request id again: what Fastify refuses by itself has passed no hook that would have set it.
    .headers({ ...UNCACHED_HEADERS, 'x-request-id': request.id, ...problem.headers })
    .type(PROBLEM_TYPE)
    .serializer(JSON.stringify)
    .send(problemBody(problem, instanceOf(request), request.id));
}

/** What a problem calls the request that it is about: its path, as a URI reference. */
export function instanceOf(request: FastifyRequest): string {
  return uriReference(request.url.split('?', 1)[0] ?? '/');
}

// A client's path can hold what a URI reference cannot; that alone is escaped.
function uriReference(path: string): string {
  return path.replace(/%(?![0-9A-Fa-f]{2})|[^\w%:/?#@!$&'()*+,;=.~-]/g, encodeURIComponent);
}

function toProblem(error: unknown, limitBytes: number): Problem {
  if (error instanceof Problem) return error;
  if (isUnavailable(error)) return unavailable(NO_DATABASE, error);
  const { code, statusCode } = error as Partial<FastifyError>;
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return bodyTooLarge(limitBytes, error);
  const known = code === undefined ? FILES[statusCode ?? 0] : FRAMEWORK[code];
  return known ? new Problem(known[0], known[1], { cause: error }) : internalError(error);
}

function bodyTooLarge(limitBytes: number, cause: unknown): Problem {
  const detail = `The body may have at most ${limitBytes / 2 ** 20} MiB.`;
  return new Problem('body_too_large', detail, { cause });
}

const NO_DATABASE = 'The database cannot be reached just now. Send the request again.';

function internalError(cause: unknown): Problem {
  return new Problem('internal_error', 'The request could not be handled. It was logged.', {
    cause,
  });
}

// Fastify's own errors, by their code; each has one cause that a client can mend.
const FRAMEWORK: Record<string, [ProblemCode, string]> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['unsupported_media_type', 'Send the body as application/json.'],
  FST_ERR_CTP_EMPTY_JSON_BODY: ['malformed_body', 'The body is empty; send a JSON object.'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: [
    'malformed_body',
    'The body ends before its Content-Length.',
  ],
  // The client went away in the middle; nobody reads this answer, and it is no fault of ours.
  ECONNRESET: ['malformed_body', 'The body ended before it was whole.'],
  FST_ERR_BAD_URL: ['route_not_found', UNKNOWN_ROUTE],
};

// What the static files refuse, by its status: it has no code. A name that no file can have is none of ours.
const FILES: Record<number, [ProblemCode, string]> = {
  400: ['route_not_found', UNKNOWN_ROUTE],
  403: ['route_not_found', UNKNOWN_ROUTE],
  412: [
    'precondition_failed',
    'The file is not the one that If-Match or If-Unmodified-Since names.',
  ],
  416: ['range_not_satisfiable', 'The file is shorter than what Range asks for.'],
};

const LINGER_MS = 500;

const CLIENT_ERRORS: Record<string, [ProblemCode, string]> = {
  HPE_HEADER_OVERFLOW: [
    'headers_too_large',
    'The request line and headers may have at most 16 KiB, and 1,000 fields.',
  ],
  ERR_HTTP_REQUEST_TIMEOUT: ['request_timeout', 'Send the whole request without a pause.'],
};
const MALFORMED: [ProblemCode, string] = ['malformed_request', 'The request could not be parsed.'];

/** Answers what Node's HTTP parser refuses, before there is a request to speak of. */
export function handleClientError(
  error: NodeJS.ErrnoException,
  socket: Socket,
  requestId: string,
  logger: Logger,
): void {
  if (error.code === 'ECONNRESET') return void socket.destroy();
  // What came behind the answer that ended it.
  if (!socket.writable) return linger(socket);
  const [code, detail] = CLIENT_ERRORS[error.code ?? ''] ?? MALFORMED;
  const { status, title } = PROBLEMS[code];
  const { fields, body } = unroutedAnswer(new Problem(code, detail), requestId);
  const head = [
    `HTTP/1.1 ${status} ${title}`,
    ...Object.entries(fields).map(([name, value]) => `${name}: ${value}`),
  ];
  endSocket(socket, `${head.join('\r\n')}\r\n\r\n${body}`);
  logUnrouted(logger, requestId, code, error.code);
}

/** Ends a connection, after these last bytes. */
export function endSocket(socket: Socket, bytes = ''): void {
  socket.end(bytes);
  // A client that sends on would keep the connection; closed at once, it could lose the answer.
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

/** Answers what Node's HTTP parser takes for a request although it is none of HTTP: the words of RTSP. */
export function refuseMethod(response: ServerResponse, requestId: string, logger: Logger): void {
  const [code, detail] = MALFORMED;
  const { fields, body } = unroutedAnswer(new Problem(code, detail), requestId);
  response.writeHead(PROBLEMS[code].status, fields).end(body);
  logUnrouted(logger, requestId, code);
}

function unroutedAnswer(problem: Problem, requestId: string) {
  const body = JSON.stringify(problemBody(problem, '/', requestId));
  const fields = {
    'Content-Type': PROBLEM_TYPE,
    'Content-Length': String(Buffer.byteLength(body)),
    ...UNCACHED_HEADERS,
    'X-Request-Id': requestId,
    Connection: 'close',
  };
  return { fields, body };
}

function logUnrouted(logger: Logger, reqId: string, code: ProblemCode, cause?: string): void {
  const { status } = PROBLEMS[code];
  logger.info({ reqId, method: null, route: null, status, code, cause }, 'request');
}
