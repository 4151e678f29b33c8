import { formatEtag } from '../../platform/http/index.ts';
import { readIdTime } from '../../platform/text/index.ts';
import type { ReadActivity } from './rules.ts';

/** An activity as the API shows it. */
export type ShownActivity = ReturnType<typeof presentActivity>;

/** Presents an activity as the API shows it. An activity without an actor comes from a file or a command. */
export function presentActivity(activity: ReadActivity) {
  const { id, contactId, type, body, outcome, values, occurredAt, editedAt } = activity;
  const createdAt = activity.createdAt ?? readIdTime(id) ?? occurredAt;
  return {
    id,
    contactId,
    type,
    body,
    outcome,
    values,
    occurredAt: occurredAt.toISOString(),
    actor: presentActor(activity),
    createdAt: createdAt.toISOString(),
    editedAt: editedAt?.toISOString() ?? null,
    etag: formatEtag(activity.version),
  };
}

function presentActor({ actorType, actorId: id, actorName }: ReadActivity) {
  if (id === null) return { type: 'system', id: null, name: 'offplan' };
  return { type: actorType, id, name: actorName ?? '' };
}
