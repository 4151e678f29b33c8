import type { Pool } from '../database/pool.ts';
import { requireJsonType } from '../http/body.ts';
import type { Counter } from '../http/limits/counter.ts';
import { limitAmount } from '../http/limits/hooks.ts';
import type { Server } from '../http/server.ts';
import { batchSize, readBatch } from './batch.ts';
import { IMPORT_ASKED, IMPORTS } from './channels.ts';
import { batchDocument, singleDocument } from './document.ts';
import {
  importHandler,
  type Asked,
  type CountImport,
  type Reading,
  type Submit,
} from './endpoint.ts';
import { createOnce } from './idempotency/once.ts';
import { importAll } from './import.ts';
import { createImportQueue } from './queue.ts';
import { ContactBatch, ContactBatchResult, ContactImport, ContactImportResult } from './schemas.ts';
import { readSingle } from './single.ts';
import type { Outcome, Submission } from './submission.ts';
import { createTurns } from '../turns.ts';

const LANES = { lanes: 4, lanesOfAccount: 2, rests: 'beside others' } as const;
const COALESCED_MAX = 200;
const BATCH_BODY_LIMIT_BYTES = 4 * 1024 * 1024;

interface Parts {
  db: Pool;
  /** Counts what a key imports; null without a limit. */
  limit: Counter | null;
  countImport?: CountImport | undefined;
}

/** Adds `POST /contacts` and `POST /contacts/batch`; gives how many requests' imports are under way. */
export function contactRoutes(app: Server, { db, limit, countImport }: Parts): () => number {
  let pending = 0;
  const importMany = (accountId: string, submissions: Submission[]) =>
    IMPORTS.hasSubscribers
      ? IMPORTS.tracePromise(() => importAll(db, accountId, submissions), { submissions })
      : importAll(db, accountId, submissions);
  const takeTurn = createTurns(LANES);
  const once = createOnce(db);
  const enqueue = createImportQueue({ importAll: importMany, takeTurn, batchMax: COALESCED_MAX });

  async function importTogether(accountId: string, each: Submission): Promise<Outcome[] | Error> {
    const [result] = await takeTurn(accountId, () => importMany(accountId, [each]));
    return result ?? new Error('a batch has no result');
  }

  const counting =
    (submit: Submit): Submit =>
    async (accountId, each) => {
      pending += 1;
      IMPORT_ASKED.publish(each);
      try {
        return await submit(accountId, each);
      } finally {
        pending -= 1;
      }
    };

  for (const schema of [ContactImport, ContactImportResult, ContactBatch, ContactBatchResult])
    app.addSchema(schema);
  // Reading a thousand imports takes as long as a page: many such bodies that arrive at once must not hold up others.
  const readInTurn = (accountId: string, asked: Asked): Promise<Reading> =>
    takeTurn(accountId, async () => readBatch(asked));
  const preParsing = requireJsonType;
  const shared = { db, takeTurn, once, countImport };
  app.post(
    '/contacts',
    { schema: singleDocument, preParsing },
    importHandler({
      ...shared,
      read: (_accountId, asked) => readSingle(asked),
      submit: counting(enqueue),
    }),
  );
  app.post(
    '/contacts/batch',
    {
      schema: batchDocument,
      preParsing,
      bodyLimit: BATCH_BODY_LIMIT_BYTES,
      ...(limit && { preHandler: limitAmount(limit, ({ body }) => batchSize(body)) }),
    },
    importHandler({ ...shared, read: readInTurn, submit: counting(importTogether) }),
  );
  return () => pending;
}
