import { getPrincipal } from '../../access/index.ts';
import type { Pool } from '../../platform/database/index.ts';
import {
  createListReader,
  cutPage,
  presentList,
  requireJsonType,
  sendCreated,
  SKIP_VALIDATION,
  type RawQuery,
  type Server,
} from '../../platform/http/index.ts';
import { fold, hasWords } from '../../platform/text/index.ts';
import { createDocument, listDocument, sourcesDocument } from './document.ts';
import { TAG_LIST, TAG_SCHEMAS, type NewTag } from './schemas.ts';
import { createTag, presentTag } from './service.ts';
import { countContacts, listSources, listTags, type StoredTag } from './store.ts';

const SOURCES_MAX = 1_000;

/** Adds the routes of tags and sources. Lists run on `lists`. */
export function tagRoutes(app: Server, { db, lists }: { db: Pool; lists: Pool }): void {
  const readListQuery = createListReader(TAG_LIST);
  for (const schema of TAG_SCHEMAS) app.addSchema(schema);
  const reads = { config: { scope: 'contacts:read' } } as const;

  app.get('/tags', { ...reads, ...SKIP_VALIDATION, schema: listDocument }, async (request) => {
    const query = readListQuery(request.query as RawQuery);
    const reader = getPrincipal(request);
    const { q } = query.filter;
    const tags = await listTags(lists, reader.accountId);
    const matching = tags.filter(({ label }) => q === undefined || hasWords(q, [label]));
    const placeOf = ({ id, label }: StoredTag) => ({ id, value: fold(label) });
    const found = cutPage(matching, query, placeOf);
    const ids = found.rows.map(({ id }) => id);
    const counts = await countContacts(lists, reader, ids);
    return presentList(query, found, placeOf, (tag) => presentTag(tag, counts.get(tag.id) ?? 0));
  });

  const create = {
    config: { scope: 'settings:write' },
    schema: createDocument,
    preParsing: requireJsonType,
  } as const;
  app.post('/tags', create, async (request, reply) => {
    const { accountId } = getPrincipal(request);
    const resource = await createTag(db, accountId, (request.body as NewTag).label);
    return sendCreated(request, reply, { resource });
  });

  app.get('/sources', { ...reads, schema: sourcesDocument }, async (request) => {
    const found = await listSources(lists, getPrincipal(request), SOURCES_MAX);
    const data = found.map(({ firstAt, lastAt, ...source }) => ({
      ...source,
      firstAt: firstAt.toISOString(),
      lastAt: lastAt.toISOString(),
    }));
    return { data };
  });
}
