import type { Logger } from 'pino';
import {
  Actor,
  checkRouteScope,
  createDownloads,
  createPrincipalFinder,
  describeSecurity,
  limitByMethod,
  limitRequests,
  requirePrincipal,
  requireRouteScopes,
} from './access/index.ts';
import { createOrganizationReader, organizationRoutes } from './accounts/index.ts';
import {
  contactRoutes,
  deactivationRoutes,
  readActivityObjects,
  readContactObjects,
  tagRoutes,
} from './contacts/index.ts';
import { changeRoutes, EVENT_WEBHOOKS, eventRoutes, type ObjectReaders } from './events/index.ts';
import {
  contactFileRoutes,
  createFileWorker,
  erasureRoutes,
  importLogRoutes,
  importRoutes,
  personDataRoutes,
  readImportObjects,
} from './imports/index.ts';
import { createKeyCache, keyRoutes, readKeyObjects, type KeyCache } from './keys/index.ts';
import { figureRoutes } from './figures/index.ts';
import { mediaRoutes, pictureRoutes } from './media/index.ts';
import type { Config } from './platform/config/index.ts';
import {
  isUnavailable,
  requireCurrentSchema,
  requireWritableServer,
  type Pool,
} from './platform/database/index.ts';
import {
  acceptJson,
  allowOrigins,
  createRateLimiters,
  createServer,
  healthRoutes,
  describeError,
  neverShutDown,
  parseStorableJson,
  refuseParameters,
  refuseOtherMethods,
  referenceRoutes,
  registerOpenapi,
  UNCACHED_HEADERS,
  type Server,
  type Shutdown,
} from './platform/http/index.ts';
import type { Metrics, Traces } from './platform/telemetry/index.ts';
import {
  createProjectReader,
  createUnitReader,
  projectRoutes,
  unitExportRoutes,
  unitRoutes,
} from './projects/index.ts';
import { priceListRoutes } from './price-lists/index.ts';
import { shellRoutes } from './shell/index.ts';
import { stocklistRoutes } from './stocklist/index.ts';
import { viewRoutes } from './views/index.ts';
import {
  createWebhookSeal,
  createWebhookWorker,
  makeSender,
  readWebhookObjects,
  webhookRoutes,
} from './webhooks/index.ts';
import {
  createGuessCounter,
  createSessionCache,
  meRoutes,
  peopleRoutes,
  readPersonObjects,
  renewSession,
  signInRoutes,
  type SessionCache,
} from './users/index.ts';

interface AppOptions {
  config: Pick<
    Config,
    | 'publicUrl'
    | 'mediaBaseUrl'
    | 'mediaDir'
    | 'corsOrigins'
    | 'readsPerMinute'
    | 'importsPerMinute'
    | 'writesPerMinute'
    | 'exportsPerMinute'
    | 'importLogRefusedBytes'
    | 'jobLeaseMs'
    | 'redisUrl'
    | 'trustedProxies'
    | 'webhookAllowPrivate'
    | 'webhookScheduleMs'
  >;
  /** The key that secrets are encrypted with; null when there is none. */
  secretKey?: Buffer | null;
  db: Pool;
  /** The pool of lists and search; `db` without it. */
  lists?: Pool;
  /** The pool of exports; `lists` without it. */
  exports?: Pool;
  logger: Logger;
  metrics?: Metrics | undefined;
  traces?: Traces | undefined;
  shutdown?: Shutdown;
  keyCache?: KeyCache;
  sessionCache?: SessionCache;
}

/** Builds the whole service over a migrated database, ready to listen. */
export async function buildApp({
  config,
  secretKey = null,
  db,
  lists = db,
  exports = lists,
  logger,
  metrics,
  traces,
  shutdown = neverShutDown(),
  keyCache = createKeyCache(db, (error) =>
    logger.warn(describeError(error), 'the last use of a key was not stored'),
  ),
  sessionCache = createSessionCache(db, (error) =>
    logger.warn(describeError(error), 'the last use of a session was not stored'),
  ),
}: AppOptions): Promise<Server> {
  const { publicUrl, mediaBaseUrl, mediaDir, corsOrigins, trustedProxies } = config;
  const observers = [metrics, traces].flatMap((each) => each?.observe ?? []);
  const imageBases = { stored: `${publicUrl}/media`, others: mediaBaseUrl };
  const server = createServer(logger, { trustedProxies, observers, shutdown });
  traces?.register(server);
  server.decorateRequest('principal', null);
  const limiters = await createRateLimiters(server, config, logger);
  const addRefusals = refuseOtherMethods(server);
  requireRouteScopes(server);
  await registerOpenapi(server, describeSecurity, EVENT_WEBHOOKS);

  const checkDatabase = async (): Promise<void> => {
    await requireCurrentSchema(db);
    await requireWritableServer(db);
  };
  healthRoutes(server, { checkDatabase, ...shutdown });
  await referenceRoutes(server);
  await mediaRoutes(server, mediaDir);
  await shellRoutes(server, config);

  const callers = { findKey: keyCache.find, findSession: sessionCache.find, publicUrl };
  const authenticate = requirePrincipal({
    ...callers,
    renewSession: (principal, token) => renewSession(db, principal, token),
    failures: limiters.failures,
  });
  const findAgain = createPrincipalFinder(callers);
  const sendDownload = createDownloads({ exports, findAgain });

  async function apiRoutes(api: Server): Promise<void> {
    await api.register(readRoutes);
    await api.register(writeRoutes);
    await api.register(async (scope: Server) => signInRoutes(scope, people));
    await api.register(ownRoutes);
    await api.register(managementRoutes);
  }

  function authorize(api: Server): void {
    api.addHook('onRequest', authenticate);
    api.addHook('onRequest', checkRouteScope);
  }

  async function readRoutes(api: Server): Promise<void> {
    if (corsOrigins.length > 0) allowOrigins(api, corsOrigins);
    authorize(api);
    api.addHook('onRequest', limitRequests(limiters.reads));
    const counts = stocklistRoutes(api, { db, imageBases, publicUrl });
    metrics?.addAnswers(counts);
  }

  async function writeRoutes(api: Server): Promise<void> {
    authorize(api);
    api.addHook('onRequest', limitRequests(limiters.imports));
    // Once more when the body is there: it may take its time, and the key may be revoked meanwhile.
    api.addHook('preHandler', authenticate);
    const countImport = metrics?.countImport;
    const countPending = importRoutes(api, {
      db,
      limiter: limiters.imports,
      refusedBytesMax: config.importLogRefusedBytes,
      countImport,
    });
    metrics?.addPendingImports(countPending);
  }

  const people = {
    db,
    secretKey,
    sessions: sessionCache,
    countGuess: createGuessCounter(limiters.attempts),
    publicUrl,
    rateLimits: {
      reads: config.readsPerMinute,
      imports: config.importsPerMinute,
      writes: config.writesPerMinute,
      exports: config.exportsPerMinute,
    },
  };

  async function ownRoutes(api: Server): Promise<void> {
    authorize(api);
    api.addHook('preHandler', authenticate);
    meRoutes(api, people);
  }

  const fileWorker = createFileWorker({
    db,
    leaseMs: config.jobLeaseMs,
    onError: (error) => {
      // A request says so when the database is unavailable. The file waits.
      if (!isUnavailable(error))
        logger.error(describeError(error), 'a contact file could not be handled');
    },
  });
  server.addHook('onReady', async () => fileWorker.start());
  server.addHook('preClose', fileWorker.stop);
  shutdown.stopping.addEventListener('abort', () => void fileWorker.stop());

  const objects: ObjectReaders = {
    contact: readContactObjects,
    unit: createUnitReader(imageBases),
    activity: readActivityObjects,
    project: createProjectReader(imageBases),
    user: readPersonObjects,
    key: readKeyObjects,
    organization: createOrganizationReader(imageBases),
    import: readImportObjects,
    webhook: readWebhookObjects,
  };

  const sender = makeSender({ allowPrivate: config.webhookAllowPrivate });
  const webhooks = { db, sender, seals: createWebhookSeal(secretKey), objects };
  const webhookWorker = createWebhookWorker({
    ...webhooks,
    leaseMs: config.jobLeaseMs,
    scheduleMs: config.webhookScheduleMs,
    onError: (error) => logger.error(describeError(error), 'events could not be sent to a webhook'),
  });
  server.addHook('onReady', async () => webhookWorker.start());
  server.addHook('preClose', webhookWorker.stop);
  server.addHook('onClose', async () => sender.close());
  shutdown.stopping.addEventListener('abort', () => void webhookWorker.stop());

  /** The routes for the people and the systems that work with an account. */
  async function managementRoutes(api: Server): Promise<void> {
    authorize(api);
    api.addHook('onRequest', limitByMethod(limiters));
    api.addHook('preHandler', authenticate);
    acceptJson(api, async (request, body) => parseStorableJson(request, body));
    api.addHook('preValidation', refuseParameters);
    api.addHook('onRequest', (_request, reply, done) => {
      reply.headers(UNCACHED_HEADERS);
      done();
    });
    api.addSchema(Actor);
    contactRoutes(api, { db, lists, sendDownload });
    tagRoutes(api, { db, lists });
    unitRoutes(api, { db, lists, imageBases });
    unitExportRoutes(api, { sendDownload, imageBases });
    projectRoutes(api, { db, lists, imageBases });
    pictureRoutes(api, { db, lists, mediaDir, publicUrl, authenticate });
    priceListRoutes(api, { db, imageBases });
    viewRoutes(api, db);
    figureRoutes(api, lists);
    importLogRoutes(api, db);
    contactFileRoutes(api, { db, sendDownload, authenticate, wake: fileWorker.wake });
    erasureRoutes(api, db);
    personDataRoutes(api, sendDownload);
    peopleRoutes(api, people);
    deactivationRoutes(api, people);
    changeRoutes(api, lists);
    eventRoutes(api, { db, authenticate, findAgain, shutdown, objects });
    keyRoutes(api, { db, keyCache });
    webhookRoutes(api, {
      ...webhooks,
      lists,
      allowPrivate: config.webhookAllowPrivate,
      wake: webhookWorker.wake,
    });
    organizationRoutes(api, { ...people, imageBases });
  }

  await server.register(apiRoutes, { prefix: '/api/v1' });
  await server.register(addRefusals);
  return server;
}
