import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { uuidv7 } from 'uuidv7';
import type { Pool } from '../database/pool.ts';
import { bodyTextOf } from '../http/body.ts';
import { callerOf } from '../http/caller.ts';
import { instanceOf, PROBLEM_TYPE } from '../http/errors.ts';
import { Problem } from '../http/problems.ts';
import type { Claim } from './idempotency/claim.ts';
import { readIdempotencyKey } from './idempotency/key.ts';
import { createOnce } from './idempotency/once.ts';
import { rehearse } from './import.ts';
import { refusedBy, type ImportRecord } from './log/record.ts';
import { recordsWrite } from './log/store.ts';
import { readDryRun } from './query.ts';
import type { Answer, Import, Origin, Outcome, Submission } from './submission.ts';
import type { TakeTurn } from '../turns.ts';

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

interface Parts {
  db: Pool;
  /** Throws the Problem of a body that asks for no import at all. */
  read: (asked: Asked) => Reading;
  takeTurn: TakeTurn;
  submit: (accountId: string, submission: Submission) => Promise<Outcome[] | Error>;
}

/** The handler of an import endpoint: dry runs and requests that their client has named are the same for each. */
export function importHandler({ db, read, takeTurn, submit }: Parts) {
  const once = createOnce(db);

  return async function handle(request: FastifyRequest, reply: FastifyReply) {
    const reading = read(askedOf(request));
    try {
      return await importAsAsked(request, reply, reading);
    } catch (error) {
      // The request is refused, whatever is in it: that, too, is kept.
      if (error instanceof Problem)
        await keepRefused(callerOf(request).accountId, refusedBy(error, reading.imports));
      throw error;
    }
  };

  function keepRefused(accountId: string, records: ImportRecord[]): Promise<void> {
    return takeTurn(accountId, () => recordsWrite(db, accountId, records));
  }

  async function importAsAsked(
    request: FastifyRequest,
    reply: FastifyReply,
    { imports, answer }: Reading,
  ) {
    const { accountId } = callerOf(request);
    const dryRun = readDryRun(request.query);
    const key = dryRun ? null : readIdempotencyKey(request.headers['idempotency-key']);

    async function run(keyed?: Submission['keyed']): Promise<Answer> {
      const outcomes = await submit(accountId, { imports, ...(keyed && { keyed }) });
      if (outcomes instanceof Error) throw outcomes;
      return answer(outcomes);
    }

    if (dryRun)
      return send(reply, answer(await takeTurn(accountId, () => rehearse(db, accountId, imports))));
    if (key === null) return send(reply, await run());
    const claim = claimOf(request, key);
    const work = () => run({ claim, answer });
    const { answer: kept, replayed } = await once(accountId, claim, work);
    return send(replayed ? reply.header('idempotent-replayed', 'true') : reply, kept);
  }
}

function askedOf(request: FastifyRequest): Asked {
  const receivedAt = new Date();
  const { keyId: apiKeyId } = callerOf(request);
  const requestId = request.id;
  return {
    body: request.body,
    text: bodyTextOf(request),
    instance: instanceOf(request),
    requestId,
    received: (channel, position) => ({
      id: uuidv7(),
      receivedAt,
      origin: { channel, apiKeyId, requestId, position, file: null },
    }),
  };
}

function claimOf(request: FastifyRequest, key: string): Claim {
  const hash = createHash('sha256').update(request.routeOptions.url ?? '');
  return {
    apiKeyId: callerOf(request).keyId,
    key,
    requestSha256: hash.update('\n').update(bodyTextOf(request)).digest(),
    id: uuidv7(),
    claimedAt: new Date(),
  };
}

function send(reply: FastifyReply, { status, body }: Answer): FastifyReply {
  const isProblem = status >= 400;
  if (isProblem) reply.header('cache-control', 'no-store');
  return reply
    .code(status)
    .type(isProblem ? PROBLEM_TYPE : 'application/json; charset=utf-8')
    .serializer(String)
    .send(body);
}
