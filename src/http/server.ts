import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import Fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyRequest,
  type FastifyServerOptions,
  type RawServerDefault,
} from 'fastify';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import { BODY_TEXT, parseJson } from './body.ts';
import { handleClientError, handleError, handleUnknownRoute } from './errors.ts';
import { logResponse } from './log.ts';
import { Problem } from './problems.ts';

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

// Each room reads what it is sent by itself, and answers with ready text: the schemas of the routes are for the
// document and for the tests.
const NO_COMPILERS = {
  buildValidator: () => () => () => true,
  buildSerializer: () => () => JSON.stringify,
} as unknown as CompilersFactory;

/** Fastify without the defaults that would bend what a client sent, and with every error a problem. */
export function createServer(logger: FastifyBaseLogger, trustedProxies: readonly string[]): Server {
  const nextRequestId = requestIds();
  const server: Server = Fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    // A logger for each request costs more than most requests log: who writes a line names the request.
    childLoggerFactory: (parent) => parent,
    genReqId: nextRequestId,
    bodyLimit: BODY_LIMIT_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    http: {
      // Node would answer a request without Host by itself, with nothing in it; the hook below does.
      requireHostHeader: false,
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
      handleError(error, request, reply);
      // Such a request passes no hook, that of the log neither.
      logResponse(request, reply, () => undefined);
    },
    clientErrorHandler: (error, socket) =>
      handleClientError(error, socket, nextRequestId(), logger),
  });
  server.setErrorHandler(handleError);
  server.setNotFoundHandler(handleUnknownRoute);
  server.decorateRequest(BODY_TEXT, '');
  server.removeAllContentTypeParsers();
  for (const type of ['application/json', /^application\/[\w.-]+\+json\b/] as const)
    server.addContentTypeParser(type, { parseAs: 'buffer' }, parseJson);
  server.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    done(lacksHost(request) ? new Problem('malformed_request', 'Send a Host header.') : undefined);
  });
  server.addHook('onResponse', logResponse);
  // An expectation that nobody knows may be ignored; Node would answer it by itself, with nothing in it.
  server.server.on('checkExpectation', (request, response) =>
    server.server.emit('request', request, response),
  );
  return server;
}

function lacksHost({ raw }: FastifyRequest): boolean {
  return raw.headers.host === undefined && raw.httpVersion === '1.1';
}

// Unique over restarts and processes by its first half, and cheap: a counter, not a UUID for each request.
function requestIds(): () => string {
  const boot = randomBytes(6).toString('hex');
  let count = 0;
  return () => `${boot}-${(count += 1).toString(36)}`;
}
