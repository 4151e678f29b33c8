import { getPrincipal } from '../access/index.ts';
import { readRequester } from '../events/index.ts';
import type { Pool } from '../platform/database/index.ts';
import {
  allowNoBody,
  createListReader,
  cutPage,
  getInstance,
  presentList,
  readIfMatch,
  requireJsonType,
  requireMergePatch,
  sendCreated,
  sendResource,
  SKIP_VALIDATION,
  type RawQuery,
  type Server,
} from '../platform/http/index.ts';
import { readClaim } from '../platform/idempotency/index.ts';
import type { GetPool } from '../platform/queue/index.ts';
import type { SendTools } from './deliver/send-event.ts';
import { deliveryRoutes } from './deliveries/routes.ts';
import * as documents from './document.ts';
import { placeOf, presentWebhook } from './present.ts';
import {
  readOverlap,
  WEBHOOK_LIST,
  WEBHOOK_SCHEMAS,
  type NewWebhook,
  type Rotation,
  type WebhookChanges,
} from './schemas.ts';
import { sendTestEvent } from './send-test-event.ts';
import {
  changeWebhook,
  createWebhook,
  removeWebhook,
  requireWebhook,
  rotateSecret,
} from './service.ts';
import { listWebhooks } from './store.ts';

const config = { scope: 'webhooks:write' } as const;

interface RouteOptions extends SendTools {
  db: Pool;
  getLists: GetPool;
  allowPrivate: boolean;
  /** Makes this process look for due deliveries at once. */
  wake: (accountId: string) => void;
}

/** Adds the routes of webhooks. */
export function webhookRoutes(app: Server, options: RouteOptions): void {
  const { db, wake } = options;
  const readListQuery = createListReader(WEBHOOK_LIST);
  for (const schema of WEBHOOK_SCHEMAS) app.addSchema(schema);

  const list = { config, ...SKIP_VALIDATION, schema: documents.listDocument };
  app.get('/webhooks', list, async (request) => {
    const query = readListQuery(request.query as RawQuery);
    const webhooks = await listWebhooks(db, getPrincipal(request).accountId);
    return presentList(query, cutPage(webhooks, query, placeOf), placeOf, presentWebhook);
  });

  const show = { config, schema: documents.showDocument };
  app.get('/webhooks/:webhookId', show, async (request, reply) => {
    const { accountId } = getPrincipal(request);
    const webhook = await requireWebhook(db, accountId, request.params.webhookId);
    return sendResource(request, reply, webhook);
  });

  const create = { config, schema: documents.createDocument, preParsing: requireJsonType };
  app.post('/webhooks', create, async (request, reply) => {
    const { accountId, actor } = getPrincipal(request);
    const claim = readClaim(request, actor.id);
    const creation = { accountId, claim, path: getInstance(request) };
    const body = request.body as NewWebhook;
    const made = await createWebhook(options, readRequester(request), creation, body);
    return sendCreated(request, reply, made);
  });

  const change = { config, schema: documents.changeDocument, preParsing: requireMergePatch };
  app.patch('/webhooks/:webhookId', change, async (request, reply) => {
    const { accountId } = getPrincipal(request);
    const target = { accountId, id: request.params.webhookId, ifMatch: readIfMatch(request) };
    const changes = request.body as WebhookChanges;
    const webhook = await changeWebhook(options, readRequester(request), target, changes);
    wake(accountId);
    return sendResource(request, reply, webhook);
  });

  const remove = { config, schema: documents.removeDocument };
  app.delete('/webhooks/:webhookId', remove, async (request, reply) => {
    const { accountId } = getPrincipal(request);
    const target = { accountId, id: request.params.webhookId, ifMatch: readIfMatch(request) };
    await removeWebhook(options, readRequester(request), target);
    return reply.code(204).send();
  });

  const rotate = { config, schema: documents.rotateDocument, preValidation: allowNoBody };
  app.post('/webhooks/:webhookId/rotate-secret', rotate, async (request, reply) => {
    const { accountId } = getPrincipal(request);
    const target = { accountId, id: request.params.webhookId };
    const overlap = readOverlap(request.body as Rotation);
    const shown = await rotateSecret(options, readRequester(request), target, overlap);
    return sendResource(request, reply, shown);
  });

  const test = {
    config: { ...config, asksOthers: true },
    schema: documents.testDocument,
    preValidation: allowNoBody,
  };
  app.post('/webhooks/:webhookId/test', test, async (request) => {
    const { accountId } = getPrincipal(request);
    const { webhookId } = request.params;
    const result = await sendTestEvent(options, readRequester(request), accountId, webhookId);
    if (result.delivered) wake(accountId);
    return result;
  });

  deliveryRoutes(app, options);
}
