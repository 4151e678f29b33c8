import type { FastifyReply, FastifyRequest } from 'fastify';
import { limitAmount, getPrincipal } from '../access/index.ts';
import { isUnavailable, type FindPool, type Pool } from '../platform/database/index.ts';
import {
  acceptJson,
  BODY_MAX_SIZE,
  formatEtag,
  getInstance,
  noteRefusal,
  parseJson,
  Problem,
  PROBLEM_TYPE,
  readDryRun,
  refuseRepeated,
  requireJsonType,
  SKIP_VALIDATION,
  UNCACHED_HEADERS,
  type ProblemDetails,
  type RateLimiter,
  type RawQuery,
  type Server,
} from '../platform/http/index.ts';
import { readClaim, createRunOnce, type Answer } from '../platform/idempotency/index.ts';
import { createBatcher, createFairQueue } from '../platform/queue/index.ts';
import { IMPORT_ASKED, IMPORTS } from '../platform/telemetry/index.ts';
import { createBodyLimit } from './body-limit.ts';
import { batchDocument, singleDocument } from './document.ts';
import { logRefusals } from './log/refusals.ts';
import {
  countImports,
  readBatchRequest,
  readSingleRequest,
  type ImportRequest,
} from './requests.ts';
import { ContactBatch, ContactBatchResult, ContactImport, ContactImportResult } from './schemas.ts';
import { importAll, planDryRun, type Imported, type Result } from './service.ts';
import type { Import, Origin, Outcome, Submission } from './submission.ts';

/** Transactions of imports that run at once. */
const SLOTS = { slots: 4, slotsPerAccount: 2 };
/**
 * The most single leads that share a transaction, and the most characters of their payloads, which PostgreSQL reads as one
 * document.
 */
const BATCH = { maxItems: 200, maxWeight: 1024 * 1024 };
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
  let pending = 0;
  const runFair = createFairQueue(SLOTS);
  const runOnce = createRunOnce(db);
  const bodies = createBodyLimit();

  function importTraced(accountId: string, submissions: Submission[]): Promise<Result[]> {
    const run = async () =>
      importAll(await findPool(accountId), accountId, submissions, { refusedBytesMax });
    return IMPORTS.hasSubscribers ? IMPORTS.tracePromise(run, { submissions }) : run();
  }

  const batcher = createBatcher<Submission, Result>({
    runInSlot: runFair,
    run: importTraced,
    weigh: ({ imports }) => imports.reduce((sum, { payload }) => sum + payload.length, 0),
    ...BATCH,
  });

  /** Answers a request after it was read: as a dry run, a repeat of a request with an Idempotency-Key, or an import. */
  async function answer(
    request: FastifyRequest,
    reply: FastifyReply,
    { imports, answer: answerOf, variant, isSingle, headers }: ImportRequest,
    hasSlot: boolean,
  ): Promise<FastifyReply> {
    const { accountId } = getPrincipal(request);
    reply.headers(headers);
    const inSlot: typeof runFair = hasSlot ? (_accountId, work) => work() : runFair;
    const query = request.query as RawQuery;
    // A dry run is not logged, and neither is one whose name is misspelled: a retry from the log would store it.
    const isDryRun = readDryRun(query);
    if (isDryRun) {
      refuseRepeated(query);
      const outcomes = await inSlot(accountId, () => planDryRun(db, accountId, imports));
      return sendAnswer(request, reply, answerOf(outcomes));
    }

    async function run(keyed?: Submission['keyed']): Promise<Answer> {
      const submission = { imports, ...(keyed && { keyed }) };
      const { outcomes, versions } = await submit(accountId, submission, hasSlot);
      const made = answerOf(outcomes);
      if (isSingle) reply.headers(locateContact(request, made, versions));
      return made;
    }

    try {
      refuseRepeated(query);
      const claim = readClaim(request, getPrincipal(request).actor.id, variant);
      if (claim === null) return sendAnswer(request, reply, await run());
      const work = () => run({ claim, answer: answerOf });
      const { answer: saved, replayed } = await runOnce(accountId, claim, work);
      if (replayed) reply.header('idempotent-replayed', 'true');
      if (replayed && isSingle) reply.headers(locateContact(request, saved));
      return sendAnswer(request, reply, saved);
    } catch (error) {
      // The whole request is refused. Its imports are logged nevertheless.
      if (error instanceof Problem) {
        count(imports, () => error.code);
        await inSlot(accountId, () =>
          logRefusals(db, accountId, imports, error, { refusedBytesMax }),
        );
      }
      throw error;
    }
  }

  /** Imports a submission: in the slot that it has, or with others of its account in the next slot. */
  async function submit(
    accountId: string,
    submission: Submission,
    hasSlot: boolean,
  ): Promise<Imported> {
    const { imports } = submission;
    pending += 1;
    IMPORT_ASKED.publish(submission);
    try {
      const result = hasSlot
        ? (await importTraced(accountId, [submission]))[0]
        : await batcher.add(accountId, submission);
      if (result === undefined || result instanceof Error) {
        const error = result ?? new Error('a submission has no result');
        if (!(error instanceof Problem))
          count(imports, () => (isUnavailable(error) ? 'unavailable' : 'internal_error'));
        throw error;
      }
      count(imports, (index) => outcomeCode(result.outcomes[index]));
      return result;
    } finally {
      pending -= 1;
    }
  }

  function count(imports: Import[], outcomeOf: (index: number) => string): void {
    for (const [index, { origin }] of imports.entries())
      countImport?.(origin.channel, outcomeOf(index));
  }

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
      const run = (hasSlot: boolean) => {
        request.body = parseJson(request, body, BODY_MAX_SIZE);
        return answer(request, reply, readSingleRequest(request), hasSlot);
      };
      if (body.length <= SMALL_BODY_MAX_BYTES) return run(false);
      return runFair(getPrincipal(request).accountId, async () => (reply.sent ? reply : run(true)));
    });
    const batchOptions = { schema: batchDocument, bodyLimit: BATCH_BODY_LIMIT_BYTES, ...options };
    group.post('/contacts/batch', batchOptions, async (request, reply) =>
      runFair(getPrincipal(request).accountId, async () => {
        // The service is stopping, and has already answered.
        if (reply.sent) return reply;
        request.body = parseJson(request, request.body as Buffer, BATCH_BODY_MAX_SIZE);
        await limitAmount(limiter, request, reply, countImports(request.body));
        return answer(request, reply, await readBatchRequest(request), true);
      }),
    );
  });
  return () => pending;
}

function outcomeCode(outcome: Outcome | undefined): string {
  return outcome instanceof Problem ? outcome.code : (outcome?.action ?? 'internal_error');
}

/** Makes the headers that locate the contact of an accepted import. An answer that is stored for repeats has no version. */
function locateContact(
  request: FastifyRequest,
  { status, body }: Answer,
  versions = new Map<string, number>(),
): Record<string, string> {
  if (status >= 400) return {};
  const { contactId } = JSON.parse(body) as ContactImportResult;
  const version = versions.get(contactId);
  return {
    location: `${getInstance(request)}/${contactId}`,
    ...(version !== undefined && { etag: formatEtag(version) }),
  };
}

function sendAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  { status, body }: Answer,
): FastifyReply {
  const isProblem = status >= 400;
  // An answer that was stored for a repeat is a text.
  if (isProblem) noteRefusal(request, (JSON.parse(body) as ProblemDetails).code);
  return reply
    .code(status)
    .headers(UNCACHED_HEADERS)
    .type(isProblem ? PROBLEM_TYPE : 'application/json; charset=utf-8')
    .serializer(String)
    .send(body);
}
