import type { Principal, Scope } from '../access/index.ts';

/** The data of each type of event, beside the id of its subject. No names, emails, phones or texts. */
interface EventData {
  'contact.created': Changed & FromImport;
  'contact.updated': Changed & FromImport;
  'contact.archived': NoData;
  'contact.restored': NoData;
  'contact.erased': NoData;
  'contact.merged': { intoId: string };
  'contact.enquired': {
    action: 'created' | 'merged';
    projectId: string | null;
    unitId: string | null;
  } & FromImport;
  'contact.stage_changed': FromTo<string | null>;
  'contact.assigned': FromTo<string | null>;
  'contact.tagged': { tagIds: string[] };
  'contact.untagged': { tagIds: string[] };
  'contact.linked': { projectId: string; unitId: string | null };
  'contact.unlinked': { projectId: string; unitId: string | null };
  'activity.created': OfContact;
  'activity.updated': OfContact;
  'activity.deleted': OfContact;
  'project.created': OfSlug & Changed;
  'project.updated': OfSlug & Changed;
  'project.published': OfSlug;
  'project.unpublished': OfSlug;
  'project.archived': OfSlug;
  'project.deleted': OfSlug;
  'unit.created': OfProject & Changed;
  'unit.updated': OfProject & Changed;
  'unit.deleted': OfProject;
  'unit.status_changed': OfProject & FromTo<string>;
  'unit.price_changed': OfProject & FromTo<number | null>;
  'import.refused': { code: string };
  'contact_file.completed': RunCounts & EventRange;
  'contact_file.stopped': RunCounts & EventRange;
  'contact_file.undone': { removed: number; kept: number } & EventRange;
  'user.created': Changed;
  'user.updated': Changed;
  'user.deactivated': NoData;
  'key.created': NoData;
  'key.updated': Changed;
  'key.rotated': NoData;
  'key.revoked': NoData;
  'organization.created': Changed;
  'organization.updated': Changed;
}

type NoData = Record<string, never>;
/** The names of the fields that changed; those of a new row that are filled. */
type Changed = { changed: string[] };
type FromImport = { importId: string | null };
type FromTo<Value> = { from: Value; to: Value };
type OfContact = { contactId: string; activityType: string };
type OfSlug = { slug: string };
type OfProject = { projectId: string };
type RunCounts = { created: number; merged: number; refused: number };
/** The numbers of the first and the last event between which all events of a run are. */
type EventRange = { firstSequence: number; lastSequence: number };

export type EventType = keyof EventData;

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
};
export const NOUNS = Object.keys(NOUN_SCOPES);

const TYPES: Record<EventType, true> = {
  'contact.created': true,
  'contact.updated': true,
  'contact.archived': true,
  'contact.restored': true,
  'contact.erased': true,
  'contact.merged': true,
  'contact.enquired': true,
  'contact.stage_changed': true,
  'contact.assigned': true,
  'contact.tagged': true,
  'contact.untagged': true,
  'contact.linked': true,
  'contact.unlinked': true,
  'activity.created': true,
  'activity.updated': true,
  'activity.deleted': true,
  'project.created': true,
  'project.updated': true,
  'project.published': true,
  'project.unpublished': true,
  'project.archived': true,
  'project.deleted': true,
  'unit.created': true,
  'unit.updated': true,
  'unit.deleted': true,
  'unit.status_changed': true,
  'unit.price_changed': true,
  'import.refused': true,
  'contact_file.completed': true,
  'contact_file.stopped': true,
  'contact_file.undone': true,
  'user.created': true,
  'user.updated': true,
  'user.deactivated': true,
  'key.created': true,
  'key.updated': true,
  'key.rotated': true,
  'key.revoked': true,
  'organization.created': true,
  'organization.updated': true,
};
export const EVENT_TYPES = Object.keys(TYPES) as EventType[];

/** Lists the types of the events whose nouns a principal may read. */
export function listReadableTypes({ can }: Pick<Principal, 'can'>): EventType[] {
  return EVENT_TYPES.filter((type) => {
    const scope = NOUN_SCOPES[readNoun(type)];
    return scope !== undefined && can(scope);
  });
}

/** The one who changed something. The operator's commands are the system, which has no id. */
interface Actor {
  readonly type: 'user' | 'key' | 'system';
  readonly id: string | null;
}

/** The one who causes events, and the request by which they do. */
export interface Author {
  actor: Actor;
  requestId: string | null;
}

/** A command of the operator as the author of events. */
export const SYSTEM: Author = { actor: { type: 'system', id: null }, requestId: null };

/** The fields that changed, with their values before and after, by their names. A new row has no values before. */
export interface FieldValues {
  before: Record<string, unknown>;
  after: Record<string, unknown>;
}

/**
 * An event to append. `change` has the changed fields of its subject, or of another row of the same kind. One event of each
 * subject in a transaction has it.
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
