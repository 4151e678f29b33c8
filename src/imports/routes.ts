import type { FastifyRequest } from 'fastify';
import type { Pool } from '../platform/database/index.ts';
import {
  acceptJson,
  BODY_SHAPE,
  parseJson,
  SKIP_VALIDATION,
  requireJsonType,
  type RateLimiter,
  type Server,
  type Shape,
} from '../platform/http/index.ts';
import { principalOf, limitAmount } from '../access/index.ts';
import { batchSize, readBatch } from './batch.ts';
import { IMPORT_ASKED, IMPORTS } from '../platform/telemetry/index.ts';
import { batchDocument, singleDocument } from './document.ts';
import { importHandler, type CountImport, type Submit } from './endpoint.ts';
import { createOnce } from './idempotency/once.ts';
import { importAll } from './import.ts';
import { createIntake, SHORT_BODY_BYTES } from './intake.ts';
import { createImportQueue } from './queue.ts';
import { ContactBatch, ContactBatchResult, ContactImport, ContactImportResult } from './schemas.ts';
import { readSingle } from './single.ts';
import type { Outcome, Submission } from './submission.ts';
import {
  apart,
  PIECE_BESIDE_OTHERS,
  sharing,
  createTurns,
  createPresence,
} from '../platform/queue/index.ts';

const LANES = { lanes: 4, lanesOfAccount: 2, rests: 'beside others' } as const;
/** How many batches of one account are at work, from parsing to the answer: while two are imported the next is read. */
const BATCHES = { lanes: Infinity, lanesOfAccount: 3 };
/** How many imports of an account are in PostgreSQL: batches, and what was sent one by one and goes together. */
const ACCOUNT_IMPORTS = {
  lanes: Infinity,
  lanesOfAccount: 2,
  lanesBesideOthers: 1,
  rests: 'beside others',
} as const;
/** Reading a thousand imports takes as long as building a page, and so does receiving ten such bodies at once: neither must hold up others. */
const READING = { lanes: 1, lanesOfAccount: 1, rests: 'always' } as const;
/** How many leads that were sent one by one go together: an answer to somebody else would wait while hundreds are decided. */
const COALESCED_MAX = { alone: 200, besideOthers: PIECE_BESIDE_OTHERS };
const BATCH_BODY_LIMIT_BYTES = 4 * 1024 * 1024;
/** Twice what a thousand imports of all fields have. */
const BATCH_BODY_SHAPE = { containers: 20_000, members: 50_000 };

interface Parts {
  db: Pool;
  /** Counts what a key imports; null without a limit. */
  limiter: RateLimiter | null;
  countImport?: CountImport | undefined;
}

/** Adds `POST /contacts` and `POST /contacts/batch`; gives how many requests' imports are under way. */
export function importRoutes(app: Server, { db, limiter, countImport }: Parts): () => number {
  let pending = 0;
  const presence = createPresence();
  app.addHook('onRequest', async (request) => presence.note(principalOf(request).accountId));
  const lookFirst = new Set<string>();
  function importMany(accountId: string, submissions: Submission[]) {
    const givesWay = () => presence.hasOthersThan(accountId);
    const options = { pause: sharing, givesWay, lookFirst };
    const run = () => importAll(db, accountId, submissions, options);
    return IMPORTS.hasSubscribers ? IMPORTS.tracePromise(run, { submissions }) : run();
  }
  const takeTurn = createTurns(LANES, { presence });
  const takeBatchTurn = createTurns(BATCHES);
  const takeBatchImportTurn = createTurns(ACCOUNT_IMPORTS, { presence });
  const takeReadingTurn = createTurns(READING);
  const once = createOnce(db);
  // Who sends a lead now and then need not rest: only what is left over by a full transaction holds up others.
  const takeCoalescedTurn = createTurns(ACCOUNT_IMPORTS, {
    presence,
    givesWay: (accountId) =>
      presence.hasOthersThan(accountId) && waitingOf(accountId) >= COALESCED_MAX.besideOthers,
  });
  const { enqueue, waitingOf } = createImportQueue({
    importAll: importMany,
    takeTurn: (accountId, work) => takeCoalescedTurn(accountId, () => takeTurn(accountId, work)),
    batchMaxOf: (accountId) =>
      COALESCED_MAX[presence.hasOthersThan(accountId) ? 'besideOthers' : 'alone'],
  });

  async function importTogether(accountId: string, each: Submission): Promise<Outcome[] | Error> {
    const work = () => takeTurn(accountId, () => importMany(accountId, [each]));
    const [result] = await takeBatchImportTurn(accountId, work);
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
  const intake = createIntake(presence);
  async function parseInTurn(
    request: FastifyRequest,
    body: Buffer,
    shape: Shape,
  ): Promise<unknown> {
    const { accountId } = principalOf(request);
    await intake.turnOf(accountId, body);
    return takeReadingTurn(accountId, () => apart(() => parseJson(request, body, shape)));
  }
  const shared = { db, takeTurn, once, countImport };
  void app.register(async (singles: Server) => {
    acceptJson(singles, async (request, body) => {
      intake.arrived(request, body);
      return body.length > SHORT_BODY_BYTES
        ? intake.holding(request, () => parseInTurn(request, body, BODY_SHAPE))
        : parseJson(request, body, BODY_SHAPE);
    });
    singles.post(
      '/contacts',
      {
        schema: singleDocument,
        ...SKIP_VALIDATION,
        preParsing: [requireJsonType, intake.begin],
      },
      importHandler({
        ...shared,
        read: (_accountId, asked) => readSingle(asked),
        submit: counting(enqueue),
      }),
    );
  });
  const importBatch = importHandler({
    ...shared,
    read: (accountId, asked) => takeReadingTurn(accountId, () => readBatch(asked)),
    submit: counting(importTogether),
  });
  void app.register(async (batches: Server) => {
    // Those that wait are bytes, as they came.
    acceptJson(batches, async (request, body) => {
      intake.arrived(request, body);
      return body;
    });
    batches.post(
      '/contacts/batch',
      {
        schema: batchDocument,
        ...SKIP_VALIDATION,
        preParsing: [requireJsonType, intake.begin],
        bodyLimit: BATCH_BODY_LIMIT_BYTES,
      },
      async (request, reply) => {
        const { accountId } = principalOf(request);
        const work = async (): Promise<void> => {
          // The service ends, and has answered by itself.
          if (reply.sent) return;
          request.body = await parseInTurn(request, request.body as Buffer, BATCH_BODY_SHAPE);
          if (limiter) await limitAmount(limiter, request, reply, batchSize(request.body));
          await importBatch(request, reply);
        };
        await intake.holding(request, () => takeBatchTurn(accountId, work));
      },
    );
  });
  return () => pending;
}
