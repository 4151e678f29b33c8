import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { Server } from './server.ts';

const FOLDER = fileURLToPath(new URL('../../demo/media/', import.meta.url));

/** Serves the demo account's pictures under `/media`. */
export async function mediaRoutes(server: Server): Promise<void> {
  await server.register(fastifyStatic, {
    root: FOLDER,
    prefix: '/media/',
    wildcard: true,
    index: false,
    maxAge: '1h',
    schemaHide: true,
    setHeaders: (reply) => {
      // An SVG opened by itself is a document: it may style itself and do nothing else.
      reply.setHeader(
        'content-security-policy',
        "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      );
      reply.setHeader('x-content-type-options', 'nosniff');
    },
  });
}
