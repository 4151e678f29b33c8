export { OPERATOR, readAuthor, readRequester, type Requester } from './author.ts';
export { compareRows, listFields } from './rules.ts';
export { appendEvents, eraseChanges, moveChanges, type AuthoredEvents } from './store.ts';
export { SYSTEM, type Author, type FieldValues, type NewEvent } from './types.ts';
