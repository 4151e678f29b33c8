import { createKeyPrincipal, SCOPES } from '../../access/index.ts';
import { addObjects, type EventItem, type ObjectReaders } from '../../events/index.ts';
import type { Queryable } from '../../platform/database/index.ts';
import type { WebhookSeal } from '../secrets.ts';
import { createSigningKey, signDelivery, type Sender, type SendResult } from '../send/index.ts';
import type { StoredWebhook } from '../store.ts';

const TIMEOUT_MS = 15_000;

/** The parts of the service that send events to webhooks. */
export interface SendTools {
  db: Queryable;
  sender: Sender;
  seals: WebhookSeal;
  objects: ObjectReaders;
}

/** The fields of a webhook from which its requests are made. */
export interface Endpoint extends Pick<
  StoredWebhook,
  'url' | 'headers' | 'secret' | 'previousSecret' | 'previousUntil'
> {
  accountId: string;
  webhookId: string;
  withObjects: boolean;
}

export type SendEvent = (event: EventItem, signal?: AbortSignal) => Promise<SendResult>;

/** Makes the function that sends events to an endpoint. Every attempt and replay of an event has the same `webhook-id`. */
export function createSend({ sender, seals }: SendTools, endpoint: Endpoint): SendEvent {
  const { accountId, webhookId, url, previousSecret, previousUntil } = endpoint;
  const open = (sealed: Buffer): string => seals.unseal(accountId, webhookId, sealed);
  const headers = seals.unsealHeaders(accountId, webhookId, endpoint.headers);
  const key = createSigningKey(open(endpoint.secret));
  const isFormerValid = (now: number): boolean => now < (previousUntil?.getTime() ?? 0);
  // Do not decrypt a former secret that has ended: it can be of a lost OFFPLAN_SECRET_KEY.
  const formerKey =
    previousSecret !== null && isFormerValid(Date.now())
      ? createSigningKey(open(previousSecret))
      : null;

  return (event, signal) => {
    const now = Date.now();
    const seconds = Math.floor(now / 1_000);
    const keys = formerKey !== null && isFormerValid(now) ? [key, formerKey] : [key];
    const body = JSON.stringify(event);
    return sender.send({
      url,
      body,
      headers: {
        ...headers,
        'content-type': 'application/json',
        'user-agent': 'Offplan',
        'webhook-id': event.id,
        'webhook-timestamp': String(seconds),
        'webhook-signature': signDelivery(keys, event.id, seconds, body),
      },
      timeoutMs: TIMEOUT_MS,
      signal,
    });
  };
}

/** Adds to each event its resource, as an owner of the account sees it, if the webhook asks for resources. */
export async function addWantedObjects(
  { db, objects }: SendTools,
  { accountId, webhookId, withObjects }: Endpoint,
  events: EventItem[],
): Promise<EventItem[]> {
  if (!withObjects || events.length === 0) return events;
  const reader = createKeyPrincipal({
    accountId,
    id: webhookId,
    name: 'webhook',
    access: null,
    scopes: [...SCOPES],
    rateLimits: { reads: null, imports: null, writes: null },
  });
  return addObjects(db, objects, reader, events);
}
