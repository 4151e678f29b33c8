import { getPrincipal } from '../../access/index.ts';
import type { Pool } from '../../platform/database/index.ts';
import {
  createListReader,
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
import type { GetPool } from '../../platform/queue/index.ts';
import { readEditor } from '../edit/routes.ts';
import { requireContact } from '../list/service.ts';
import * as documents from './document.ts';
import { listActivities } from './list-store.ts';
import { presentActivity } from './present.ts';
import type { ReadActivity } from './rules.ts';
import { ACTIVITY_SCHEMAS, type ActivityChanges, type NewActivity } from './schemas.ts';
import { addActivity, changeActivity, removeActivity, requireActivity } from './service.ts';

const reads = { scope: 'contacts:read' } as const;
const writes = { scope: 'contacts:write' } as const;

/** Adds the routes of activities. */
export function activityRoutes(app: Server, options: { db: Pool; getLists: GetPool }): void {
  for (const schema of ACTIVITY_SCHEMAS) app.addSchema(schema);
  readRoutes(app, options);
  writeRoutes(app, options.db);
}

function readRoutes(app: Server, { db, getLists }: { db: Pool; getLists: GetPool }): void {
  const readQuery = createListReader(documents.ACTIVITY_LIST);
  const all = { config: reads, schema: documents.activitiesDocument, ...SKIP_VALIDATION };
  app.get('/activities', all, async (request) => {
    const query = readQuery(request.query as RawQuery);
    const reader = getPrincipal(request);
    const found = await listActivities(getLists(reader.accountId), reader, query);
    return presentList(query, found, placeOf, presentActivity);
  });

  const readOwnQuery = createListReader(documents.CONTACT_ACTIVITY_LIST);
  const own = { config: reads, schema: documents.contactActivitiesDocument, ...SKIP_VALIDATION };
  app.get('/contacts/:contactId/activities', own, async (request) => {
    const query = readOwnQuery(request.query as RawQuery);
    const reader = getPrincipal(request);
    const { contactId } = request.params as { contactId: string };
    const { id } = await requireContact(db, reader, contactId);
    const filter = { ...query.filter, contact: [id] };
    const found = await listActivities(getLists(reader.accountId), reader, { ...query, filter });
    return presentList(query, found, placeOf, presentActivity);
  });

  const show = { config: reads, schema: documents.showDocument };
  app.get('/activities/:activityId', show, async (request, reply) => {
    const { activityId } = request.params;
    const activity = await requireActivity(db, getPrincipal(request), activityId);
    return sendResource(request, reply, activity);
  });
}

const placeOf = ({ id, occurredAt }: ReadActivity) => ({ id, value: occurredAt.toISOString() });

function writeRoutes(app: Server, db: Pool): void {
  const create = { config: writes, schema: documents.createDocument, preParsing: requireJsonType };
  app.post('/contacts/:contactId/activities', create, async (request, reply) => {
    const { contactId } = request.params;
    const claim = readClaim(request, getPrincipal(request).actor.id);
    const creation = { contactId, claim, path: getInstance(request) };
    const added = await addActivity(readEditor(request, db), creation, request.body as NewActivity);
    return sendCreated(request, reply, { ...added, path: `${app.prefix}/activities` });
  });

  const change = {
    config: writes,
    schema: documents.changeDocument,
    preParsing: requireMergePatch,
  };
  app.patch('/activities/:activityId', change, async (request, reply) => {
    const target = { id: request.params.activityId, ifMatch: readIfMatch(request) };
    const changes = request.body as ActivityChanges;
    return sendResource(
      request,
      reply,
      await changeActivity(readEditor(request, db), target, changes),
    );
  });

  app.delete(
    '/activities/:activityId',
    { config: writes, schema: documents.deleteDocument },
    async (request, reply) => {
      const target = { id: request.params.activityId, ifMatch: readIfMatch(request) };
      await removeActivity(readEditor(request, db), target);
      return reply.code(204).send();
    },
  );
}
