import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type RawServerDefault,
} from 'fastify';
import type { Logger } from 'pino';
import { createConnections, type Connection } from './connections.ts';
import {
  answerClientError,
  createErrorHandler,
  handleUnknownRoute,
  unknownRoute,
} from './errors.ts';
import { countFields } from './headers.ts';
import { createAnswerObserver, hasClientLeft, type Observe } from './observe-answers.ts';
import { Problem } from './problems.ts';
import { serviceStopping, type Shutdown } from './shutdown.ts';
import { schemaController } from './validation.ts';

/** The Fastify instance that rooms add their routes to: TypeBox schemas type the requests. */
export type Server = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

/** The longest body, unless the route takes longer ones. */
export const BODY_LIMIT_BYTES = 1_048_576;
const URL_MAX_LENGTH = 16_384;
/** A request must arrive completely within this time. */
const REQUEST_TIMEOUT_MS = 12_000;
const CHECK_TIMEOUTS_EVERY_MS = 500;
const CLOSE_IDLE_EVERY_MS = 100;
declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the body may take longer to arrive than those of other requests. The route itself then limits the time. */
    hasSlowBody?: boolean;
    /** Whether the route waits for another server. */
    asksOthers?: boolean;
  }
}

interface ServerOptions {
  trustedProxies: readonly string[];
  observers: Observe[];
  shutdown: Shutdown;
}

/** Creates Fastify, with every error as a problem and without the defaults that would change what a client sent. */
export function createServer(
  logger: Logger,
  { trustedProxies, observers, shutdown }: ServerOptions,
): Server {
  const connections = createConnections();
  const answers = createAnswerObserver(logger, observers);
  const newRequestId = createRequestIds();
  const handleError = createErrorHandler(logger);
  /** Fastify runs no hook for some requests. For these, an error handler calls this function. */
  function observe(request: FastifyRequest, reply: FastifyReply): void {
    connections.add(reply);
    answers.observe(request, reply);
    // Node.js loses the bytes that follow a request to switch protocols, so end this connection.
    if (request.headers.upgrade !== undefined || shutdown.stopping.aborted)
      reply.header('connection', 'close');
  }
  const server: Server = Fastify({
    // Without a logger: Fastify would make one for each request.
    logController: answers.logController,
    genReqId: newRequestId,
    bodyLimit: BODY_LIMIT_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    http: {
      // `refuseRequest` answers a request without Host. Node.js would answer it without a body.
      requireHostHeader: false,
      // A request without a body, such as a read, needs no stream for it.
      optimizeEmptyRequests: true,
      headersTimeout: REQUEST_TIMEOUT_MS,
      connectionsCheckingInterval: CHECK_TIMEOUTS_EVERY_MS,
    },
    ...(trustedProxies.length > 0 && { trustProxy: [...trustedProxies] }),
    forceCloseConnections: 'idle',
    // A request that arrives on a busy connection during the shutdown is still answered, before the pools close.
    return503OnClosing: false,
    routerOptions: { maxParamLength: URL_MAX_LENGTH },
    schemaController,
    frameworkErrors: (error, request, reply) => {
      observe(request, reply);
      handleError(error, request, reply);
    },
    clientErrorHandler: (error, socket) => {
      const connection = connections.find(socket);
      if (mayTakeLonger(error, connection)) return;
      answerClientError(error, socket, { connection, requestId: newRequestId(), logger });
    },
  });
  connections.watch(server.server);
  server.setErrorHandler((error: FastifyError, request, reply) => {
    // The method is one that only the parser of Node.js knows.
    if (error.code === 'FST_ERR_NOT_FOUND') observe(request, reply);
    if (!hasClientLeft(error)) handleError(error, request, reply);
  });
  server.setNotFoundHandler(handleUnknownRoute);
  server.decorateRequest('bodyText', '');
  // Each room that takes bodies adds the types that it takes.
  server.removeAllContentTypeParsers();
  server.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    observe(request, reply);
    done(refuseRequest(request, shutdown));
  });
  shutdown.givingUp.addEventListener('abort', () => {
    for (const { inFlight } of connections.list())
      for (const reply of inFlight) if (!reply.raw.headersSent) reply.send(serviceStopping());
  });
  closeIdleConnectionsAtStop(server);
  // An unknown expectation may be ignored. Node.js would answer it without a body.
  server.server.on('checkExpectation', (request, response) =>
    server.server.emit('request', request, response),
  );
  return server;
}

/**
 * Whether the time-out is that of a request whose body may take longer. Node.js reports it once, and leaves the connection open.
 */
function mayTakeLonger({ code }: NodeJS.ErrnoException, { latest }: Connection): boolean {
  return (
    code === 'ERR_HTTP_REQUEST_TIMEOUT' &&
    latest?.request.routeOptions.config.hasSlowBody === true &&
    !latest.request.raw.complete &&
    !latest.raw.headersSent
  );
}

/**
 * After `close` was called, closes each connection as soon as it is idle, because `close` waits for all of them. Node.js itself
 * closes only the connections that are idle at the call.
 */
function closeIdleConnectionsAtStop(server: Server): void {
  server.addHook('preClose', (done) => {
    const closing = setInterval(
      () => server.server.closeIdleConnections(),
      CLOSE_IDLE_EVERY_MS,
    ).unref();
    server.server.once('close', () => clearInterval(closing));
    done();
  });
}

/** Refuses a request by its head alone, before its body is read. */
function refuseRequest(
  { raw: { httpVersion, rawHeaders }, is404 }: FastifyRequest,
  { givingUp }: Shutdown,
): Problem | undefined {
  if (!httpVersion.startsWith('1.')) return new Problem('malformed_request', 'Send HTTP/1.1.');
  const hosts = countFields(rawHeaders, 'host');
  // With two Host headers, a proxy may have chosen the other one.
  if (hosts > 1 || (hosts === 0 && httpVersion === '1.1'))
    return new Problem('malformed_request', 'Send one Host header.');
  if (is404) return unknownRoute();
  return givingUp.aborted ? serviceStopping() : undefined;
}

/** Numbers requests behind a random prefix, so that an id is unique over restarts and processes. */
function createRequestIds(): () => string {
  const prefix = randomBytes(6).toString('hex');
  let count = 0;
  return () => `${prefix}-${(count += 1).toString(36)}`;
}
