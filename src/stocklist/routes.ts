import type { FastifyReply, FastifyRequest } from 'fastify';
import { getPrincipal } from '../access/index.ts';
import type { Pool } from '../platform/database/index.ts';
import {
  matchesEtag,
  negotiateCoding,
  SKIP_VALIDATION,
  whenReady,
  type RawQuery,
  type Server,
} from '../platform/http/index.ts';
import type { ImageBases } from '../platform/text/index.ts';
import { createAnswers, type Answer } from './answers.ts';
import { projectDocument, stocklistDocument } from './document.ts';
import { parseProjectQuery, parseStocklistQuery } from './rules.ts';
import { STOCKLIST_SCHEMAS } from './schemas.ts';

const SCOPE = { config: { scope: 'stock:read' } } as const;

/** Adds `GET /stocklist` and `GET /projects/:slug`. Returns the counts of the answer cache. */
export function stocklistRoutes(
  app: Server,
  { db, imageBases, publicUrl }: { db: Pool; imageBases: ImageBases; publicUrl: string },
) {
  const answers = createAnswers(db, imageBases, publicUrl);
  for (const schema of STOCKLIST_SCHEMAS) app.addSchema(schema);

  function send(
    request: FastifyRequest,
    reply: FastifyReply,
    answer: Answer,
  ): void | Promise<void> {
    if (matchesEtag(request.headers['if-none-match'], answer.etag))
      return void reply.code(304).headers(answer.notModifiedHeaders).send();
    const coding = negotiateCoding(request.headers['accept-encoding']);
    const encoded = answers.encode(getPrincipal(request).accountId, answer, coding);
    return whenReady(encoded, ({ headers, body }) => void reply.headers(headers).send(body));
  }

  const listOptions = { schema: stocklistDocument, ...SKIP_VALIDATION, ...SCOPE };
  app.get('/stocklist', listOptions, (request, reply) => {
    const query = parseStocklistQuery(request.query as RawQuery);
    const { accountId } = getPrincipal(request);
    return whenReady(answers.findStocklist(accountId, query), (found) =>
      send(request, reply, found),
    );
  });

  const readOptions = { schema: projectDocument, ...SKIP_VALIDATION, ...SCOPE };
  app.get('/projects/:slug', readOptions, (request, reply) => {
    const { include } = parseProjectQuery(request.query as RawQuery);
    const { slug } = request.params as { slug: string };
    const { accountId } = getPrincipal(request);
    return whenReady(answers.findProject(accountId, slug, include), (found) =>
      send(request, reply, found),
    );
  });

  return answers.counts;
}
