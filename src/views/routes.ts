import { getPrincipal } from '../access/index.ts';
import { mergeDocument, readEditor, type TagMerge } from '../contacts/index.ts';
import type { Pool } from '../platform/database/index.ts';
import {
  createListReader,
  cutPage,
  presentList,
  readIfMatch,
  requireJsonType,
  requireMergePatch,
  sendCreated,
  sendResource,
  SKIP_VALIDATION,
  type RawQuery,
  type Server,
} from '../platform/http/index.ts';
import { fold } from '../platform/text/index.ts';
import * as documents from './document.ts';
import { VIEW_LIST, VIEW_SCHEMAS, type NewView, type ViewChanges } from './schemas.ts';
import {
  changeView,
  createView,
  listSeenViews,
  mergeTagInViews,
  presentView,
  removeView,
  showView,
} from './service.ts';
import type { NamedView } from './store.ts';

const config = { scope: 'contacts:read' } as const;

/** Adds the routes of saved views. */
export function viewRoutes(app: Server, db: Pool): void {
  const readListQuery = createListReader(VIEW_LIST);
  for (const schema of VIEW_SCHEMAS) app.addSchema(schema);

  const list = { config, ...SKIP_VALIDATION, schema: documents.listDocument };
  app.get('/views', list, async (request) => {
    const query = readListQuery(request.query as RawQuery);
    const { resource } = query.filter;
    const views = await listSeenViews(db, getPrincipal(request));
    const matching = views.filter((view) => resource === undefined || view.resource === resource);
    return presentList(query, cutPage(matching, query, placeOf), placeOf, presentView);
  });

  const create = { config, schema: documents.createDocument, preParsing: requireJsonType };
  app.post('/views', create, async (request, reply) => {
    const resource = await createView(db, getPrincipal(request), request.body as NewView);
    return sendCreated(request, reply, { resource });
  });

  const show = { config, schema: documents.showDocument };
  app.get('/views/:viewId', show, async (request, reply) => {
    const view = await showView(db, getPrincipal(request), request.params.viewId);
    return sendResource(request, reply, view);
  });

  const change = { config, schema: documents.changeDocument, preParsing: requireMergePatch };
  app.patch('/views/:viewId', change, async (request, reply) => {
    const target = { id: request.params.viewId, ifMatch: readIfMatch(request) };
    const changes = request.body as ViewChanges;
    return sendResource(
      request,
      reply,
      await changeView(db, getPrincipal(request), target, changes),
    );
  });

  // The merge of a tag belongs to this room because it changes the filters of views.
  const merge = {
    config: { scope: 'settings:write' },
    schema: mergeDocument,
    preParsing: requireJsonType,
  } as const;
  app.post('/tags/:tagId/merge', merge, async (request, reply) => {
    const { into } = request.body as TagMerge;
    const editor = readEditor(request, db);
    return sendResource(request, reply, await mergeTagInViews(editor, request.params.tagId, into));
  });

  const remove = { config, schema: documents.deleteDocument };
  app.delete('/views/:viewId', remove, async (request, reply) => {
    const target = { id: request.params.viewId, ifMatch: readIfMatch(request) };
    await removeView(db, getPrincipal(request), target);
    return reply.code(204).send();
  });
}

const placeOf = ({ id, name }: NamedView) => ({ id, value: fold(name) });
