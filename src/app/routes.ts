import { Actor, limitByMethod, limitRequests } from '../access/index.ts';
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
  toHook,
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
import { queueWrites } from './write-slots.ts';

/** Adds the routes of the API in groups. The hooks of a group run for its own routes only (encapsulation in Fastify). */
export async function addApi(api: Server, parts: Parts): Promise<void> {
  // A request that was answered has committed its events.
  api.addHook('onResponse', async ({ method, principal }, { statusCode }) => {
    if (method !== 'GET' && statusCode < 300 && principal !== null)
      parts.wakeUps.publish(principal.accountId);
  });
  await api.register(async (group: Server) => addStockRoutes(group, parts));
  await api.register(async (group: Server) => addImportRoutes(group, parts));
  await api.register(async (group: Server) => signInRoutes(group, parts.people));
  await api.register(async (group: Server) => addOwnRoutes(group, parts));
  await api.register(async (group: Server) => addManagementRoutes(group, parts));
}

/** Adds the routes that websites read the stock by. */
function addStockRoutes(group: Server, parts: Parts): void {
  const { config, db, limiters, metrics, imageBases } = parts;
  const { corsOrigins, publicUrl } = config;
  if (corsOrigins.length > 0) allowOrigins(group, corsOrigins);
  group.addHook('onRequest', toHook(parts.authenticate));
  group.addHook('onRequest', toHook(limitRequests(limiters.reads)));
  const counts = stocklistRoutes(group, { db, imageBases, publicUrl });
  metrics?.addAnswers(counts);
}

/** Adds the routes that leads come in by. */
function addImportRoutes(group: Server, parts: Parts): void {
  const { config, db, findPool, limiters, metrics, authenticate } = parts;
  group.addHook('onRequest', toHook(parts.authenticate));
  group.addHook('onRequest', toHook(limitRequests(limiters.imports)));
  // Once more when the body has arrived, since the key may have been revoked meanwhile.
  group.addHook('preHandler', toHook(authenticate));
  const countPending = importRoutes(group, {
    db,
    findPool,
    limiter: limiters.imports,
    refusedBytesMax: config.importLogRefusedBytes,
    countImport: metrics?.countImport,
  });
  metrics?.addPendingImports(countPending);
}

/** Adds the routes of the caller: who they are, and how they sign in. */
function addOwnRoutes(group: Server, parts: Parts): void {
  group.addHook('onRequest', toHook(parts.authenticate));
  group.addHook('preHandler', toHook(parts.authenticate));
  meRoutes(group, parts.people);
}

/** Adds the routes of the console, and of the systems that work with an account. */
function addManagementRoutes(group: Server, parts: Parts): void {
  group.addHook('onRequest', toHook(parts.authenticate));
  group.addHook('onRequest', toHook(limitByMethod(parts.limiters)));
  group.addHook('preHandler', toHook(parts.authenticate));
  queueWrites(group, parts.authenticate);
  acceptJson(group, async (request, body) => parseStorableJson(request, body));
  group.addHook('preValidation', refuseParameters);
  group.addHook('onRequest', (_request, reply, done) => {
    reply.headers(UNCACHED_HEADERS);
    done();
  });
  group.addSchema(Actor);

  const { config, db, getLists, imageBases, sendDownload, authenticate, people, objects } = parts;
  const { recheckPrincipal, shutdown, wakeUps } = parts;
  const { mediaDir, publicUrl, webhookAllowPrivate: allowPrivate } = config;
  contactRoutes(group, { db, getLists, sendDownload });
  tagRoutes(group, { db, getLists });
  unitRoutes(group, { db, getLists, imageBases });
  unitExportRoutes(group, { sendDownload, imageBases });
  projectRoutes(group, { db, getLists, imageBases });
  pictureRoutes(group, { db, getLists, mediaDir, publicUrl, authenticate });
  priceListRoutes(group, { db, imageBases });
  viewRoutes(group, db);
  figureRoutes(group, getLists);
  importLogRoutes(group, db);
  contactFileRoutes(group, { db, sendDownload, authenticate, wake: parts.fileWorker.wake });
  erasureRoutes(group, db);
  personDataRoutes(group, sendDownload);
  peopleRoutes(group, people);
  deactivationRoutes(group, people);
  changeRoutes(group, getLists);
  eventRoutes(group, { db, authenticate, recheckPrincipal, shutdown, objects, wakeUps });
  keyRoutes(group, { db, keyCache: parts.keyCache });
  webhookRoutes(group, {
    ...parts.webhooks,
    getLists,
    allowPrivate,
    wake: parts.webhookWorker.wake,
  });
  organizationRoutes(group, { ...people, imageBases });
}
