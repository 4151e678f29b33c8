import type { onRequestHookHandler } from 'fastify';
import type { Logger } from 'pino';
import {
  createAuthenticator,
  recallCaller,
  requireKey,
  requireReadWrite,
} from './accounts/authenticate.ts';
import type { Config } from './config.ts';
import { contactRoutes } from './contacts/routes.ts';
import { requireCurrentSchema } from './database/migrate.ts';
import type { Pool } from './database/pool.ts';
import { callerOf } from './http/caller.ts';
import { allowOrigins } from './http/cors.ts';
import { endInOrder, noEnding, type Ending } from './http/drain.ts';
import { healthRoutes } from './http/health.ts';
import { limitRequests } from './http/limits/hooks.ts';
import { createLimits } from './http/limits/limits.ts';
import { loggable } from './http/log.ts';
import { mediaRoutes } from './http/media.ts';
import { otherMethodsRefusal } from './http/methods.ts';
import { referenceRoutes, registerOpenapi } from './http/openapi.ts';
import { createServer, type FindReady, type Server } from './http/server.ts';
import { stocklistRoutes } from './stocklist/routes.ts';
import type { Metrics } from './telemetry/metrics.ts';
import { answerFamilies, pendingFamilies } from './telemetry/service.ts';
import type { Traces } from './telemetry/traces.ts';
import { createPresence, type Presence } from './turns.ts';

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
}

/** The whole service over a migrated database, ready to listen. */
export async function buildApp({
  config,
  db,
  logger,
  metrics,
  traces,
  ending = noEnding(),
}: Parts): Promise<Server> {
  const { mediaBaseUrl, corsOrigins, trustedProxies } = config;
  const authenticator = createAuthenticator(db, (error) =>
    logger.warn(loggable(error), 'key use not noted'),
  );
  const observers = [metrics, traces].flatMap((each) => each?.observe ?? []);
  let findReady: FindReady = () => undefined;
  const server = createServer(logger, {
    trustedProxies,
    observers,
    findReady: (request) => findReady(request),
  });
  traces?.register(server);
  const limits = await createLimits(server, config, logger);
  server.decorateRequest('caller', null);
  const refuseOtherMethods = otherMethodsRefusal(server);
  await registerOpenapi(server);

  endInOrder(server, ending);
  healthRoutes(server, { checkDatabase: () => requireCurrentSchema(db), ...ending });
  await referenceRoutes(server);
  await mediaRoutes(server);

  await server.register(
    async (api: Server) => {
      if (corsOrigins.length > 0) allowOrigins(api, corsOrigins);
      const authenticate = requireKey(authenticator, limits.failures);
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
          const caller = recallCaller(authenticator, headers.authorization);
          return caller && findKept(caller, url, headers);
        };
      });
      await api.register(async (writing: Server) => {
        writing.addHook('onRequest', requireReadWrite);
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
    presence.note(callerOf(request).accountId);
    done();
  };
}
