import type { FastifyBaseLogger } from 'fastify';
import { createAuthenticator, requireKey, requireReadWrite } from './accounts/authenticate.ts';
import type { Config } from './config.ts';
import { contactRoutes } from './contacts/routes.ts';
import { requireCurrentSchema } from './database/migrate.ts';
import type { Pool } from './database/pool.ts';
import { CALLER } from './http/caller.ts';
import { healthRoutes } from './http/health.ts';
import { limitRequests } from './http/limits/hooks.ts';
import { createLimits } from './http/limits/limits.ts';
import { loggable } from './http/log.ts';
import { mediaRoutes } from './http/media.ts';
import { otherMethodsRefusal } from './http/methods.ts';
import { referenceRoutes, registerOpenapi } from './http/openapi.ts';
import { createServer, type Server } from './http/server.ts';
import { stocklistRoutes } from './stocklist/routes.ts';

interface Parts {
  config: Pick<
    Config,
    'mediaBaseUrl' | 'rateLimitReads' | 'rateLimitImports' | 'redisUrl' | 'trustedProxies'
  >;
  db: Pool;
  logger: FastifyBaseLogger;
}

/** The whole service over a migrated database, ready to listen. */
export async function buildApp({ config, db, logger }: Parts): Promise<Server> {
  const { mediaBaseUrl, trustedProxies } = config;
  const authenticator = createAuthenticator(db, (error) =>
    logger.warn(loggable(error), 'key use not noted'),
  );
  const server = createServer(logger, trustedProxies);
  const limits = await createLimits(server, config);
  server.decorateRequest(CALLER, null);
  const refuseOtherMethods = otherMethodsRefusal(server);
  await registerOpenapi(server);

  healthRoutes(server, () => requireCurrentSchema(db));
  await referenceRoutes(server);
  await mediaRoutes(server);

  await server.register(
    async (api: Server) => {
      const authenticate = requireKey(authenticator, limits.failures);
      api.addHook('onRequest', authenticate);
      await api.register(async (reading: Server) => {
        if (limits.reads) reading.addHook('onRequest', limitRequests(limits.reads));
        stocklistRoutes(reading, { db, mediaBaseUrl });
      });
      await api.register(async (writing: Server) => {
        writing.addHook('onRequest', requireReadWrite);
        if (limits.imports) writing.addHook('onRequest', limitRequests(limits.imports));
        // Once more when the body is there: it can take its time, and the key be revoked meanwhile.
        writing.addHook('preHandler', authenticate);
        contactRoutes(writing, { db, limit: limits.imports });
      });
    },
    { prefix: '/api/v1' },
  );

  await server.register(refuseOtherMethods);
  return server;
}
