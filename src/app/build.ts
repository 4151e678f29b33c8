import { describeSecurity, requireRouteScopes } from '../access/index.ts';
import { EVENT_WEBHOOKS } from '../events/index.ts';
import { mediaRoutes } from '../media/index.ts';
import {
  requireCurrentSchema,
  requireWritableServer,
  type Pool,
} from '../platform/database/index.ts';
import {
  createRateLimiters,
  createServer,
  healthRoutes,
  neverShutDown,
  refuseOtherMethods,
  referenceRoutes,
  registerOpenapi,
  type Server,
  type Shutdown,
} from '../platform/http/index.ts';
import type { Worker } from '../platform/jobs/index.ts';
import { shellRoutes } from '../shell/index.ts';
import { createParts, type AppOptions } from './parts.ts';
import { DESCRIPTION, GROUPS } from './reference.ts';
import { addApi } from './routes.ts';

/** Builds the service on a migrated database. The server that it returns has all routes and does not listen yet. */
export async function buildApp(options: AppOptions): Promise<Server> {
  const { config, db, logger, metrics, traces } = options;
  const shutdown = options.shutdown ?? neverShutDown();
  const observers = [metrics, traces].flatMap((each) => each?.observe ?? []);
  const server = createServer(logger, {
    trustedProxies: config.trustedProxies,
    observers,
    shutdown,
  });
  traces?.register(server);
  server.decorateRequest('principal', null);
  const limiters = await createRateLimiters(server, config, logger);
  const addRefusals = refuseOtherMethods(server);
  requireRouteScopes(server);
  await registerOpenapi(server, {
    description: DESCRIPTION,
    tags: GROUPS,
    describeSecurity,
    webhooks: EVENT_WEBHOOKS,
  });

  healthRoutes(server, { checkDatabase: () => checkDatabase(db), ...shutdown });
  await referenceRoutes(server);
  await mediaRoutes(server, config.mediaDir);
  await shellRoutes(server, config);

  const parts = createParts({ ...options, shutdown }, limiters);
  parts.wakeUps.subscribe(parts.webhookWorker.wake);
  server.addHook('onClose', parts.wakeUps.close);
  runWithServer(server, parts.fileWorker, shutdown);
  runWithServer(server, parts.webhookWorker, shutdown);
  server.addHook('onClose', async () => parts.webhooks.sender.close());
  await server.register(async (api: Server) => addApi(api, parts), { prefix: '/api/v1' });
  await server.register(addRefusals);
  return server;
}

async function checkDatabase(db: Pool): Promise<void> {
  await requireCurrentSchema(db);
  await requireWritableServer(db);
}

/** Starts a worker when the server is ready. Stops it when the service begins to stop, or the server closes. */
function runWithServer(server: Server, { start, stop }: Worker, { stopping }: Shutdown): void {
  server.addHook('onReady', async () => start());
  server.addHook('preClose', stop);
  stopping.addEventListener('abort', () => void stop());
}
