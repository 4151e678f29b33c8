import type { Pool } from '../../platform/database/index.ts';
import { readDryRun, requireJsonType, type Server } from '../../platform/http/index.ts';
import { answerOnce, readClaim } from '../../platform/idempotency/index.ts';
import { readEditor } from '../edit/routes.ts';
import { bulkDocument } from './document.ts';
import { BulkChange, BulkResult } from './schemas.ts';
import { changeContacts } from './service.ts';

const config = { scope: 'contacts:manage' } as const;

/** Adds the route that changes many contacts at once. */
export function bulkRoutes(app: Server, db: Pool): void {
  for (const schema of [BulkChange, BulkResult]) app.addSchema(schema);

  const bulk = { config, schema: bulkDocument, preParsing: requireJsonType };
  app.post('/contacts/bulk', bulk, async (request, reply) => {
    const dryRun = readDryRun(request.query);
    const editor = readEditor(request, db);
    const { accountId, actor } = editor.principal;
    const claim = dryRun ? null : readClaim(request, actor.id);
    const change = request.body as BulkChange;
    const { result, isRepeat } = await answerOnce(db, { accountId, claim, status: 200 }, (tx) =>
      changeContacts(tx, editor, change, { dryRun }),
    );
    if (isRepeat) reply.header('idempotent-replayed', 'true');
    return result;
  });
}
