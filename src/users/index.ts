export { UserFields, type User } from './schemas.ts';
export { usersInsert, usersUpdate } from './store.ts';
