import type { ImportItem } from './schemas.ts';
import type { NamedRecord } from './list-store.ts';

/** Presents a record in a list. */
export function presentItem(record: NamedRecord): ImportItem {
  const { id, receivedAt, channel, requestId, position, runId, outcome, ignoredFields } = record;
  const accepted = findResult(record);
  return {
    id,
    receivedAt: receivedAt.toISOString(),
    channel,
    actor: presentActor(record),
    requestId,
    position: channel === 'batch' ? position : null,
    fileId: runId,
    row: channel === 'file' ? position : null,
    outcome,
    contactId: accepted?.contactId ?? null,
    problem: 'code' in record.result ? record.result : null,
    ignoredFields,
    settledAt: record.settledAt?.toISOString() ?? null,
    settlement: nameSettlement(record),
    undoneAt: record.undoneAt?.toISOString() ?? null,
  };
}

/** Presents a record with its payload, its result and its dismissal. */
export function presentDetail(record: NamedRecord) {
  return {
    ...presentItem(record),
    dismissal: presentDismissal(record),
    payload: record.payload,
    result: findResult(record),
  };
}

function presentDismissal({ dismissal, dismisserName }: NamedRecord) {
  if (dismissal === null) return null;
  const { reason, actor } = dismissal;
  return { reason, actor: { ...actor, name: dismisserName ?? actor.name } };
}

/** Presents the sender of an import. An import without a sender comes from the operator's command. */
function presentActor({ apiKeyId: id, keyName, userName }: NamedRecord) {
  if (id === null) return { type: 'system', id, name: 'offplan import' };
  return userName === null
    ? { type: 'key', id, name: keyName ?? '' }
    : { type: 'user', id, name: userName };
}

/** Finds the result of an import or of its retry; null while it is refused. */
function findResult({ result, settlement }: NamedRecord) {
  if (settlement !== null) return settlement;
  return 'action' in result ? result : null;
}

function nameSettlement({ settledAt, settledBy, dismissal }: NamedRecord) {
  if (settledAt === null) return null;
  if (dismissal !== null) return 'dismissed';
  return settledBy === null ? 'retried' : 'replaced';
}
