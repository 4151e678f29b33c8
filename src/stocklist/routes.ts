import type { FastifyReply, FastifyRequest } from 'fastify';
import { principalOf } from '../access/index.ts';
import type { Pool } from '../platform/database/index.ts';
import {
  Problem,
  refuseRepeated,
  SKIP_VALIDATION,
  type RawQuery,
  type Server,
} from '../platform/http/index.ts';
import { createAnswers, type Answer, type AnswerCounts } from './answers.ts';
import { negotiateCoding } from './coding.ts';
import { projectDocument, stocklistDocument } from './document.ts';
import { matchesEtag } from './etag.ts';
import { parseStocklistQuery } from './filters.ts';
import { STOCKLIST_SCHEMAS } from './schemas.ts';

interface StocklistOptions {
  db: Pool;
  mediaBaseUrl: string;
}

/** Adds `GET /stocklist` and `GET /projects/:slug`. Returns the counts of the answer cache. */
export function stocklistRoutes(app: Server, { db, mediaBaseUrl }: StocklistOptions): AnswerCounts {
  const answers = createAnswers(db, mediaBaseUrl);
  for (const schema of STOCKLIST_SCHEMAS) app.addSchema(schema);

  async function send(request: FastifyRequest, reply: FastifyReply, answer: Answer) {
    if (matchesEtag(request.headers['if-none-match'], answer.etag))
      return reply.code(304).headers(answer.notModifiedHeaders).send();
    const coding = negotiateCoding(request.headers['accept-encoding']);
    const { accountId } = principalOf(request);
    const encoded =
      coding === 'identity' ? answer : await answers.encode(accountId, answer, coding);
    return reply.headers(encoded.headers).send(encoded.body);
  }

  app.get(
    '/stocklist',
    { schema: stocklistDocument, ...SKIP_VALIDATION },
    async (request, reply) => {
      const query = parseStocklistQuery(request.query as RawQuery);
      return send(
        request,
        reply,
        await answers.findStocklist(principalOf(request).accountId, query),
      );
    },
  );

  app.get(
    '/projects/:slug',
    { schema: projectDocument, ...SKIP_VALIDATION },
    async (request, reply) => {
      refuseRepeated(request.query as RawQuery);
      const { slug } = request.params as { slug: string };
      const answer = await answers.findProject(principalOf(request).accountId, slug);
      if (answer === undefined) throw projectNotFound();
      return send(request, reply, answer);
    },
  );

  return answers.counts;
}

function projectNotFound(): Problem {
  return new Problem(
    'project_not_found',
    'The account has no live project with this slug. GET /stocklist lists those that it has.',
  );
}
