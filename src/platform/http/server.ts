import { randomBytes } from 'node:crypto';
import {
  METHODS,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http';
import Fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyServerOptions,
  type RawServerDefault,
} from 'fastify';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { Logger } from 'pino';
import {
  endSocket,
  errorHandler,
  handleClientError,
  handleUnknownRoute,
  refuseMethod,
  unknownRoute,
} from './errors.ts';
import { lingerAtEnd } from './linger.ts';
import { logResponse, type Answered } from './log.ts';
import { createPipelining } from './pipelining.ts';
import { Problem } from './problems.ts';
import { addFields, sendAddedFields, sendRaw, type Ready } from './send.ts';

type CompilersFactory = NonNullable<
  NonNullable<FastifyServerOptions['schemaController']>['compilersFactory']
>;

/** The Fastify instance that rooms add their routes to: TypeBox schemas type the requests. */
export type Server = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

const BODY_LIMIT_BYTES = 1_048_576;
const URL_MAX_LENGTH = 16_384;
/** Until when a request has to be there, headers and body. */
const REQUEST_TIMEOUT_MS = 12_000;
const CHECK_EVERY_MS = 500;
/** For how long a client may take nothing of its answer. */
const STALL_MAX_MS = 12_000;

// Each room reads what it is sent by itself, and answers with ready text: the schemas of the routes are for the
// document and for the tests.
const NO_COMPILERS = {
  buildValidator: () => () => () => true,
  buildSerializer: () => () => JSON.stringify,
} as unknown as CompilersFactory;

/** Told of each request when it is answered, with the status and the time that it took. */
export type Observe = (request: Answered, status: number, ms: number) => void;

/** Finds what is kept for a request, and the route that it is for. */
export type FindReady = (request: IncomingMessage) => { ready: Ready; route: string } | undefined;

interface ServerParts {
  trustedProxies: readonly string[];
  observers: Observe[];
  /** Asked first, before anything else is done for a request. */
  findReady: FindReady;
}

/** Fastify without the defaults that would bend what a client sent, and with every error a problem. */
export function createServer(
  logger: Logger,
  { trustedProxies, observers, findReady }: ServerParts,
): Server {
  const nextRequestId = requestIds();
  const pipelining = createPipelining();
  const handleError = errorHandler(logger);
  const observe = (request: Answered, response: ServerResponse): void =>
    whenSent(response, (status, ms) => {
      for (const told of observers) told(request, status, ms);
      logResponse(logger, request, status, ms);
    });
  const server: Server = Fastify({
    // Without a logger of its own: it would make one for each request, and listeners that cost more than a small answer.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: nextRequestId,
    bodyLimit: BODY_LIMIT_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    http: {
      // Node would answer a request without Host by itself, with nothing in it; the hook below does.
      requireHostHeader: false,
      // What has no body, as reading has not, needs no stream that tells of its end.
      optimizeEmptyRequests: true,
      headersTimeout: REQUEST_TIMEOUT_MS,
      connectionsCheckingInterval: CHECK_EVERY_MS,
    },
    ...(trustedProxies.length > 0 && { trustProxy: [...trustedProxies] }),
    forceCloseConnections: 'idle',
    // What arrives on a busy connection while closing is still answered, before the database goes.
    return503OnClosing: false,
    routerOptions: { maxParamLength: URL_MAX_LENGTH },
    schemaController: { compilersFactory: NO_COMPILERS },
    frameworkErrors: (error, request, reply) => {
      // Such a request passes no hook.
      observe(request, reply.raw);
      handleError(error, request, reply);
    },
    clientErrorHandler: (error, socket) =>
      pipelining.afterAnswers(socket, {
        refuse: () => handleClientError(error, socket, nextRequestId(), logger),
        end: () => endSocket(socket),
      }),
  });
  server.setErrorHandler(handleError);
  server.setNotFoundHandler(handleUnknownRoute);
  server.decorateRequest('bodyText', '');
  // Each room that takes bodies says of which type.
  server.removeAllContentTypeParsers();
  sendAddedFields(server);
  server.addHook('onRequest', (request, reply, done) => {
    addFields(request, { 'x-request-id': request.id });
    observe(request, reply.raw);
    done(refusalOf(request.raw) ?? (request.is404 ? unknownRoute() : undefined));
  });
  // Fastify's router, its request and its hooks take longer than sending a small answer.
  const [handle] = server.server.listeners('request') as [RequestListener];
  function dispatch(request: IncomingMessage, response: ServerResponse): void {
    if (!KNOWN_METHODS.has(request.method ?? ''))
      return refuseMethod(response, nextRequestId(), logger);
    // Another protocol is not spoken; after the wish for one, Node tells of nothing malformed on the connection.
    if (request.headers.upgrade !== undefined) response.setHeader('connection', 'close');
    const found = isPlain(request) ? findReady(request) : undefined;
    if (found === undefined) return handle(request, response);
    const id = nextRequestId();
    observe({ id, method: 'GET', routeOptions: { url: found.route } }, response);
    sendRaw(response, found.ready, ['x-request-id', id]);
  }
  server.server
    .off('request', handle)
    .on('request', (request, response) =>
      pipelining.inTurn(request, response, () => dispatch(request, response)),
    );
  lingerAtEnd(server.server);
  // Told of each connection on which nothing has moved for so long, or that was kept alive for long enough.
  server.server.setTimeout(STALL_MAX_MS, (socket) => {
    if (socket.writableLength > 0 || pipelining.isAnswered(socket)) socket.destroy();
  });
  // An expectation that nobody knows may be ignored; Node would answer it by itself, with nothing in it.
  server.server.on('checkExpectation', (request, response) =>
    server.server.emit('request', request, response),
  );
  return server;
}

const KNOWN_METHODS = new Set(METHODS);

/** What nginx calls it, in the log and in metrics: nobody is told. */
const CLIENT_GONE = 499;

// What Fastify offers for this, a hook, costs several times as much.
function whenSent(response: ServerResponse, then: (status: number, ms: number) => void): void {
  const startedMs = performance.now();
  response.on('close', () => {
    const status = isUnsent(response) ? CLIENT_GONE : response.statusCode;
    then(status, performance.now() - startedMs);
  });
}

// Node takes the connection from an answer when it is sent, and gives one to an answer when those before it are.
function isUnsent({ socket, writableFinished }: ServerResponse): boolean {
  return socket === null ? !writableFinished : socket.destroyed;
}

/** Whether a request only reads, and nothing is in its way. */
function isPlain(request: IncomingMessage): boolean {
  const { method, headers } = request;
  return method === 'GET' && headers.upgrade === undefined && refusalOf(request) === undefined;
}

/** What refuses a request whatever is in its body, which Fastify would look at first. */
function refusalOf({ httpVersion, rawHeaders }: IncomingMessage): Problem | undefined {
  if (!httpVersion.startsWith('1.')) return new Problem('malformed_request', 'Send HTTP/1.1.');
  const hosts = hostsOf(rawHeaders);
  // With two of them a proxy may have taken the other one.
  if (hosts > 1 || (hosts === 0 && httpVersion === '1.1'))
    return new Problem('malformed_request', 'Send one Host header.');
  return undefined;
}

function hostsOf(rawHeaders: string[]): number {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts;
}

// Unique over restarts and processes by its first half, and cheap: a counter, not a UUID for each request.
function requestIds(): () => string {
  const boot = randomBytes(6).toString('hex');
  let count = 0;
  return () => `${boot}-${(count += 1).toString(36)}`;
}
