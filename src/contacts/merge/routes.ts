import { runAndRollBack, retryOnConflict, type Pool } from '../../platform/database/index.ts';
import { readDryRun, requireJsonType, type Server } from '../../platform/http/index.ts';
import { answerOnce, readClaim } from '../../platform/idempotency/index.ts';
import { readEditor } from '../edit/routes.ts';
import { mergeDocument } from './document.ts';
import { MERGE_SCHEMAS, type Merge } from './schemas.ts';
import { mergeAndShow } from './service.ts';

const config = { scope: 'contacts:manage' } as const;

/** Adds the route that merges contacts. */
export function mergeRoutes(app: Server, db: Pool): void {
  for (const schema of MERGE_SCHEMAS) app.addSchema(schema);

  const merge = { config, schema: mergeDocument, preParsing: requireJsonType };
  app.post('/contacts/:contactId/merge', merge, async (request, reply) => {
    const { contactId } = request.params;
    const merging = { remainingId: contactId, ...(request.body as Merge) };
    const editor = readEditor(request, db);
    const { accountId, actor } = editor.principal;
    if (readDryRun(request.query))
      return retryOnConflict(() => runAndRollBack(db, (tx) => mergeAndShow(tx, editor, merging)));
    const claim = readClaim(request, actor.id);
    const { result, isRepeat } = await answerOnce(db, { accountId, claim, status: 200 }, (tx) =>
      mergeAndShow(tx, editor, merging),
    );
    if (isRepeat) reply.header('idempotent-replayed', 'true');
    return result;
  });
}
