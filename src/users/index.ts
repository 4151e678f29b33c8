export { meRoutes, signInRoutes } from './routes.ts';
export { EMAIL_TAKEN, planUser, USER } from './rules.ts';
export { UserFields, type User } from './schemas.ts';
export { createSessionCache, type SessionCache } from './sessions/look-up.ts';
export { renewSession } from './sessions/service.ts';
export { readUsers, writeUsers } from './store.ts';
