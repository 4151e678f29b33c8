import { getPrincipal } from '../../access/index.ts';
import type { Pool } from '../../platform/database/index.ts';
import {
  allowNoBody,
  createListReader,
  presentList,
  requireJsonType,
  SKIP_VALIDATION,
  type RawQuery,
  type Server,
} from '../../platform/http/index.ts';
import type { GetPool } from '../../platform/queue/index.ts';
import { requireStored } from '../service.ts';
import { listDocument, replayDocument, retryDocument } from './document.ts';
import { DELIVERY_LIST, DELIVERY_SCHEMAS, type Replay } from './schemas.ts';
import { createPlaceOf, presentDelivery, replay, retry } from './service.ts';
import { listDeliveries } from './store.ts';

const config = { scope: 'webhooks:write' } as const;

interface DeliveryOptions {
  db: Pool;
  getLists: GetPool;
  /** Makes this process look for due deliveries at once. */
  wake: (accountId: string) => void;
}

/** Adds the routes of the deliveries of webhooks. */
export function deliveryRoutes(app: Server, { db, getLists, wake }: DeliveryOptions): void {
  const readListQuery = createListReader(DELIVERY_LIST);
  for (const schema of DELIVERY_SCHEMAS) app.addSchema(schema);

  const list = { config, ...SKIP_VALIDATION, schema: listDocument };
  app.get('/webhooks/:webhookId/deliveries', list, async (request) => {
    const query = readListQuery(request.query as RawQuery);
    const { accountId } = getPrincipal(request);
    const { webhookId } = request.params;
    const { id, disabledReason } = await requireStored(db, accountId, webhookId);
    const found = await listDeliveries(getLists(accountId), { accountId, webhookId: id }, query);
    return presentList(query, found, createPlaceOf(id), (each) => {
      const delivery = presentDelivery(id, each);
      return disabledReason === null ? delivery : { ...delivery, nextAttemptAt: null };
    });
  });

  const again = { config, schema: retryDocument, preValidation: allowNoBody };
  app.post('/webhooks/:webhookId/deliveries/:deliveryId/retry', again, async (request, reply) => {
    const { accountId } = getPrincipal(request);
    const { webhookId, deliveryId } = request.params;
    const queued = await retry(db, { accountId, webhookId }, deliveryId);
    wake(accountId);
    return reply.code(202).send(queued);
  });

  const many = { config, schema: replayDocument, preParsing: requireJsonType };
  app.post('/webhooks/:webhookId/replay', many, async (request, reply) => {
    const { accountId } = getPrincipal(request);
    const { webhookId } = request.params;
    const queued = await replay(db, { accountId, webhookId }, request.body as Replay);
    wake(accountId);
    return reply.code(202).send(queued);
  });
}
