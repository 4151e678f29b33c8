import fastifyStatic from '@fastify/static';
import { allowEverybody, MEDIA_HEADERS, type Server } from '../platform/http/index.ts';
import { FOLDER } from './keys.ts';

/** Adds `GET /media/*`, which serves the pictures of the demo account. */
export async function mediaRoutes(server: Server): Promise<void> {
  await server.register(async (files: Server) => {
    allowEverybody(files);
    await files.register(fastifyStatic, {
      root: FOLDER,
      prefix: '/media/',
      wildcard: true,
      index: false,
      maxAge: '1h',
      schemaHide: true,
      setHeaders: (reply) => {
        for (const [name, value] of Object.entries(MEDIA_HEADERS)) void reply.header(name, value);
      },
    });
  });
}
