import { getPrincipal } from '../access/index.ts';
import { readRequester } from '../events/index.ts';
import type { Pool } from '../platform/database/index.ts';
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
} from '../platform/http/index.ts';
import { readClaim } from '../platform/idempotency/index.ts';
import * as documents from './document.ts';
import type { KeyCache } from './look-up.ts';
import { presentKey } from './present.ts';
import { choosePlace, matchesFilter } from './rules.ts';
import { KEY_LIST, KEY_SCHEMAS, type KeyChanges, type NewKey, type Rotation } from './schemas.ts';
import {
  changeKey,
  createKey,
  revokeAndReadKey,
  requireKey,
  requireKeyByText,
  rotateKey,
} from './service.ts';
import { listDetailedKeys } from './store.ts';

const config = { scope: 'keys:write' } as const;

/** Adds the routes of API keys. */
export function keyRoutes(app: Server, { db, keyCache }: { db: Pool; keyCache: KeyCache }): void {
  const readListQuery = createListReader(KEY_LIST);
  for (const schema of KEY_SCHEMAS) app.addSchema(schema);

  const list = { config, ...SKIP_VALIDATION, schema: documents.listDocument };
  app.get('/keys', list, async (request) => {
    const query = readListQuery(request.query as RawQuery);
    const { accountId } = getPrincipal(request);
    const keys = await listDetailedKeys(db, accountId);
    const matching = keys.filter((each) => matchesFilter(each, query.filter));
    const placeOf = choosePlace(query.sort);
    return presentList(query, cutPage(matching, query, placeOf), placeOf, (key) =>
      presentKey(accountId, key),
    );
  });

  const show = { config, schema: documents.showDocument };
  app.get('/keys/:keyId', show, async (request, reply) => {
    const { accountId } = getPrincipal(request);
    return sendResource(request, reply, await requireKey(db, accountId, request.params.keyId));
  });

  const create = { config, schema: documents.createDocument, preParsing: requireJsonType };
  app.post('/keys', create, async (request, reply) => {
    const { accountId, actor } = getPrincipal(request);
    const claim = readClaim(request, actor.id);
    const creation = { accountId, claim, path: getInstance(request) };
    const body = request.body as NewKey;
    return sendCreated(request, reply, await createKey(db, readRequester(request), creation, body));
  });

  // It is a POST that changes nothing: the text of the key is in the body, since proxies log URLs.
  const find = {
    config: { ...config, confirmed: false },
    schema: documents.findDocument,
    preParsing: requireJsonType,
  };
  app.post('/keys/find', find, async (request, reply) => {
    const { accountId } = getPrincipal(request);
    const { key } = request.body as { key: string };
    return sendResource(request, reply, await requireKeyByText(db, accountId, key));
  });

  const change = { config, schema: documents.changeDocument, preParsing: requireMergePatch };
  app.patch('/keys/:keyId', change, async (request, reply) => {
    const { accountId } = getPrincipal(request);
    const target = { accountId, id: request.params.keyId, ifMatch: readIfMatch(request) };
    const changes = request.body as KeyChanges;
    const key = await keyCache.clearAfter(() =>
      changeKey(db, readRequester(request), target, changes),
    );
    return sendResource(request, reply, key);
  });

  const rotate = { config, schema: documents.rotateDocument, preParsing: requireJsonType };
  app.post('/keys/:keyId/rotate', rotate, async (request, reply) => {
    const { accountId } = getPrincipal(request);
    const target = { accountId, id: request.params.keyId };
    const { overlapSeconds } = request.body as Rotation;
    const key = await keyCache.clearAfter(() =>
      rotateKey(db, readRequester(request), target, overlapSeconds),
    );
    return sendResource(request, reply, key);
  });

  const revoke = { config, schema: documents.revokeDocument, preValidation: allowNoBody };
  app.post('/keys/:keyId/revoke', revoke, async (request, reply) => {
    const { accountId } = getPrincipal(request);
    const target = { accountId, id: request.params.keyId };
    const key = await keyCache.clearAfter(() =>
      revokeAndReadKey(db, readRequester(request), target),
    );
    return sendResource(request, reply, key);
  });
}
