export { OPERATOR, readAuthor, readRequester, type Requester } from './author.ts';
export { changeRoutes } from './change-routes.ts';
export { EXAMPLE_EVENT } from './document.ts';
export { deleteOldEvents } from './read-store.ts';
export { eventRoutes } from './routes.ts';
export { compareRows, listFields } from './rules.ts';
export { appendEvents, eraseChanges, moveChanges, type AuthoredEvents } from './store.ts';
export { SYSTEM, type Author, type EventType, type FieldValues, type NewEvent } from './types.ts';
