export { UserFields, type User } from './schemas.ts';
export { readUsers, usersInsert, usersUpdate } from './store.ts';
