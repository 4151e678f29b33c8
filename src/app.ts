import type { onRequestHookHandler } from 'fastify';
import type { Logger } from 'pino';
import { createKeyCache, type KeyCache } from './keys/index.ts';
import {
  bearerToken,
  requireKey,
  requireScope,
  principalOf,
  limitRequests,
} from './access/index.ts';
import type { Config } from './platform/config/index.ts';
import { contactRoutes } from './imports/index.ts';
import { requireCurrentSchema, type Pool } from './platform/database/index.ts';
import {
  allowOrigins,
  endInOrder,
  noEnding,
  type Ending,
  healthRoutes,
  createLimits,
  loggable,
  otherMethodsRefusal,
  referenceRoutes,
  registerOpenapi,
  createServer,
  type FindReady,
  type Server,
} from './platform/http/index.ts';
import { mediaRoutes } from './media/index.ts';
import { stocklistRoutes } from './stocklist/index.ts';
import {
  type Metrics,
  answerFamilies,
  pendingFamilies,
  type Traces,
} from './platform/telemetry/index.ts';
import { createPresence, type Presence } from './platform/queue/index.ts';

interface Parts {
  config: Pick<
    Config,
    | 'mediaBaseUrl'
    | 'corsOrigins'
    | 'rateLimitReads'
    | 'rateLimitImports'
    | 'redisUrl'
    | 'trustedProxies'
  >;
  db: Pool;
  logger: Logger;
  metrics?: Metrics | undefined;
  traces?: Traces | undefined;
  /** Never by default. */
  ending?: Ending;
  keyCache?: KeyCache;
}

/** The whole service over a migrated database, ready to listen. */
export async function buildApp({
  config,
  db,
  logger,
  metrics,
  traces,
  ending = noEnding(),
  keyCache = createKeyCache(db, (error) => logger.warn(loggable(error), 'key use not noted')),
}: Parts): Promise<Server> {
  const { mediaBaseUrl, corsOrigins, trustedProxies } = config;
  const observers = [metrics, traces].flatMap((each) => each?.observe ?? []);
  let findReady: FindReady = () => undefined;
  const server = createServer(logger, {
    trustedProxies,
    observers,
    findReady: (request) => findReady(request),
  });
  traces?.register(server);
  const limits = await createLimits(server, config, logger);
  server.decorateRequest('principal', null);
  const refuseOtherMethods = otherMethodsRefusal(server);
  await registerOpenapi(server);

  endInOrder(server, ending);
  healthRoutes(server, { checkDatabase: () => requireCurrentSchema(db), ...ending });
  await referenceRoutes(server);
  await mediaRoutes(server);

  await server.register(
    async (api: Server) => {
      if (corsOrigins.length > 0) allowOrigins(api, corsOrigins);
      const authenticate = requireKey(keyCache.find, limits.failures);
      api.addHook('onRequest', authenticate);
      const presence = createPresence();
      const notePresence = presenceHook(presence);
      await api.register(async (reading: Server) => {
        if (limits.reads) reading.addHook('onRequest', limitRequests(limits.reads));
        reading.addHook('onRequest', notePresence);
        const { counts, findKept } = stocklistRoutes(reading, { db, mediaBaseUrl });
        metrics?.add(() => answerFamilies(counts));
        // What these do for a request, hooks do. Presence is noted by them as well: each time that the key is looked up.
        if (limits.reads !== null || corsOrigins.length > 0 || traces !== undefined) return;
        findReady = ({ url = '', headers }) => {
          const principal = keyCache.recall(bearerToken(headers.authorization) ?? '');
          return principal && findKept(principal, url, headers);
        };
      });
      await api.register(async (writing: Server) => {
        writing.addHook('onRequest', requireScope('leads:import'));
        if (limits.imports) writing.addHook('onRequest', limitRequests(limits.imports));
        writing.addHook('onRequest', notePresence);
        // Once more when the body is there: it can take its time, and the key be revoked meanwhile.
        writing.addHook('preHandler', authenticate);
        const { countImport } = metrics ?? {};
        const pending = contactRoutes(writing, {
          db,
          presence,
          limit: limits.imports,
          countImport,
        });
        metrics?.add(() => pendingFamilies(pending()));
      });
    },
    { prefix: '/api/v1' },
  );

  await server.register(refuseOtherMethods);
  return server;
}

// Behind the limits: who is refused for asking too much makes nobody give way.
function presenceHook(presence: Presence): onRequestHookHandler {
  return (request, _reply, done) => {
    presence.note(principalOf(request).accountId);
    done();
  };
}
