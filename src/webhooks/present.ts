import { formatEtag } from '../platform/http/index.ts';
import { readStatus } from './rules.ts';
import type { Webhook } from './schemas.ts';
import type { StoredWebhook } from './store.ts';

/** Presents a webhook as the API shows it: without its secrets. */
export function presentWebhook(webhook: StoredWebhook): Webhook {
  const { id, url, description, types, include, bulk, ordered, headerNames, lag } = webhook;
  const { creator, creatorName } = webhook;
  return {
    id,
    url,
    description,
    types,
    include,
    bulk,
    ordered,
    headerNames,
    status: readStatus(webhook),
    disabledReason: webhook.disabledReason,
    createdAt: webhook.createdAt.toISOString(),
    createdBy: { ...creator, name: creatorName ?? '' },
    lastSuccessAt: webhook.lastSuccessAt?.toISOString() ?? null,
    failingSince: webhook.failingSince?.toISOString() ?? null,
    lag: Math.max(lag, 0),
    etag: formatEtag(webhook.version),
  };
}

/** Gives the place of a webhook in the list. */
export function placeOf({ id, createdAt }: StoredWebhook) {
  return { id, value: createdAt.getTime() };
}
