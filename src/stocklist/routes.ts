import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Pool } from '../database/pool.ts';
import { callerOf } from '../http/caller.ts';
import { Problem } from '../http/problems.ts';
import type { Server } from '../http/server.ts';
import { createAnswers, type Answer, type Answers } from './answers.ts';
import { negotiateCoding } from './coding.ts';
import { projectDocument, stocklistDocument } from './document.ts';
import { matchesEtag } from './etag.ts';
import { parseStocklistQuery, type RawQuery } from './filters.ts';
import { STOCKLIST_SCHEMAS } from './schemas.ts';

interface Parts {
  db: Pool;
  mediaBaseUrl: string;
}

export function stocklistRoutes(app: Server, { db, mediaBaseUrl }: Parts): void {
  const answers = createAnswers(db, mediaBaseUrl);
  for (const schema of STOCKLIST_SCHEMAS) app.addSchema(schema);

  app.get('/stocklist', { schema: stocklistDocument, validatorCompiler }, (request, reply) => {
    const query = parseStocklistQuery(request.query as RawQuery);
    const answer = answers.stocklist(callerOf(request), query);
    if (!(answer instanceof Promise)) return respond(answers, request, reply, answer);
    return answer.then((built) => respond(answers, request, reply, built));
  });

  app.get('/projects/:slug', { schema: projectDocument, validatorCompiler }, (request, reply) => {
    const { slug } = request.params as { slug: string };
    const answer = answers.project(callerOf(request), slug);
    if (!(answer instanceof Promise)) return respond(answers, request, reply, found(answer));
    return answer.then((built) => respond(answers, request, reply, found(built)));
  });
}

// filters.ts reads the query, and any text may be asked for as a slug.
const validatorCompiler = () => () => true;

function found(answer: Answer | null): Answer {
  if (answer !== null) return answer;
  throw new Problem(
    'project_not_found',
    'The account has no live project with this slug. GET /stocklist lists those that it has.',
  );
}

// What is ready goes out in the same turn: a promise on the way would cost more than the answer.
function respond(
  answers: Answers,
  request: FastifyRequest,
  reply: FastifyReply,
  answer: Answer,
): Promise<FastifyReply> | undefined {
  if (matchesEtag(request.headers['if-none-match'], answer.etag)) {
    reply.code(304).headers(answer.validators).send();
    return;
  }
  const coded = answers.coded(answer, negotiateCoding(request.headers['accept-encoding']));
  if (coded instanceof Promise) return coded.then((ready) => deliver(reply, ready));
  deliver(reply, coded);
  return;
}

function deliver(reply: FastifyReply, { headers, body }: Answer): FastifyReply {
  return reply.headers(headers).send(body);
}
