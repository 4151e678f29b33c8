import { Type } from 'typebox';
import { UNCACHED_HEADERS } from './headers.ts';
import { Problem } from './problems.ts';
import type { Server } from './server.ts';

const Ok = Type.Object({ status: Type.Literal('ok') });

/** `GET /livez` says that the process answers, `GET /readyz` that the database does with the right schema. */
export function healthRoutes(server: Server, checkDatabase: () => Promise<void>): void {
  server.get('/livez', { schema: { hide: true, response: { 200: Ok } } }, (_request, reply) => {
    void reply.headers(UNCACHED_HEADERS).send({ status: 'ok' });
  });
  server.get(
    '/readyz',
    { schema: { hide: true, response: { 200: Ok } } },
    async (_request, reply) => {
      await checkDatabase().catch((cause: unknown) => {
        throw new Problem('unavailable', 'The database does not answer with the right schema.', {
          cause,
          headers: { 'retry-after': '1' },
        });
      });
      return reply.headers(UNCACHED_HEADERS).send({ status: 'ok' });
    },
  );
}
