import type { Principal, Scope } from '../access/index.ts';
import { EVENT_TYPES, type EventData, type EventType } from './data-schemas.ts';

/** The scope that reads the events of a noun. */
const NOUN_SCOPES: Record<string, Scope> = {
  contact: 'contacts:read',
  activity: 'contacts:read',
  project: 'projects:read',
  unit: 'projects:read',
  import: 'contacts:manage',
  contact_file: 'contacts:manage',
  user: 'users:read',
  key: 'keys:write',
  organization: 'settings:read',
  webhook: 'webhooks:write',
};
/** The part of an event's type before the dot. */
export const NOUNS = Object.keys(NOUN_SCOPES);

/** Finds the scope that reads the events of a type. */
export function findScopeOfType(type: EventType): Scope | undefined {
  return NOUN_SCOPES[readNoun(type)];
}

/** Lists the types of the events whose nouns a principal may read. */
export function listReadableTypes({ can }: Pick<Principal, 'can'>): EventType[] {
  return EVENT_TYPES.filter((type) => {
    const scope = findScopeOfType(type);
    return scope !== undefined && can(scope);
  });
}

/** The person or API key that changed something. `system` stands for the operator's commands, and has no id. */
interface Actor {
  readonly type: 'user' | 'key' | 'system';
  readonly id: string | null;
}

/** The actor who causes events, and the id of the request; null for a command. */
export interface Author {
  actor: Actor;
  requestId: string | null;
}

/** The author of events that a command of the operator causes. */
export const SYSTEM: Author = { actor: { type: 'system', id: null }, requestId: null };

/** The fields that changed, with their values before and after, by their names. A new row has no values before. */
export interface FieldValues {
  before: Record<string, unknown>;
  after: Record<string, unknown>;
}

/**
 * An event to append. `change` has the changed fields of its subject, or of `change.subject`, another row of the same kind. When
 * a transaction appends several events of one subject, only one of them has `change`.
 */
export type NewEvent = {
  [Type in EventType]: {
    type: Type;
    subject: string;
    data: EventData[Type];
    change?: FieldValues & { importId?: string | null; subject?: string };
  };
}[EventType];

/** Reads the noun of an event's type: the kind of its subject. */
export function readNoun(type: EventType): string {
  return type.slice(0, type.indexOf('.'));
}
