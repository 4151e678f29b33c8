import { lockAccount, recordEvents } from '../accounts/index.ts';
import {
  readLogEnds,
  readEventsByNumber,
  type EventItem,
  type NewEvent,
  type Requester,
} from '../events/index.ts';
import { runInTransaction, type Pool } from '../platform/database/index.ts';
import { isSuccess } from './deliver/rules.ts';
import { createSend, type SendTools } from './deliver/send-event.ts';
import { saveDeliveries } from './deliver/store.ts';
import { describeDelivery } from './deliver/describe-delivery.ts';
import type { TestResult } from './schemas.ts';
import { requireStored } from './service.ts';
import { lockWebhook, markWorking } from './store.ts';

/** Sends a test event to one webhook, and stores the delivery. A failure does not count against the endpoint. */
export async function sendTestEvent(
  tools: SendTools & { db: Pool },
  { author }: Requester,
  accountId: string,
  id: string,
): Promise<TestResult> {
  const { db } = tools;
  const stored = await requireStored(db, accountId, id);
  const webhookId = stored.id;
  const withObjects = stored.include.length > 0;
  const send = createSend(tools, { ...stored, withObjects, accountId, webhookId });
  const type = 'webhook.test' as const;
  const event = await appendTestEvent(
    db,
    accountId,
    { type, subject: webhookId, data: {} },
    author,
  );
  const result = await send(event);
  const at = new Date();
  const status = isSuccess(result) ? 'delivered' : 'failed';
  const record = { status, attempt: 1, nextAttemptAt: null } as const;
  await runInTransaction(db, async (tx) => {
    // The webhook may be deleted meanwhile.
    if (!(await lockWebhook(tx, accountId, webhookId))) return;
    if (status === 'delivered') await markWorking(tx, accountId, webhookId, at);
    const saved = describeDelivery(event, record, { result, at });
    await saveDeliveries(tx, { accountId, webhookId }, [saved]);
  });
  const { status: httpStatus, ms, error } = result;
  return { delivered: status === 'delivered', httpStatus, ms, error };
}

async function appendTestEvent(
  db: Pool,
  accountId: string,
  event: NewEvent,
  author: Requester['author'],
): Promise<EventItem> {
  const now = new Date();
  const sequence = await runInTransaction(db, async (tx) => {
    await lockAccount(tx, accountId);
    await recordEvents(tx, accountId, [{ author, events: [event] }], { now, rows: 0 });
    return (await readLogEnds(tx, accountId)).head;
  });
  const [appended] = await readEventsByNumber(db, accountId, [sequence]);
  if (appended === undefined) throw new Error('the test event was not stored');
  return appended;
}
