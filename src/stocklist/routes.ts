import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Pool } from '../database/pool.ts';
import { callerOf } from '../http/caller.ts';
import { Problem } from '../http/problems.ts';
import { refuseRepeated, type RawQuery } from '../http/query.ts';
import { sendReady } from '../http/send.ts';
import type { Server } from '../http/server.ts';
import { createAnswers, type Answer, type AnswerCounts, type Answers } from './answers.ts';
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

/** Adds `GET /stocklist` and `GET /projects/:slug`; gives what is counted of their answers. */
export function stocklistRoutes(app: Server, { db, mediaBaseUrl }: Parts): AnswerCounts {
  const answers = createAnswers(db, mediaBaseUrl);
  for (const schema of STOCKLIST_SCHEMAS) app.addSchema(schema);

  const recent = createRecent();

  function answering(build: (request: FastifyRequest) => Answer | null | Promise<Answer | null>) {
    return (request: FastifyRequest, reply: FastifyReply): void => {
      const caller = callerOf(request);
      const known = recent.get(caller, request.url);
      if (known !== undefined) {
        answers.counts.hits += 1;
        return respond(answers, request, reply, known);
      }
      whenReady(reply, build(request), (built) => {
        const answer = found(built);
        recent.set(caller, request.url, answer);
        respond(answers, request, reply, answer);
      });
    };
  }

  app.get(
    '/stocklist',
    { schema: stocklistDocument },
    answering((request) =>
      answers.stocklist(callerOf(request), parseStocklistQuery(request.query as RawQuery)),
    ),
  );
  app.get(
    '/projects/:slug',
    { schema: projectDocument },
    answering((request) => {
      refuseRepeated(request.query as RawQuery);
      return answers.project(callerOf(request), (request.params as { slug: string }).slug);
    }),
  );
  return answers.counts;
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

function respond(
  answers: Answers,
  request: FastifyRequest,
  reply: FastifyReply,
  answer: Answer,
): void {
  if (matchesEtag(request.headers['if-none-match'], answer.etag))
    return sendReady(reply.code(304), answer.validators);
  const coding = negotiateCoding(request.headers['accept-encoding']);
  const coded = answers.coded(callerOf(request), answer, coding);
  whenReady(reply, coded, ({ headers, body }) => sendReady(reply, headers, body));
}
