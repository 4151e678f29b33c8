export { OPERATOR, readAuthor, readRequester, type Requester } from './author.ts';
export {
  changeRoutes,
  contactChangesDocument,
  describeRowChanges,
  EXAMPLE_CHANGE,
} from './change-routes.ts';
export { ROW_CHANGE_LIST, type ChangeItem } from './change-schemas.ts';
export { findFormerValues, listChanges } from './change-store.ts';
export type { EventType } from './data-schemas.ts';
export { EXAMPLE_EVENT } from './document.ts';
export { EVENT_WEBHOOKS } from './event-union.ts';
export type { ObjectReaders } from './objects.ts';
export { deleteOldEvents, readEnds, readEventsOf } from './read-store.ts';
export { eventRoutes } from './routes.ts';
export { compareRows, listFields } from './rules.ts';
export { appendEvents, eraseChanges, moveChanges, type AuthoredEvents } from './store.ts';
export { SYSTEM, type Author, type FieldValues, type NewEvent } from './types.ts';
