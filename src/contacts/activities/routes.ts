import { getPrincipal } from '../../access/index.ts';
import type { Pool } from '../../platform/database/index.ts';
import {
  getInstance,
  readIfMatch,
  requireJsonType,
  requireMergePatch,
  sendCreated,
  sendResource,
  type Server,
} from '../../platform/http/index.ts';
import { readClaim } from '../../platform/idempotency/index.ts';
import { readEditor } from '../edit/routes.ts';
import * as documents from './document.ts';
import type { ActivityChanges, NewActivity } from './schemas.ts';
import { addActivity, changeActivity, removeActivity, requireActivity } from './service.ts';

const config = { scope: 'contacts:write' } as const;

/** Adds the routes that add, show, change and delete activities. */
export function activityRoutes(app: Server, db: Pool): void {
  const create = { config, schema: documents.createDocument, preParsing: requireJsonType };
  app.post('/contacts/:contactId/activities', create, async (request, reply) => {
    const { contactId } = request.params;
    const claim = readClaim(request, getPrincipal(request).actor.id);
    const creation = { contactId, claim, path: getInstance(request) };
    const added = await addActivity(readEditor(request, db), creation, request.body as NewActivity);
    return sendCreated(request, reply, { ...added, path: `${app.prefix}/activities` });
  });

  const show = { config: { scope: 'contacts:read' }, schema: documents.showDocument } as const;
  app.get('/activities/:activityId', show, async (request, reply) => {
    const { activityId } = request.params;
    const activity = await requireActivity(db, getPrincipal(request), activityId);
    return sendResource(request, reply, activity);
  });

  const change = { config, schema: documents.changeDocument, preParsing: requireMergePatch };
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
    { config, schema: documents.deleteDocument },
    async (request, reply) => {
      const target = { id: request.params.activityId, ifMatch: readIfMatch(request) };
      await removeActivity(readEditor(request, db), target);
      return reply.code(204).send();
    },
  );
}
