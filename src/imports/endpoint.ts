import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isUnavailable, type Pool } from '../platform/database/index.ts';
import { principalOf } from '../access/index.ts';
import {
  instanceOf,
  PROBLEM_TYPE,
  UNCACHED_HEADERS,
  noteRefusal,
  Problem,
  type ProblemCode,
  type ProblemDetails,
  refuseRepeated,
  type RawQuery,
} from '../platform/http/index.ts';
import { newId } from '../platform/text/index.ts';
import type { Claim } from './idempotency/claim.ts';
import { readIdempotencyKey } from './idempotency/key.ts';
import type { Once } from './idempotency/once.ts';
import { rehearse } from './import.ts';
import { refusedBy, type ImportRecord } from './log/record.ts';
import { recordsWrite } from './log/store.ts';
import { readDryRun } from './query.ts';
import type { Answer, Import, Origin, Outcome, Submission } from './submission.ts';
import { sharing, type TakeTurn } from '../platform/queue/index.ts';

/** A request to import, as an endpoint reads it. */
export interface Asked {
  body: unknown;
  /** The body as the text that was received. */
  text: string;
  /** What a problem calls the request. */
  instance: string;
  requestId: string;
  /** What the log says of where an import came from. */
  received: (
    channel: Origin['channel'],
    position: number | null,
  ) => Pick<Import, 'id' | 'receivedAt' | 'origin'>;
}

/** What was read: the imports that are asked for, and how their outcomes are answered. */
export interface Reading {
  imports: Import[];
  answer: (outcomes: Outcome[]) => Answer;
}

/** Imports what a request asks for. */
export type Submit = (accountId: string, submission: Submission) => Promise<Outcome[] | Error>;

/** Told of each import of a request that was not a dry run, and what became of it. */
export type CountImport = (channel: Origin['channel'], outcome: string) => void;

interface Parts {
  db: Pool;
  /** Throws the Problem of a body that asks for no import at all. */
  read: (accountId: string, asked: Asked) => Reading | Promise<Reading>;
  takeTurn: TakeTurn;
  once: Once;
  submit: Submit;
  countImport?: CountImport | undefined;
}

/** The handler of an import endpoint: dry runs and requests that their client has named are the same for each. */
export function importHandler({ db, read, takeTurn, once, submit, countImport }: Parts) {
  function countAll(imports: Import[], outcomeOf: (index: number) => string): void {
    for (const [index, { origin }] of imports.entries())
      countImport?.(origin.channel, outcomeOf(index));
  }

  return async function handle(request: FastifyRequest, reply: FastifyReply) {
    const reading = await read(principalOf(request).accountId, askedOf(request));
    const query = request.query as RawQuery;
    // Nothing is kept of a dry run, and of one that is misspelt neither: it could be put through from the log.
    const dryRun = readDryRun(query);
    try {
      refuseRepeated(query);
      await (dryRun ? rehearseAsAsked : importAsAsked)(request, reply, reading);
    } catch (error) {
      // The request is refused, whatever is in it: that, too, is kept.
      if (error instanceof Problem && !dryRun) {
        countAll(reading.imports, () => error.code);
        await keepRefused(principalOf(request).accountId, refusedBy(error, reading.imports));
      }
      throw error;
    }
  };

  function keepRefused(accountId: string, records: ImportRecord[]): Promise<void> {
    return takeTurn(accountId, () => recordsWrite(db, accountId, records));
  }

  async function rehearseAsAsked(
    request: FastifyRequest,
    reply: FastifyReply,
    { imports, answer }: Reading,
  ): Promise<void> {
    const { accountId } = principalOf(request);
    const work = () => rehearse(db, accountId, imports, sharing);
    send(request, reply, answer(await takeTurn(accountId, work)));
  }

  async function importAsAsked(
    request: FastifyRequest,
    reply: FastifyReply,
    { imports, answer }: Reading,
  ): Promise<void> {
    const { accountId } = principalOf(request);
    const key = readIdempotencyKey(request.headers['idempotency-key']);

    async function run(keyed?: Submission['keyed']): Promise<Answer> {
      const outcomes = await submit(accountId, { imports, ...(keyed && { keyed }) });
      if (outcomes instanceof Error) {
        if (!(outcomes instanceof Problem)) countAll(imports, () => faultCode(outcomes));
        throw outcomes;
      }
      countAll(imports, (index) => outcomeCode(outcomes[index]));
      return answer(outcomes);
    }

    if (key === null) return send(request, reply, await run());
    const claim = claimOf(request, key);
    const work = () => run({ claim, answer });
    const { answer: kept, replayed } = await once(accountId, claim, work);
    return send(request, replayed ? reply.header('idempotent-replayed', 'true') : reply, kept);
  }
}

function outcomeCode(outcome: Outcome | undefined): string {
  return outcome instanceof Problem ? outcome.code : (outcome?.action ?? 'internal_error');
}

function faultCode(error: Error): ProblemCode {
  return isUnavailable(error) ? 'unavailable' : 'internal_error';
}

function askedOf(request: FastifyRequest): Asked {
  const receivedAt = new Date();
  const { id: apiKeyId } = principalOf(request).actor;
  const requestId = request.id;
  return {
    body: request.body,
    text: request.bodyText,
    instance: instanceOf(request),
    requestId,
    received: (channel, position) => ({
      id: newId(),
      receivedAt,
      origin: { channel, apiKeyId, requestId, position, file: null },
    }),
  };
}

function claimOf(request: FastifyRequest, key: string): Claim {
  const hash = createHash('sha256').update(request.routeOptions.url ?? '');
  return {
    apiKeyId: principalOf(request).actor.id,
    key,
    requestSha256: hash.update('\n').update(request.bodyText).digest(),
    id: newId(),
    claimedAt: new Date(),
  };
}

// Gives no reply to wait for: that is there when the client has read it, which is the client's affair.
function send(request: FastifyRequest, reply: FastifyReply, { status, body }: Answer): void {
  const isProblem = status >= 400;
  // An answer that was kept for a repeat is a text.
  if (isProblem) noteRefusal(request, (JSON.parse(body) as ProblemDetails).code);
  void reply
    .code(status)
    .headers(UNCACHED_HEADERS)
    .type(isProblem ? PROBLEM_TYPE : 'application/json; charset=utf-8')
    .serializer(String)
    .send(body);
}
