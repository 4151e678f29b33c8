import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Pool } from '../platform/database/index.ts';
import { principalOf, type Principal } from '../access/index.ts';
import {
  Problem,
  refuseRepeated,
  type RawQuery,
  sendReady,
  type Ready,
  type Server,
} from '../platform/http/index.ts';
import { createAnswers, inOne, type Answer, type AnswerCounts } from './answers.ts';
import { negotiateCoding } from './coding.ts';
import { projectDocument, stocklistDocument } from './document.ts';
import { matchesEtag } from './etag.ts';
import { parseStocklistQuery } from './filters.ts';
import { createRecent } from './recent.ts';
import { STOCKLIST_SCHEMAS } from './schemas.ts';

interface Parts {
  db: Pool;
  mediaBaseUrl: string;
}

interface Stocklist {
  counts: AnswerCounts;
  /** What a caller was answered with a moment ago, for whoever asks for the same again. */
  findKept: (
    principal: Principal,
    url: string,
    headers: IncomingHttpHeaders,
  ) => { ready: Ready; route: string } | undefined;
}

/** Adds `GET /stocklist` and `GET /projects/:slug`. */
export function stocklistRoutes(app: Server, { db, mediaBaseUrl }: Parts): Stocklist {
  const answers = createAnswers(db, mediaBaseUrl);
  for (const schema of STOCKLIST_SCHEMAS) app.addSchema(schema);

  const recent = createRecent();

  const findKept: Stocklist['findKept'] = (principal, url, headers) => {
    const known = recent.get(principal, url);
    if (known === undefined) return undefined;
    const { answer, route } = known;
    const ready = isKnown(answer, headers) ? answer.notModified : keptWhole(answer, headers);
    if (ready === undefined) return undefined;
    answers.counts.hits += 1;
    return { ready, route };
  };

  function keptWhole(answer: Answer, headers: IncomingHttpHeaders): Ready | undefined {
    const kept = answers.keptAs(answer, negotiateCoding(headers['accept-encoding']));
    if (kept !== undefined) inOne(kept);
    return kept?.whole;
  }

  function answering(build: (request: FastifyRequest) => Answer | null | Promise<Answer | null>) {
    return (request: FastifyRequest, reply: FastifyReply): void => {
      const principal = principalOf(request);
      const { url, headers, routeOptions } = request;
      const kept = findKept(principal, url, headers);
      if (kept !== undefined) return sendReady(reply, kept.ready);
      // It may be known, and only not be there in this coding.
      const known = recent.get(principal, url)?.answer;
      if (known !== undefined) answers.counts.hits += 1;
      whenReady(reply, known ?? build(request), (built) => {
        const answer = found(built);
        recent.set(principal, url, { answer, route: routeOptions.url ?? '' });
        if (isKnown(answer, headers)) return sendReady(reply, answer.notModified);
        const coding = negotiateCoding(headers['accept-encoding']);
        whenReady(reply, answers.coded(principal, answer, coding), (coded) =>
          sendReady(reply, coded.whole),
        );
      });
    };
  }

  app.get(
    '/stocklist',
    { schema: stocklistDocument },
    answering((request) =>
      answers.stocklist(principalOf(request), parseStocklistQuery(request.query as RawQuery)),
    ),
  );
  app.get(
    '/projects/:slug',
    { schema: projectDocument },
    answering((request) => {
      refuseRepeated(request.query as RawQuery);
      return answers.project(principalOf(request), (request.params as { slug: string }).slug);
    }),
  );
  return { counts: answers.counts, findKept };
}

function found(answer: Answer | null): Answer {
  if (answer !== null) return answer;
  throw new Problem(
    'project_not_found',
    'The account has no live project with this slug. GET /stocklist lists those that it has.',
  );
}

// What is ready goes on in the same turn: a promise on the way would cost more than the answer.
function whenReady<T>(reply: FastifyReply, value: T | Promise<T>, send: (value: T) => void): void {
  if (value instanceof Promise) value.then(send).catch((error: unknown) => void reply.send(error));
  else send(value);
}

/** Whether its client has it already. */
function isKnown({ etag }: Answer, headers: IncomingHttpHeaders): boolean {
  return matchesEtag(headers['if-none-match'], etag);
}
