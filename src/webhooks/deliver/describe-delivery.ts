import type { EventItem } from '../../events/index.ts';
import type { SendResult } from '../send/index.ts';
import type { DeliveryRecord } from './rules.ts';
import type { SavedDelivery } from './store.ts';

/** Makes the delivery of an event, with the answer of the endpoint if there is one. */
export function describeDelivery(
  event: EventItem,
  record: DeliveryRecord,
  { result, at }: { result: SendResult | null; at: Date },
): SavedDelivery {
  const { contactId } = event.data;
  const isOfContact = event.type.startsWith('contact.');
  return {
    ...record,
    sequence: event.sequence,
    type: event.type,
    subject: event.data.id,
    contactId: isOfContact ? event.data.id : typeof contactId === 'string' ? contactId : null,
    eventAt: event.timestamp,
    httpStatus: result?.status ?? null,
    ms: result?.ms ?? null,
    error: result?.error ?? null,
    responseStart: result?.responseStart || null,
    at,
  };
}
