import { getPrincipal } from '../../access/index.ts';
import type { Pool } from '../../platform/database/index.ts';
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
} from '../../platform/http/index.ts';
import type { GetPool } from '../../platform/queue/index.ts';
import { fold, hasParts } from '../../platform/text/index.ts';
import { readEditor } from '../edit/routes.ts';
import { deleteTag, readTag, renameTag } from './changes.ts';
import {
  createDocument,
  deleteDocument,
  listDocument,
  renameDocument,
  showDocument,
  sourcesDocument,
} from './document.ts';
import { TAG_LIST, TAG_SCHEMAS, type NewTag, type TagPatch } from './schemas.ts';
import { createTag, presentTag } from './service.ts';
import { countContacts, listSources, listTags, type StoredTag } from './store.ts';

const SOURCES_MAX = 1_000;

/** Adds the routes of tags and sources. `getLists` returns the pool for the lists of an account. */
export function tagRoutes(app: Server, { db, getLists }: { db: Pool; getLists: GetPool }): void {
  const readListQuery = createListReader(TAG_LIST);
  for (const schema of TAG_SCHEMAS) app.addSchema(schema);
  const reads = { config: { scope: 'contacts:read' } } as const;

  app.get('/tags', { ...reads, ...SKIP_VALIDATION, schema: listDocument }, async (request) => {
    const query = readListQuery(request.query as RawQuery);
    const reader = getPrincipal(request);
    const { q } = query.filter;
    const tags = await listTags(getLists(reader.accountId), reader.accountId);
    const matching = tags.filter(({ label }) => q === undefined || hasParts(q, label));
    const placeOf = ({ id, label }: StoredTag) => ({ id, value: fold(label) });
    const found = cutPage(matching, query, placeOf);
    const ids = found.rows.map(({ id }) => id);
    const counts = await countContacts(getLists(reader.accountId), reader, ids);
    return presentList(query, found, placeOf, (tag) => presentTag(tag, counts.get(tag.id) ?? 0));
  });

  const writes = { config: { scope: 'settings:write' } } as const;
  const create = { ...writes, schema: createDocument, preParsing: requireJsonType };
  app.post('/tags', create, async (request, reply) => {
    const { accountId } = getPrincipal(request);
    const resource = await createTag(db, accountId, (request.body as NewTag).label);
    return sendCreated(request, reply, { resource });
  });

  app.get('/tags/:tagId', { ...reads, schema: showDocument }, async (request, reply) => {
    const tag = await readTag(db, getPrincipal(request), request.params.tagId);
    // Never a 304: contactCount changes without a new version.
    return reply.header('etag', tag.etag).send(tag);
  });

  const rename = { ...writes, schema: renameDocument, preParsing: requireMergePatch };
  app.patch('/tags/:tagId', rename, async (request, reply) => {
    const target = { id: request.params.tagId, ifMatch: readIfMatch(request) };
    const { label } = request.body as TagPatch;
    return sendResource(request, reply, await renameTag(readEditor(request, db), target, label));
  });

  const remove = { ...writes, schema: deleteDocument };
  app.delete('/tags/:tagId', remove, async (request, reply) => {
    const target = { id: request.params.tagId, ifMatch: readIfMatch(request) };
    await deleteTag(readEditor(request, db), target);
    return reply.code(204).send();
  });

  app.get('/sources', { ...reads, schema: sourcesDocument }, async (request) => {
    const reader = getPrincipal(request);
    const found = await listSources(getLists(reader.accountId), reader, SOURCES_MAX);
    const data = found.map(({ firstAt, lastAt, ...source }) => ({
      ...source,
      firstAt: firstAt.toISOString(),
      lastAt: lastAt.toISOString(),
    }));
    return { data };
  });
}
