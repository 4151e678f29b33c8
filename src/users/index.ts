export { listUserEvents } from './events.ts';
export { formatLink } from './links/rules.ts';
export { createLink } from './links/service.ts';
export { EXAMPLE_PERSON, USER_PARAMS } from './people/document.ts';
export { invitePerson, resetPerson } from './people/links.ts';
export { requireActiveUser, requirePerson } from './people/requirements.ts';
export { peopleRoutes } from './people/routes.ts';
export type { Person } from './people/schemas.ts';
export {
  activatePerson,
  endFormerAccess,
  planDeactivation,
  readPersonObjects,
  writeDeactivation,
} from './people/service.ts';
export { listPeople } from './people/store.ts';
export { meRoutes } from './routes.ts';
export { EMAIL_TAKEN, planUser, USER } from './rules.ts';
export { UserFields, type User } from './schemas.ts';
export { listSecondStepSecrets } from './second-step/service.ts';
export { createSessionCache, type SessionCache } from './sessions/look-up.ts';
export { renewSession } from './sessions/service.ts';
export { createGuessCounter } from './sign-in/attempts.ts';
export { signInRoutes } from './sign-in/routes.ts';
export { listAccountsWithoutOwner, readUserByEmail, readUsers, writeUsers } from './store.ts';
