export { EMAIL_TAKEN, planUser, USER } from './rules.ts';
export { UserFields, type User } from './schemas.ts';
export { readUsers, writeUsers } from './store.ts';
