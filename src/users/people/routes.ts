import { getPrincipal } from '../../access/index.ts';
import { readRequester } from '../../events/index.ts';
import type { Pool } from '../../platform/database/index.ts';
import {
  allowNoBody,
  createListReader,
  cutPage,
  getInstance,
  presentList,
  readIfMatch,
  requireJsonType,
  requireMergePatch,
  sendCreated,
  sendResource,
  SKIP_VALIDATION,
  type RawQuery,
  type Server,
} from '../../platform/http/index.ts';
import { readClaim } from '../../platform/idempotency/index.ts';
import type { SessionCache } from '../sessions/look-up.ts';
import * as documents from './document.ts';
import { presentPerson } from './present.ts';
import { listPeople } from './store.ts';
import { choosePlace, matchesFilter } from './rules.ts';
import { PEOPLE_SCHEMAS, PERSON_LIST, type NewPerson, type PersonChanges } from './schemas.ts';
import { makePersonLink, showLink } from './links.ts';
import { requirePerson } from './requirements.ts';
import { activatePerson, changePerson, createPerson } from './service.ts';

const reads = { config: { scope: 'users:read' } } as const;
const writes = { config: { scope: 'users:write' } } as const;

interface PeopleRoutesOptions {
  db: Pool;
  sessions: SessionCache;
  publicUrl: string;
}

/** Adds the routes of the people of an account. The route that deactivates a person is in `contacts/`. */
export function peopleRoutes(app: Server, { db, sessions, publicUrl }: PeopleRoutesOptions): void {
  const readListQuery = createListReader(PERSON_LIST);
  for (const schema of PEOPLE_SCHEMAS) app.addSchema(schema);

  const list = { ...reads, ...SKIP_VALIDATION, schema: documents.listDocument };
  app.get('/users', list, async (request) => {
    const query = readListQuery(request.query as RawQuery);
    const people = await listPeople(db, getPrincipal(request).accountId);
    const matching = people.filter((each) => matchesFilter(each, query.filter));
    const placeOf = choosePlace(query.sort);
    return presentList(query, cutPage(matching, query, placeOf), placeOf, presentPerson);
  });

  const show = { ...reads, schema: documents.showDocument };
  app.get('/users/:userId', show, async (request, reply) => {
    const { accountId } = getPrincipal(request);
    return sendResource(request, reply, await requirePerson(db, accountId, request.params.userId));
  });

  const create = { ...writes, schema: documents.createDocument, preParsing: requireJsonType };
  app.post('/users', create, async (request, reply) => {
    const { accountId, actor } = getPrincipal(request);
    const claim = readClaim(request, actor.id);
    const creation = { accountId, claim, path: getInstance(request), publicUrl };
    const created = await createPerson(
      db,
      readRequester(request),
      creation,
      request.body as NewPerson,
    );
    return sendCreated(request, reply, created);
  });

  const change = { ...writes, schema: documents.changeDocument, preParsing: requireMergePatch };
  app.patch('/users/:userId', change, async (request, reply) => {
    const { accountId } = getPrincipal(request);
    const { userId } = request.params;
    const target = { accountId, userId, ifMatch: readIfMatch(request) };
    const changes = request.body as PersonChanges;
    const person = await sessions.clearAfter(() =>
      changePerson(db, readRequester(request), target, changes),
    );
    return sendResource(request, reply, person);
  });

  const invite = { ...writes, schema: documents.inviteDocument, preValidation: allowNoBody };
  app.post('/users/:userId/invite', invite, async (request, reply) => {
    const principal = getPrincipal(request);
    const target = { accountId: principal.accountId, userId: request.params.userId };
    const kind = 'invite';
    const link = await makePersonLink(db, principal, target, { kind });
    reply.code(201);
    return showLink(db, target.accountId, { ...link, kind }, publicUrl);
  });

  const reset = { ...writes, schema: documents.resetDocument, preValidation: allowNoBody };
  app.post('/users/:userId/reset', reset, async (request, reply) => {
    const principal = getPrincipal(request);
    const target = { accountId: principal.accountId, userId: request.params.userId };
    const kind = 'reset';
    const link = await makePersonLink(db, principal, target, { ...request.body, kind });
    reply.code(201);
    return showLink(db, target.accountId, { ...link, kind }, publicUrl);
  });

  const activate = { ...writes, schema: documents.activateDocument, preValidation: allowNoBody };
  app.post('/users/:userId/activate', activate, async (request, reply) => {
    const { accountId } = getPrincipal(request);
    const { userId } = request.params;
    const person = await activatePerson(db, readRequester(request), accountId, userId);
    return sendResource(request, reply, person);
  });
}
