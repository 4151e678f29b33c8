import { getPrincipal } from '../../access/index.ts';
import { readAuthor } from '../../events/index.ts';
import type { Pool } from '../../platform/database/index.ts';
import {
  acceptJson,
  allowNoBody,
  BODY_MAX_SIZE,
  createListReader,
  parseJson,
  presentList,
  requireJsonType,
  SKIP_VALIDATION,
  UNCACHED_HEADERS,
  type RawQuery,
  type Server,
} from '../../platform/http/index.ts';
import { toReadableJson } from '../../platform/text/index.ts';
import {
  bulkDismissDocument,
  bulkRetryDocument,
  dismissDocument,
  listDocument,
  retryDocument,
  showDocument,
} from './document.ts';
import { presentDetail, presentItem } from './present.ts';
import {
  IMPORT_LIST,
  LOG_SCHEMAS,
  type BulkBody,
  type DismissBody,
  type RetryBody,
} from './schemas.ts';
import {
  dismissRecord,
  dismissRecordsOf,
  requireRecord,
  retryRecord,
  retryRecords,
} from './service.ts';
import { readRequest } from './retry.ts';
import { listRecords, type NamedRecord } from './list-store.ts';

const config = { scope: 'contacts:manage' } as const;

interface Params {
  importId: string;
}

/** Adds the routes of the import log: they list, show, retry and dismiss imports. */
export function importLogRoutes(app: Server, db: Pool): void {
  const readListQuery = createListReader(IMPORT_LIST);
  for (const schema of LOG_SCHEMAS) app.addSchema(schema);

  void app.register(async (group: Server) => {
    acceptJson(group, async (request, body) => parseJson(request, body, BODY_MAX_SIZE));
    // A lead may be nested as deep as it was sent, and has a number that JavaScript would change as a text.
    group.setReplySerializer(toReadableJson);
    group.addHook('onRequest', (_request, reply, done) => {
      reply.headers(UNCACHED_HEADERS);
      done();
    });

    const show = async (accountId: string, record: NamedRecord) => ({
      ...presentDetail(record),
      lead: await readRequest(db, accountId, record),
    });

    const list = { config, schema: listDocument, ...SKIP_VALIDATION };
    group.get('/imports', list, async (request) => {
      const query = readListQuery(request.query as RawQuery);
      const found = await listRecords(db, getPrincipal(request).accountId, query);
      return presentList(query, found, ({ id }) => ({ value: null, id }), presentItem);
    });

    group.get('/imports/:importId', { config, schema: showDocument }, async (request) => {
      const { importId } = request.params as Params;
      const { accountId } = getPrincipal(request);
      return show(accountId, await requireRecord(db, accountId, importId));
    });

    const retry = { config, schema: retryDocument, preValidation: allowNoBody };
    group.post('/imports/:importId/retry', retry, async (request) => {
      const { importId } = request.params as Params;
      const { payload } = request.body as RetryBody;
      const { accountId } = getPrincipal(request);
      const author = readAuthor(request);
      return show(accountId, await retryRecord(db, accountId, importId, payload, author));
    });

    const dismiss = { config, schema: dismissDocument, preValidation: allowNoBody };
    group.post('/imports/:importId/dismiss', dismiss, async (request) => {
      const { importId } = request.params as Params;
      const { reason } = request.body as DismissBody;
      const principal = getPrincipal(request);
      return show(principal.accountId, await dismissRecord(db, principal, importId, reason));
    });

    const bulk = { config, preParsing: requireJsonType };
    group.post('/imports/retry', { ...bulk, schema: bulkRetryDocument }, async (request) =>
      retryRecords(
        db,
        getPrincipal(request).accountId,
        request.body as BulkBody,
        readAuthor(request),
      ),
    );
    group.post('/imports/dismiss', { ...bulk, schema: bulkDismissDocument }, async (request) =>
      dismissRecordsOf(db, getPrincipal(request), request.body as BulkBody),
    );
  });
}
