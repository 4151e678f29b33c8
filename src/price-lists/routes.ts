import type { FastifyRequest } from 'fastify';
import { getPrincipal } from '../access/index.ts';
import { findToday } from '../accounts/index.ts';
import { readAuthor } from '../events/index.ts';
import type { Pool } from '../platform/database/index.ts';
import {
  isUnencoded,
  Problem,
  readCharset,
  readDryRun,
  SKIP_VALIDATION,
  type Server,
} from '../platform/http/index.ts';
import type { ImageBases } from '../platform/text/index.ts';
import { requireProject } from '../projects/index.ts';
import * as documents from './document.ts';
import { readPriceList } from './read-file.ts';
import { PRICE_LIST_SCHEMAS } from './schemas.ts';
import { applyPriceList, writePriceList } from './service.ts';

const PATH = '/stock/projects/:projectId/price-list.csv';
const BODY_LIMIT_BYTES = 4 * 1024 * 1024;
const IS_CSV = /^text\/csv\s*(;|$)/i;

interface PriceListRouteOptions {
  db: Pool;
  imageBases: ImageBases;
}

/** Adds the routes of price lists. */
export function priceListRoutes(app: Server, { db, imageBases }: PriceListRouteOptions): void {
  for (const schema of PRICE_LIST_SCHEMAS) app.addSchema(schema);

  const show = { config: { scope: 'projects:read' as const }, schema: documents.showDocument };
  app.get(PATH, show, async (request, reply) => {
    const { accountId } = getPrincipal(request);
    const project = await requireProject(db, { accountId, imageBases }, request.params.projectId);
    const fileName = `price-list-${project.slug}-${await findToday(db, accountId)}.csv`;
    return reply
      .header('content-type', 'text/csv; charset=utf-8')
      .header('content-disposition', `attachment; filename="${fileName}"`)
      .send(await writePriceList(db, accountId, project.id));
  });

  void app.register(async (group: Server) => {
    group.removeAllContentTypeParsers();
    group.addContentTypeParser(
      IS_CSV,
      { parseAs: 'buffer' },
      async (_request: FastifyRequest, body: Buffer) => body,
    );
    const apply = {
      config: { scope: 'projects:write' as const },
      schema: documents.applyDocument,
      preParsing: requireCsv,
      bodyLimit: BODY_LIMIT_BYTES,
      ...SKIP_VALIDATION,
    };
    group.put(PATH, apply, async (request) => {
      const dryRun = readDryRun(request.query);
      const file = await readPriceList(
        request.body as unknown as Buffer,
        readCharset(request.headers),
      );
      const { projectId } = request.params;
      const principal = getPrincipal(request);
      const editor = { db, principal, author: readAuthor(request), imageBases };
      return applyPriceList(
        editor,
        (tx) => requireProject(tx, { accountId: principal.accountId, imageBases }, projectId),
        file,
        { dryRun },
      );
    });
  });
}

function isEncoding(name: string): boolean {
  try {
    return new TextDecoder(name).encoding !== '';
  } catch {
    return false;
  }
}

/**
 * Refuses a body that is not CSV, is compressed, or is in an unknown charset. It is a `preParsing` hook, so that a 415 comes before
 * a 413.
 */
async function requireCsv({ headers, raw }: FastifyRequest): Promise<void> {
  const { 'content-type': type = '' } = headers;
  if (!isUnencoded(headers))
    throw unsupported('Send the file as it is, without a Content-Encoding.');
  if (!IS_CSV.test(type)) throw unsupported('Send the file with Content-Type: text/csv.');
  if (!isEncoding(readCharset(headers) ?? 'utf-8'))
    throw unsupported('Send the file in an encoding of the Encoding Standard, such as UTF-8.');
  // Fastify does not parse a request without a body, so refuse it here.
  if (raw.readableEnded) throw new Problem('malformed_body', 'The body is empty; send a CSV file.');
}

function unsupported(detail: string): Problem {
  return new Problem('unsupported_media_type', detail, { title: 'The body must be CSV' });
}
