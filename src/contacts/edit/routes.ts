import type { FastifyRequest } from 'fastify';
import { getPrincipal } from '../../access/index.ts';
import { readAuthor } from '../../events/index.ts';
import type { Pool } from '../../platform/database/index.ts';
import {
  allowNoBody,
  getInstance,
  readIfMatch,
  requireJsonType,
  requireMergePatch,
  sendResource,
  type Server,
} from '../../platform/http/index.ts';
import { presentLink } from '../list/present.ts';
import * as documents from './document.ts';
import { EDIT_SCHEMAS, type ContactChanges, type NewLink, type TagChanges } from './schemas.ts';
import {
  archiveContact,
  changeContact,
  changeTags,
  linkContact,
  requireLink,
  restoreContact,
  unlinkContact,
  type Editor,
  type Target,
} from './service.ts';

const config = { scope: 'contacts:write' } as const;

interface Params {
  contactId: string;
}

/** Reads the editor (the caller and the author of events) from a request that edits contacts. */
export function readEditor(request: FastifyRequest, db: Pool): Editor {
  return { db, principal: getPrincipal(request), author: readAuthor(request) };
}

function readTarget(request: FastifyRequest): Target {
  return { id: (request.params as Params).contactId, ifMatch: readIfMatch(request) };
}

/** Adds the routes that change a contact, its tags and its links. */
export function editRoutes(app: Server, db: Pool): void {
  for (const schema of EDIT_SCHEMAS) app.addSchema(schema);

  const change = { config, schema: documents.changeDocument, preParsing: requireMergePatch };
  app.patch('/contacts/:contactId', change, async (request, reply) => {
    const changes = request.body as ContactChanges;
    const editor = readEditor(request, db);
    return sendResource(request, reply, await changeContact(editor, readTarget(request), changes));
  });

  const archive = { config, schema: documents.archiveDocument, preValidation: allowNoBody };
  app.post('/contacts/:contactId/archive', archive, async (request, reply) =>
    sendResource(
      request,
      reply,
      await archiveContact(readEditor(request, db), readTarget(request)),
    ),
  );

  const restore = { config, schema: documents.restoreDocument, preValidation: allowNoBody };
  app.post('/contacts/:contactId/restore', restore, async (request, reply) =>
    sendResource(
      request,
      reply,
      await restoreContact(readEditor(request, db), readTarget(request)),
    ),
  );

  const tags = { config, schema: documents.tagsDocument, preParsing: requireJsonType };
  app.post('/contacts/:contactId/tags', tags, async (request, reply) => {
    const target = { id: request.params.contactId, ifMatch: '*' } as const;
    const changes = request.body as TagChanges;
    return sendResource(request, reply, await changeTags(readEditor(request, db), target, changes));
  });

  const link = { config, schema: documents.linkDocument, preParsing: requireJsonType };
  app.post('/contacts/:contactId/links', link, async (request, reply) => {
    const { contactId } = request.params;
    const wanted = request.body as NewLink;
    const { link: made, isNew } = await linkContact(readEditor(request, db), contactId, wanted);
    if (isNew) reply.code(201).header('location', `${getInstance(request)}/${made.id}`);
    return presentLink(made);
  });

  const showLink = {
    config: { scope: 'contacts:read' },
    schema: documents.showLinkDocument,
  } as const;
  app.get('/contacts/:contactId/links/:linkId', showLink, async (request) => {
    const { contactId, linkId } = request.params;
    return requireLink(db, getPrincipal(request), contactId, linkId);
  });

  const unlink = { config, schema: documents.unlinkDocument };
  app.delete('/contacts/:contactId/links/:linkId', unlink, async (request, reply) => {
    const { contactId, linkId } = request.params as Params & { linkId: string };
    await unlinkContact(readEditor(request, db), contactId, linkId);
    return reply.code(204).send();
  });
}
