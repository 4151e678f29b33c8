import {
  compareValues,
  EVENT_TYPES,
  readNoun,
  type EventType,
  type FieldValues,
} from '../events/index.ts';
import { invalidRequest, type Fault } from '../platform/http/index.ts';
import {
  HEADERS_MAX,
  type DISABLED_REASONS,
  type BULK,
  type NewWebhook,
  type STATUSES,
  type WebhookChanges,
} from './schemas.ts';

/** The settings of a webhook that its owner chooses. */
export interface WebhookSettings {
  url: string;
  description: string | null;
  types: string[];
  include: 'object'[];
  bulk: (typeof BULK)[number];
  ordered: boolean;
  headers: Record<string, string>;
}

export type DisabledReason = (typeof DISABLED_REASONS)[number];

/** Lists the types of events that a webhook wants. Test events are not among them: only a request for a test event sends one. */
export function listWantedTypes(wanted: string[]): EventType[] {
  return EVENT_TYPES.filter(
    (type) =>
      type !== 'webhook.test' &&
      (wanted.includes('*') || wanted.includes(type) || wanted.includes(`${readNoun(type)}.*`)),
  );
}

/** Makes the settings of a new webhook. */
export function planWebhook(body: NewWebhook): WebhookSettings {
  const { url, types, description, include, bulk, ordered, headers } = body;
  return {
    url,
    types,
    description: description ?? null,
    include: include ?? [],
    bulk: bulk ?? 'summary',
    ordered: ordered ?? false,
    headers: mergeHeaders({}, headers),
  };
}

/** Applies changes to the settings of a webhook. */
export function planChanges(stored: WebhookSettings, changes: WebhookChanges): WebhookSettings {
  const { headers, enabled: _enabled, resumeFrom: _from, ...others } = changes;
  const given = Object.fromEntries(
    Object.entries(others).filter(([, value]) => value !== undefined),
  ) as Partial<WebhookSettings>;
  return { ...stored, ...given, headers: mergeHeaders(stored.headers, headers) };
}

const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/;
const VISIBLE = /^[\x20-\x7e]*$/;
/** Headers that the service itself sends, or that belong to the connection. */
const RESERVED =
  /^(webhook-.*|content-.*|host|connection|keep-alive|transfer-encoding|te|trailer|upgrade|expect|proxy-.*|user-agent|date|accept-encoding)$/i;

/** Merges headers by their names, whatever their case (RFC 7396). Throws a 400 for one that cannot be sent. */
function mergeHeaders(
  stored: Record<string, string>,
  changes: Record<string, string | null> | null | undefined,
): Record<string, string> {
  if (changes === undefined) return stored;
  if (changes === null) return {};
  const faults: Fault[] = Object.entries(changes).flatMap(([name, value]) =>
    explainHeader(name, value),
  );
  if (faults.length > 0) throw invalidRequest(faults);
  const merged = new Map(
    Object.entries(stored).map(([name, value]) => [name.toLowerCase(), [name, value] as const]),
  );
  for (const [name, value] of Object.entries(changes))
    if (value === null) merged.delete(name.toLowerCase());
    else merged.set(name.toLowerCase(), [name, value]);
  if (merged.size > HEADERS_MAX)
    throw invalidRequest([
      { pointer: '/headers', detail: `headers must be at most ${HEADERS_MAX}.` },
    ]);
  return Object.fromEntries(merged.values());
}

function explainHeader(name: string, value: string | null): Fault[] {
  const at = (detail: string) => [{ pointer: '/headers', detail }];
  if (!TOKEN.test(name)) return at('headers must have names of letters, digits and hyphens.');
  if (RESERVED.test(name)) return at(`headers must not have ${name}, which the service sends.`);
  if (value !== null && (!VISIBLE.test(value) || value.trim() !== value))
    return at(
      `headers must have values of visible ASCII; the value of ${name} has other characters.`,
    );
  return [];
}

/** Compares the settings of a webhook for the log of changes: of headers the names alone, because their values are secrets. */
export function compareSettings(
  before: (WebhookSettings & { isEnabled: boolean }) | undefined,
  after: WebhookSettings & { isEnabled: boolean },
): FieldValues {
  const list = (webhook: typeof after): Record<string, unknown> => ({
    url: webhook.url,
    description: webhook.description,
    types: webhook.types,
    include: webhook.include.length > 0 ? webhook.include : null,
    bulk: webhook.bulk,
    ordered: webhook.ordered,
    headerNames:
      Object.keys(webhook.headers).length > 0 ? Object.keys(webhook.headers).toSorted() : null,
    enabled: webhook.isEnabled,
  });
  return compareValues(before === undefined ? {} : list(before), list(after));
}

/** The status of a webhook as the API shows it. */
export function readStatus({
  disabledReason,
  failingSince,
}: {
  disabledReason: DisabledReason | null;
  failingSince: Date | null;
}): (typeof STATUSES)[number] {
  if (disabledReason !== null) return 'disabled';
  return failingSince === null ? 'enabled' : 'failing';
}
