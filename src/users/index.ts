export { usersInsert, usersUpdate, type User } from './store.ts';
