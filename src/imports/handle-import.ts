import type { FastifyReply, FastifyRequest } from 'fastify';
import { getPrincipal } from '../access/index.ts';
import type { Pool } from '../platform/database/index.ts';
import {
  formatEtag,
  getInstance,
  noteRefusal,
  Problem,
  PROBLEM_TYPE,
  readDryRun,
  refuseRepeated,
  UNCACHED_HEADERS,
  type ProblemDetails,
  type RawQuery,
} from '../platform/http/index.ts';
import { createRunOnce, readClaim, type Answer } from '../platform/idempotency/index.ts';
import type { ImportQueue, SlotUse } from './import-queue.ts';
import { logRefusals } from './log/log-refusals.ts';
import type { ImportRequest } from './requests.ts';
import type { ContactImportResult } from './schemas.ts';
import { planDryRun } from './dry-run.ts';
import type { Submission } from './submission.ts';

interface HandlerOptions {
  db: Pool;
  queue: ImportQueue;
  /** How many bytes of refused imports each account may keep in its log. */
  refusedBytesMax: number;
}

/**
 * Creates the function that handles a request to import after it was read: as a dry run, as a repeat of a request with an
 * Idempotency-Key, or as an import.
 */
export function createImportHandler({ db, queue, refusedBytesMax }: HandlerOptions) {
  const runOnce = createRunOnce(db);

  return async function handleImport(
    request: FastifyRequest,
    reply: FastifyReply,
    { imports, makeAnswer, variant, isSingle, headers }: ImportRequest,
    slot: SlotUse,
  ): Promise<FastifyReply> {
    const { accountId, actor } = getPrincipal(request);
    reply.headers(headers);
    const query = request.query as RawQuery;
    // A dry run is not logged, and neither is a request with a misspelled dryRun: a retry from the log would store its leads.
    const isDryRun = readDryRun(query);
    if (isDryRun) {
      refuseRepeated(query);
      const outcomes = await slot.run(accountId, () => planDryRun(db, accountId, imports));
      return sendAnswer(request, reply, makeAnswer(outcomes));
    }

    async function run(keyed?: Submission['keyed']): Promise<Answer> {
      const submission = { imports, ...(keyed && { keyed }) };
      const { outcomes, versions } = await slot.submit(accountId, submission);
      const answer = makeAnswer(outcomes);
      if (isSingle) reply.headers(locateContact(request, answer, versions));
      return answer;
    }

    try {
      refuseRepeated(query);
      const claim = readClaim(request, actor.id, variant);
      if (claim === null) return sendAnswer(request, reply, await run());
      const { answer, replayed } = await runOnce(accountId, claim, () =>
        run({ claim, makeAnswer }),
      );
      if (replayed) reply.header('idempotent-replayed', 'true');
      if (replayed && isSingle) reply.headers(locateContact(request, answer));
      return sendAnswer(request, reply, answer);
    } catch (error) {
      // The whole request is refused. Its imports are logged nevertheless.
      if (error instanceof Problem) {
        queue.countRefused(imports, error.code);
        await slot.run(accountId, () =>
          logRefusals(db, accountId, imports, error, { refusedBytesMax }),
        );
      }
      throw error;
    }
  };
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
