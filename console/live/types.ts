import type { Event } from '../api.ts';

type EventType = Event['type'];

/** The queries that events of each noun affect, by the first element of their keys. */
const TOUCHED: Record<string, readonly string[]> = {
  contact: ['contact', 'duplicate', 'import', 'figures', 'tag'],
  activity: ['activity', 'contact', 'figures'],
  project: ['project', 'unit'],
  unit: ['unit', 'project', 'figures'],
  import: ['import', 'figures'],
  contact_file: ['contact_file', 'contact', 'import', 'figures'],
  user: ['user', 'me'],
  key: ['key'],
  organization: ['organization', 'me'],
  webhook: ['webhook'],
};

/** All types of events. An EventSource needs a listener for each type by name. */
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
  'webhook.created': true,
  'webhook.updated': true,
  'webhook.rotated': true,
  'webhook.deleted': true,
  'webhook.disabled': true,
  'webhook.test': true,
};

export const EVENT_TYPES = Object.keys(TYPES) as EventType[];

/** Lists the keys that an event affects. They include the audit, which lists a change for each event. */
export const listTouchedKeys = (type: string): readonly string[] => [
  ...(TOUCHED[type.split('.')[0] ?? ''] ?? []),
  'change',
];
