import { getPrincipal, limitAmount } from '../access/index.ts';
import type { FindPool, Pool } from '../platform/database/index.ts';
import {
  acceptJson,
  BODY_MAX_SIZE,
  parseJson,
  requireJsonType,
  SKIP_VALIDATION,
  type RateLimiter,
  type Server,
} from '../platform/http/index.ts';
import { createBodyLimit } from './body-limit.ts';
import { batchDocument, singleDocument } from './document.ts';
import { createImportHandler } from './handle-import.ts';
import { createImportQueue, type SlotUse } from './import-queue.ts';
import { countImports, readBatchRequest, readSingleRequest } from './requests.ts';
import { ContactBatch, ContactBatchResult, ContactImport, ContactImportResult } from './schemas.ts';
import type { Origin } from './submission.ts';

/** A lead with a larger body waits for its slot before it is parsed. */
const SMALL_BODY_MAX_BYTES = 64 * 1024;
const BATCH_BODY_LIMIT_BYTES = 4 * 1024 * 1024;
/** Twice the size of a thousand imports with all fields. */
const BATCH_BODY_MAX_SIZE = { containers: 20_000, members: 50_000 };

interface ImportOptions {
  db: Pool;
  /** Finds the pool that imports the leads of an account. */
  findPool: FindPool;
  /** Limits the imports of a key. */
  limiter: RateLimiter;
  /** How many bytes of refused imports each account may keep in its log. */
  refusedBytesMax: number;
  /** Receives each import of a request that was not a dry run, with its outcome. */
  countImport?: ((channel: Origin['channel'], outcome: string) => void) | undefined;
}

/** Adds `POST /contacts` and `POST /contacts/batch`. Returns a function that counts the requests whose imports are in flight. */
export function importRoutes(
  app: Server,
  { db, findPool, limiter, refusedBytesMax, countImport }: ImportOptions,
): () => number {
  const queue = createImportQueue({ findPool, refusedBytesMax, countImport });
  const { inNextSlot, inOwnSlot } = queue;
  const handleImport = createImportHandler({ db, queue, refusedBytesMax });
  const bodies = createBodyLimit();
  for (const schema of [ContactImport, ContactImportResult, ContactBatch, ContactBatchResult])
    app.addSchema(schema);

  void app.register(async (group: Server) => {
    // The handlers parse the bodies. A large one waits for its slot first, since its bytes take less memory than its objects;
    // otherwise an account that sends many large bodies would keep the process busy.
    acceptJson(group, async (request, body) => {
      bodies.correct(request, body);
      return body;
    });
    const options = {
      ...SKIP_VALIDATION,
      config: { scope: 'leads:import' as const },
      preParsing: [requireJsonType, bodies.count],
    };
    group.post('/contacts', { schema: singleDocument, ...options }, async (request, reply) => {
      const body = request.body as Buffer;
      const handle = (slot: SlotUse) => {
        request.body = parseJson(request, body, BODY_MAX_SIZE);
        return handleImport(request, reply, readSingleRequest(request), slot);
      };
      if (body.length <= SMALL_BODY_MAX_BYTES) return handle(inNextSlot);
      return inNextSlot.run(getPrincipal(request).accountId, async () =>
        reply.sent ? reply : handle(inOwnSlot),
      );
    });
    const batchOptions = { schema: batchDocument, bodyLimit: BATCH_BODY_LIMIT_BYTES, ...options };
    group.post('/contacts/batch', batchOptions, async (request, reply) =>
      inNextSlot.run(getPrincipal(request).accountId, async () => {
        // The service is stopping, and has already answered.
        if (reply.sent) return reply;
        request.body = parseJson(request, request.body as Buffer, BATCH_BODY_MAX_SIZE);
        await limitAmount(limiter, request, reply, countImports(request.body));
        return handleImport(request, reply, await readBatchRequest(request), inOwnSlot);
      }),
    );
  });
  return queue.countPending;
}
