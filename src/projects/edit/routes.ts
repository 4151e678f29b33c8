import type { FastifyRequest } from 'fastify';
import { getPrincipal } from '../../access/index.ts';
import {
  allowNoBody,
  readIfMatch,
  requireJsonType,
  requireMergePatch,
  sendCreated,
  sendResource,
  type Server,
} from '../../platform/http/index.ts';
import { readClaim } from '../../platform/idempotency/index.ts';
import type { Project } from '../schemas.ts';
import { readStockEditor, type StockEditor } from '../stock-edit.ts';
import * as documents from './document.ts';
import { EDIT_SCHEMAS, type NewProject, type ProjectChanges } from './schemas.ts';
import { changeProject, changePublication, createProject, deleteProject } from './service.ts';

const config = { scope: 'projects:write' } as const;

function readTarget(request: FastifyRequest) {
  const { projectId } = request.params as { projectId: string };
  return { id: projectId, ifMatch: readIfMatch(request) };
}

/** Adds the routes that change projects. */
export function projectEditRoutes(
  app: Server,
  stock: Pick<StockEditor, 'db' | 'imageBases'>,
): void {
  for (const schema of EDIT_SCHEMAS) app.addSchema(schema);

  const create = { config, schema: documents.createDocument, preParsing: requireJsonType };
  app.post('/stock/projects', create, async (request, reply) => {
    const claim = readClaim(request, getPrincipal(request).actor.id);
    const editor = readStockEditor(request, stock);
    const created = await createProject(editor, claim, request.body as NewProject);
    return sendCreated(request, reply, created);
  });

  const change = { config, schema: documents.changeDocument, preParsing: requireMergePatch };
  app.patch('/stock/projects/:projectId', change, async (request, reply) => {
    const changes = request.body as ProjectChanges;
    const editor = readStockEditor(request, stock);
    return sendResource(request, reply, await changeProject(editor, readTarget(request), changes));
  });

  const addAction = (verb: string, schema: object, publication: Project['publication']) =>
    app.post(
      `/stock/projects/:projectId/${verb}`,
      { config, schema, preValidation: allowNoBody },
      async (request, reply) => {
        const editor = readStockEditor(request, stock);
        const project = await changePublication(editor, readTarget(request), publication);
        return sendResource(request, reply, project);
      },
    );
  addAction('publish', documents.publishDocument, 'live');
  addAction('unpublish', documents.unpublishDocument, 'draft');
  addAction('archive', documents.archiveDocument, 'archived');

  const remove = { config, schema: documents.deleteDocument };
  app.delete('/stock/projects/:projectId', remove, async (request, reply) => {
    await deleteProject(readStockEditor(request, stock), readTarget(request));
    return reply.code(204).send();
  });
}
