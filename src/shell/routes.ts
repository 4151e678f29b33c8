import fastifyStatic from '@fastify/static';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../platform/config/index.ts';
import {
  allowEverybody,
  HIDDEN_ROUTE,
  matchesEtag,
  SECURITY_HEADERS,
  UNCACHED_HEADERS,
  type Server,
} from '../platform/http/index.ts';
import { BUILD_FOLDER, readShell } from './build.ts';
import { makeShellHeaders } from './headers.ts';

/**
 * Adds the routes of the console: its one page at `/` and below `/a/`, and its files below `/assets/`. Without a build, the
 * page names the command that makes one.
 */
export async function shellRoutes(
  server: Server,
  config: Pick<Config, 'publicUrl' | 'mediaBaseUrl'>,
): Promise<void> {
  const shell = readShell(config.publicUrl);
  const { etag, html } = shell ?? {};
  const headers = makeShellHeaders(config, shell?.styleHashes ?? []);
  const sendShell = (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    if (html === undefined || etag === undefined)
      return reply.code(503).headers(UNCACHED_HEADERS).type('text/plain').send(NOT_BUILT);
    void reply.headers(headers).header('etag', etag);
    if (matchesEtag(request.headers['if-none-match'], etag)) return reply.code(304).send();
    return reply.send(html);
  };
  server.get('/', HIDDEN_ROUTE, sendShell);
  server.get('/a/*', HIDDEN_ROUTE, sendShell);
  if (shell !== null) await server.register(serveAssets);
}

const NOT_BUILT = `The console is not built. Build it with \`npm run build:console\` in the clone, and start the service again.
The API works all the same: see /docs.
`;

/** Serves the files of the console. The name of each has a hash of its bytes; the build has compressed them. */
async function serveAssets(server: Server): Promise<void> {
  allowEverybody(server);
  await server.register(fastifyStatic, {
    root: `${BUILD_FOLDER}/assets`,
    prefix: '/assets/',
    index: false,
    decorateReply: false,
    preCompressed: true,
    maxAge: '365d',
    immutable: true,
    setHeaders: (reply) => {
      for (const [name, value] of Object.entries(SECURITY_HEADERS)) void reply.header(name, value);
    },
  });
}
