import type { Logger } from 'pino';
import {
  checkRouteScope,
  createDownloads,
  createPrincipalRecheck,
  requirePrincipal,
} from '../access/index.ts';
import { createOrganizationReader, findToday } from '../accounts/index.ts';
import { readActivityObjects, readContactObjects } from '../contacts/index.ts';
import { createWakeUps, type ObjectReaders } from '../events/index.ts';
import { createFileWorker, readImportObjects } from '../imports/index.ts';
import { createKeyCache, readKeyObjects } from '../keys/index.ts';
import type { Config } from '../platform/config/index.ts';
import {
  isUnavailable,
  type FindPool,
  type Listen,
  type Pool,
} from '../platform/database/index.ts';
import {
  describeError,
  whenReady,
  type Check,
  type RateLimiters,
  type Shutdown,
} from '../platform/http/index.ts';
import { sharePool } from '../platform/queue/index.ts';
import type { ImageBases } from '../platform/text/index.ts';
import type { Metrics, Traces } from '../platform/telemetry/index.ts';
import { createProjectReader, createUnitReader } from '../projects/index.ts';
import {
  createWebhookSeal,
  createWebhookWorker,
  makeSender,
  readWebhookObjects,
} from '../webhooks/index.ts';
import {
  createGuessCounter,
  createSessionCache,
  readPersonObjects,
  renewSession,
} from '../users/index.ts';

/** The settings, connections and observers that a service is built from. */
export interface AppOptions {
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
  /** The key that secrets are encrypted with; null, the default, when there is none. */
  secretKey?: Buffer | null;
  /** The pool of look-ups and writes. */
  db: Pool;
  /** Finds the pool for the keys, sessions and leads of an account; `db` by default. */
  findPool?: FindPool;
  /** The pool of lists and search; `db` by default. */
  lists?: Pool;
  /** The pool of exports; `lists` by default. */
  exports?: Pool;
  /** Listens to notifications of other processes; without it the service looks for their events. */
  listen?: Listen;
  logger: Logger;
  metrics?: Metrics | undefined;
  traces?: Traces | undefined;
  shutdown?: Shutdown;
}

/** The settings, pools, caches, checks of access and workers that the routes share. */
export type Parts = ReturnType<typeof createParts>;

/** Creates the caches, the checks of access and the workers that the routes share. It starts no worker. */
export function createParts(options: AppOptions & { shutdown: Shutdown }, limiters: RateLimiters) {
  const { config, db, logger, shutdown, secretKey = null, metrics } = options;
  const { publicUrl, mediaBaseUrl } = config;
  const { findPool = async () => db, lists = db, exports = lists } = options;
  const keyCache = createKeyCache(findPool, warn('the last use of a key'));
  const sessionCache = createSessionCache(findPool, warn('the last use of a session'));
  const imageBases = { stored: `${publicUrl}/media`, others: mediaBaseUrl };
  const callers = { findKey: keyCache.find, findSession: sessionCache.find, publicUrl };
  const recheckPrincipal = createPrincipalRecheck(callers);

  const requireCaller = requirePrincipal({
    ...callers,
    renewSession: (principal, token) => renewSession(db, principal, token),
    failures: limiters.failures,
  });

  /**
   * Lets a request pass only when its caller may make it. A request is checked again when its body has arrived, since the caller may
   * have lost their access, or their role, meanwhile.
   */
  const authenticate: Check = (request, reply) =>
    whenReady(requireCaller(request, reply), () => checkRouteScope(request));

  function warn(what: string) {
    return (error: unknown) => logger.warn(describeError(error), `${what} was not stored`);
  }

  return {
    config,
    db,
    findPool,
    getLists: sharePool(lists),
    limiters,
    metrics,
    shutdown,
    keyCache,
    imageBases,
    recheckPrincipal,
    wakeUps: createWakeUps(db, options.listen),
    authenticate,
    sendDownload: createDownloads({
      exports,
      findToday: async (accountId) => findToday(db, accountId),
      recheckPrincipal,
    }),
    people: {
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
    },
    ...createWorkers(options, createObjectReaders(imageBases)),
  };
}

/** Makes the functions that read the rows which events happened to, by the noun of the event's type. */
function createObjectReaders(imageBases: ImageBases): ObjectReaders {
  return {
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
}

/** Creates the workers that import contact files and send events to webhooks. They do not run yet. */
function createWorkers(
  { config, db, logger, secretKey = null }: AppOptions,
  objects: ObjectReaders,
) {
  const { jobLeaseMs: leaseMs, webhookScheduleMs: scheduleMs } = config;
  const sender = makeSender({ allowPrivate: config.webhookAllowPrivate });
  const webhooks = { db, sender, seals: createWebhookSeal(secretKey), objects };
  return {
    objects,
    webhooks,
    webhookWorker: createWebhookWorker({
      ...webhooks,
      leaseMs,
      scheduleMs,
      onError: (error) =>
        logger.error(describeError(error), 'events could not be sent to a webhook'),
    }),
    fileWorker: createFileWorker({
      db,
      leaseMs,
      onError: (error) => {
        // While the database is unavailable, the file waits, and each request logs the failure.
        if (!isUnavailable(error))
          logger.error(describeError(error), 'a contact file could not be handled');
      },
    }),
  };
}
