import { requireGrantable, type Caller, type Principal, type Scope } from '../access/index.ts';
import { lockAccount, recordEvents } from '../accounts/index.ts';
import { findScopeOfType, listFields, type NewEvent, type Requester } from '../events/index.ts';
import { runInTransaction, type Pool, type Queryable } from '../platform/database/index.ts';
import { Problem, requireMatch, type IfMatch } from '../platform/http/index.ts';
import { createOnce, type Creation } from '../platform/idempotency/index.ts';
import { isUuid, newId } from '../platform/text/index.ts';
import { presentWebhook } from './present.ts';
import {
  compareSettings,
  listWantedTypes,
  planChanges,
  planWebhook,
  type WebhookSettings,
} from './rules.ts';
import type { NewWebhook, ShownWebhook, Webhook, WebhookChanges } from './schemas.ts';
import type { WebhookSeal } from './secrets.ts';
import { checkAddress, makeSecret } from './send/index.ts';
import {
  deleteWebhook,
  endPause,
  findWebhook,
  insertWebhook,
  listWebhooks,
  lockWebhook,
  replaceSecret,
  retryPending,
  setDisabledReason,
  skipToHead,
  updateWebhook,
  type StoredWebhook,
} from './store.ts';

const WEBHOOKS_MAX = 100;

/** The parts of the service that change webhooks. */
export interface WebhookTools {
  db: Pool;
  seals: WebhookSeal;
  allowPrivate: boolean;
}

/** A webhook of an account that a request is about. */
interface Target {
  accountId: string;
  id: string;
}

/** Makes a webhook. Its first event is the next one of the account. Its secret is shown once. */
export function createWebhook(
  { db, seals, allowPrivate }: WebhookTools,
  { caller, author }: Requester,
  { accountId, claim, path }: Creation,
  body: NewWebhook,
): Promise<{ resource: ShownWebhook; isRepeat: boolean }> {
  const settings = planWebhook(body);
  requireUsable(settings, { caller, allowPrivate });
  seals.requireKey();
  const now = new Date();
  return createOnce(db, { accountId, claim, path, secret: 'secret' }, async (tx) => {
    await lockAccount(tx, accountId);
    if ((await listWebhooks(tx, accountId)).length >= WEBHOOKS_MAX)
      throw new Problem('limit_reached', `An account has at most ${WEBHOOKS_MAX} webhooks.`);
    const [id, secret] = [newId(), makeSecret()];
    const change = compareSettings(undefined, { ...settings, isEnabled: true });
    const data = { changed: Object.keys(change.after) };
    const event: NewEvent = { type: 'webhook.created', subject: id, data, change };
    await recordEvents(tx, accountId, [{ author, events: [event] }], { now, rows: 0 });
    await insertWebhook(tx, accountId, {
      ...sealSettings(seals, { accountId, id }, settings),
      id,
      secret: seals.seal(accountId, id, secret),
      createdAt: now,
      creator: author.actor,
    });
    return { ...(await requireWebhook(tx, accountId, id)), secret };
  });
}

/** Changes the settings of a webhook, turns it on or off, or lets it skip to the next event. */
export function changeWebhook(
  { db, seals, allowPrivate }: WebhookTools,
  { caller, author }: Requester,
  { accountId, id, ifMatch }: Target & { ifMatch: IfMatch },
  changes: WebhookChanges,
): Promise<Webhook> {
  const now = new Date();
  return runInTransaction(db, async (tx) => {
    const stored = await lockStored(tx, accountId, id);
    const current = presentWebhook(stored);
    requireMatch(ifMatch, current);
    const before = { ...openSettings(seals, accountId, stored), isEnabled: isEnabled(stored) };
    const { isEnabled: wasEnabled, ...settings } = before;
    const after = {
      ...planChanges(settings, changes),
      isEnabled: changes.enabled ?? wasEnabled,
    };
    const change = compareSettings(before, after);
    const changed = listFields(change);
    const hasNewHeaders = JSON.stringify(before.headers) !== JSON.stringify(after.headers);
    if (hasNewHeaders && !changed.includes('headerNames')) changed.push('headers');
    // A webhook that the caller may no longer use can still be turned off.
    if (changed.some((field) => field !== 'enabled') || (after.isEnabled && !wasEnabled))
      requireUsable(after, { caller, allowPrivate });
    if (changed.length > 0) {
      const data = { changed };
      const event: NewEvent = { type: 'webhook.updated', subject: id, data, change };
      await recordEvents(tx, accountId, [{ author, events: [event] }], { now, rows: 0 });
      if (changed.some((field) => field !== 'enabled'))
        await updateWebhook(tx, accountId, id, sealSettings(seals, { accountId, id }, after));
      // The failures so far say nothing of another address, or of a new password in a header.
      const isEnabledAgain = after.isEnabled && !wasEnabled;
      if (hasNewHeaders || after.url !== before.url || isEnabledAgain) {
        await retryPending(tx, accountId, id, now);
        await endPause(tx, accountId, id, now);
      }
      if (after.isEnabled !== wasEnabled)
        await setDisabledReason(tx, accountId, id, after.isEnabled ? null : 'turned_off');
    }
    if (changes.resumeFrom === 'head') await skipToHead(tx, accountId, id);
    return requireWebhook(tx, accountId, id);
  });
}

/** Gives a webhook a new secret, which is shown once. The former secret also signs for some seconds. */
export function rotateSecret(
  { db, seals }: WebhookTools,
  { author }: Requester,
  { accountId, id }: Target,
  overlapSeconds: number,
): Promise<ShownWebhook> {
  const now = new Date();
  return runInTransaction(db, async (tx) => {
    await lockStored(tx, accountId, id);
    const secret = makeSecret();
    const event: NewEvent = { type: 'webhook.rotated', subject: id, data: {} };
    await recordEvents(tx, accountId, [{ author, events: [event] }], { now, rows: 0 });
    const until = new Date(now.getTime() + overlapSeconds * 1_000);
    await replaceSecret(tx, accountId, id, seals.seal(accountId, id, secret), until);
    return { ...(await requireWebhook(tx, accountId, id)), secret };
  });
}

/** Deletes a webhook with its deliveries. */
export function removeWebhook(
  { db }: WebhookTools,
  { author }: Requester,
  { accountId, id, ifMatch }: Target & { ifMatch: IfMatch },
): Promise<void> {
  const now = new Date();
  return runInTransaction(db, async (tx) => {
    requireMatch(ifMatch, presentWebhook(await lockStored(tx, accountId, id)));
    const event: NewEvent = { type: 'webhook.deleted', subject: id, data: {} };
    await recordEvents(tx, accountId, [{ author, events: [event] }], { now, rows: 0 });
    await deleteWebhook(tx, accountId, id);
  });
}

/** Finds a webhook. Throws a 404 when the account has none with this id. */
export async function requireWebhook(
  db: Queryable,
  accountId: string,
  id: string,
): Promise<Webhook> {
  return presentWebhook(await requireStored(db, accountId, id));
}

/** Finds a webhook, also by an id that is no UUID. Throws `webhook_not_found`. */
export async function requireStored(
  db: Queryable,
  accountId: string,
  id: string,
): Promise<StoredWebhook> {
  const stored = isUuid(id) ? await findWebhook(db, accountId, id) : undefined;
  if (stored === undefined)
    throw new Problem('webhook_not_found', 'The account has no such webhook.');
  return stored;
}

/** Locks the account and a webhook, and reads it. */
async function lockStored(tx: Queryable, accountId: string, id: string): Promise<StoredWebhook> {
  await lockAccount(tx, accountId);
  if (isUuid(id)) await lockWebhook(tx, accountId, id);
  return requireStored(tx, accountId, id);
}

/** Reads webhooks for their events, as the API shows them, by their ids. */
export async function readWebhookObjects(
  db: Queryable,
  { accountId }: Pick<Principal, 'accountId'>,
  ids: string[],
): Promise<Map<string, Webhook>> {
  const found = await listWebhooks(db, accountId, ids);
  return new Map(found.map((webhook) => [webhook.id, presentWebhook(webhook)]));
}

/** Throws unless events may be sent to the URL, and the caller may read all events that the webhook wants. */
function requireUsable(
  { url, types }: WebhookSettings,
  { caller, allowPrivate }: { caller: Caller; allowPrivate: boolean },
): void {
  const reason = checkAddress(url, { allowPrivate });
  if (reason !== null) {
    const detail = `url ${reason}.`;
    throw new Problem('webhook_url_refused', detail, { errors: [{ pointer: '/url', detail }] });
  }
  const scopes = new Set(
    listWantedTypes(types).flatMap((type): Scope[] => {
      const scope = findScopeOfType(type);
      return scope === undefined ? [] : [scope];
    }),
  );
  requireGrantable(caller, ['events:read', ...scopes]);
}

const isEnabled = ({ disabledReason }: StoredWebhook): boolean => disabledReason === null;

function sealSettings(
  seals: WebhookSeal,
  { accountId, id }: Target,
  { headers, ...settings }: WebhookSettings,
) {
  const headerNames = Object.keys(headers);
  return {
    ...settings,
    headers: headerNames.length > 0 ? seals.seal(accountId, id, JSON.stringify(headers)) : null,
    headerNames,
  };
}

/** The settings of a stored webhook, with its headers. */
function openSettings(
  seals: WebhookSeal,
  accountId: string,
  { id, url, description, types, include, bulk, ordered, headers }: StoredWebhook,
): WebhookSettings {
  const settings = { url, description, types, include, bulk, ordered };
  return { ...settings, headers: seals.unsealHeaders(accountId, id, headers) };
}
