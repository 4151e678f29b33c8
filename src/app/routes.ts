import { Actor, checkRouteScope, limitByMethod, limitRequests } from '../access/index.ts';
import { organizationRoutes } from '../accounts/index.ts';
import { contactRoutes, deactivationRoutes, tagRoutes } from '../contacts/index.ts';
import { changeRoutes, eventRoutes } from '../events/index.ts';
import {
  contactFileRoutes,
  erasureRoutes,
  importLogRoutes,
  importRoutes,
  personDataRoutes,
} from '../imports/index.ts';
import { keyRoutes } from '../keys/index.ts';
import { figureRoutes } from '../figures/index.ts';
import { pictureRoutes } from '../media/index.ts';
import {
  acceptJson,
  allowOrigins,
  parseStorableJson,
  refuseParameters,
  UNCACHED_HEADERS,
  type Server,
} from '../platform/http/index.ts';
import { projectRoutes, unitExportRoutes, unitRoutes } from '../projects/index.ts';
import { priceListRoutes } from '../price-lists/index.ts';
import { stocklistRoutes } from '../stocklist/index.ts';
import { viewRoutes } from '../views/index.ts';
import { webhookRoutes } from '../webhooks/index.ts';
import { meRoutes, peopleRoutes, signInRoutes } from '../users/index.ts';
import type { Parts } from './parts.ts';

/** Adds the routes of the API. Each group is a scope of Fastify: its hooks run for its own routes only. */
export async function addApi(api: Server, parts: Parts): Promise<void> {
  // A request that was answered has committed its events.
  api.addHook('onResponse', async ({ method, principal }, { statusCode }) => {
    if (method !== 'GET' && statusCode < 300 && principal !== null)
      parts.wakeUps.publish(principal.accountId);
  });
  await api.register(async (scope: Server) => addStockRoutes(scope, parts));
  await api.register(async (scope: Server) => addImportRoutes(scope, parts));
  await api.register(async (scope: Server) => signInRoutes(scope, parts.people));
  await api.register(async (scope: Server) => addOwnRoutes(scope, parts));
  await api.register(async (scope: Server) => addManagementRoutes(scope, parts));
}

function requireAccess(scope: Server, { authenticate }: Parts): void {
  scope.addHook('onRequest', authenticate);
  scope.addHook('onRequest', checkRouteScope);
}

/** Adds the routes that websites read the stock by. */
function addStockRoutes(scope: Server, parts: Parts): void {
  const { config, db, limiters, metrics, imageBases } = parts;
  const { corsOrigins, publicUrl } = config;
  if (corsOrigins.length > 0) allowOrigins(scope, corsOrigins);
  requireAccess(scope, parts);
  scope.addHook('onRequest', limitRequests(limiters.reads));
  const counts = stocklistRoutes(scope, { db, imageBases, publicUrl });
  metrics?.addAnswers(counts);
}

/** Adds the routes that leads come in by. */
function addImportRoutes(scope: Server, parts: Parts): void {
  const { config, db, findPool, limiters, metrics, authenticate } = parts;
  requireAccess(scope, parts);
  scope.addHook('onRequest', limitRequests(limiters.imports));
  // Once more when the body has arrived, since the key may have been revoked meanwhile.
  scope.addHook('preHandler', authenticate);
  const countPending = importRoutes(scope, {
    db,
    findPool,
    limiter: limiters.imports,
    refusedBytesMax: config.importLogRefusedBytes,
    countImport: metrics?.countImport,
  });
  metrics?.addPendingImports(countPending);
}

/** Adds the routes of the caller: who they are, and how they sign in. */
function addOwnRoutes(scope: Server, parts: Parts): void {
  requireAccess(scope, parts);
  scope.addHook('preHandler', parts.authenticate);
  meRoutes(scope, parts.people);
}

/** Adds the routes of the console, and of the systems that work with an account. */
function addManagementRoutes(scope: Server, parts: Parts): void {
  requireAccess(scope, parts);
  scope.addHook('onRequest', limitByMethod(parts.limiters));
  scope.addHook('preHandler', parts.authenticate);
  acceptJson(scope, async (request, body) => parseStorableJson(request, body));
  scope.addHook('preValidation', refuseParameters);
  scope.addHook('onRequest', (_request, reply, done) => {
    reply.headers(UNCACHED_HEADERS);
    done();
  });
  scope.addSchema(Actor);

  const { config, db, getLists, imageBases, sendDownload, authenticate, people, objects } = parts;
  const { findAgain, shutdown, wakeUps } = parts;
  const { mediaDir, publicUrl, webhookAllowPrivate: allowPrivate } = config;
  contactRoutes(scope, { db, getLists, sendDownload });
  tagRoutes(scope, { db, getLists });
  unitRoutes(scope, { db, getLists, imageBases });
  unitExportRoutes(scope, { sendDownload, imageBases });
  projectRoutes(scope, { db, getLists, imageBases });
  pictureRoutes(scope, { db, getLists, mediaDir, publicUrl, authenticate });
  priceListRoutes(scope, { db, imageBases });
  viewRoutes(scope, db);
  figureRoutes(scope, getLists);
  importLogRoutes(scope, db);
  contactFileRoutes(scope, { db, sendDownload, authenticate, wake: parts.fileWorker.wake });
  erasureRoutes(scope, db);
  personDataRoutes(scope, sendDownload);
  peopleRoutes(scope, people);
  deactivationRoutes(scope, people);
  changeRoutes(scope, getLists);
  eventRoutes(scope, { db, authenticate, findAgain, shutdown, objects, wakeUps });
  keyRoutes(scope, { db, keyCache: parts.keyCache });
  webhookRoutes(scope, {
    ...parts.webhooks,
    getLists,
    allowPrivate,
    wake: parts.webhookWorker.wake,
  });
  organizationRoutes(scope, { ...people, imageBases });
}
