export { OPERATOR, readAuthor, readRequester, type Requester } from './author.ts';
export { contactChangesDocument, describeRowChanges, EXAMPLE_CHANGE } from './changes/document.ts';
export { changeRoutes, readChangePage } from './changes/routes.ts';
export { ROW_CHANGE_LIST, type ChangeItem } from './changes/schemas.ts';
export { findFormerValues, LIST_FIELDS, listChanges, selectActor } from './changes/store.ts';
export { EVENT_TYPES, type EventType } from './data-schemas.ts';
export { EXAMPLE_EVENT } from './document.ts';
export { EVENT_WEBHOOKS } from './event-union.ts';
export { findStartSequence, readEventPage } from './follow.ts';
export { makeEventId, readEventCursor, readEventId } from './ids.ts';
export { addObjects, type ObjectReaders } from './objects.ts';
export {
  deleteOldEvents,
  isNotCausedBy,
  readLogEnds,
  readEventsByNumber,
  readEventsOf,
} from './read-store.ts';
export { eventRoutes } from './routes.ts';
export { compareRows, compareValues, listFields } from './rules.ts';
export type { EventItem } from './schemas.ts';
export {
  appendEvents,
  countEvents,
  eraseChanges,
  moveChanges,
  type AuthoredEvents,
} from './store.ts';
export {
  findScopeOfType,
  NOUNS,
  readNoun,
  SYSTEM,
  type Author,
  type FieldValues,
  type NewEvent,
} from './types.ts';
export { createWakeUps } from './wake-ups.ts';
