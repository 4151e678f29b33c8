import swaggerUi from '@fastify/swagger-ui';
import { compress, negotiateCoding, type Coding } from './coding.ts';
import { makeEtag, matchesEtag } from './etag.ts';
import { PAGE_HEADERS, SECURITY_HEADERS } from './headers.ts';
import { allowEverybody, HIDDEN_ROUTE } from './methods.ts';
import type { Server } from './server.ts';

/** Makes the OpenAPI document, which stays the same while the service runs. `encode` compresses it once for each coding. */
function makeDocument(server: Server) {
  const body = Buffer.from(JSON.stringify(server.swagger()));
  const encoded = new Map<Coding, Promise<Buffer>>();
  const encode = (coding: Coding): Buffer | Promise<Buffer> => {
    if (coding === 'identity') return body;
    const known = encoded.get(coding) ?? compress(body, coding);
    encoded.set(coding, known);
    return known;
  };
  return { etag: makeEtag(body), encode };
}

/** Serves the document, and a reference page that loads nothing from other servers. */
export async function referenceRoutes(server: Server): Promise<void> {
  let document: ReturnType<typeof makeDocument> | undefined;
  server.get('/api/v1/openapi.json', HIDDEN_ROUTE, async (request, reply) => {
    document ??= makeDocument(server);
    const { etag, encode } = document;
    reply.headers({ etag, 'cache-control': 'no-cache', vary: 'accept-encoding' });
    if (matchesEtag(request.headers['if-none-match'], etag)) return reply.code(304).send();
    const coding = negotiateCoding(request.headers['accept-encoding']);
    const body = await encode(coding);
    if (coding !== 'identity') reply.header('content-encoding', coding);
    return reply.headers(SECURITY_HEADERS).type('application/json; charset=utf-8').send(body);
  });
  await server.register(async (page: Server) => {
    allowEverybody(page);
    page.addHook('onRequest', (_request, reply, done) => {
      reply.headers(PAGE_HEADERS);
      done();
    });
    await page.register(swaggerUi, {
      routePrefix: '/docs',
      uiConfig: {
        validatorUrl: null,
        deepLinking: true,
        docExpansion: 'list',
        layout: 'BaseLayout',
      },
      theme: { title: 'Offplan API' },
    });
  });
}
