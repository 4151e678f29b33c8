import { ReadOnlyError, SchemaError } from '../database/index.ts';
import { UNCACHED_HEADERS } from './headers.ts';
import { HIDDEN_ROUTE } from './methods.ts';
import { unavailable } from './problems.ts';
import type { Server } from './server.ts';

interface Health {
  checkDatabase: () => Promise<void>;
  stopping: AbortSignal;
}

/**
 * Adds `GET /livez`, which answers as long as the process runs, and `GET /readyz`. That one is 503 when the database does not
 * answer, has another schema or takes no writes, and when the service is about to stop.
 */
export function healthRoutes(server: Server, { checkDatabase, stopping }: Health): void {
  // Concurrent requests share one statement, since anybody may send any number of them.
  let checking: Promise<void> | undefined;
  const check = () => (checking ??= checkDatabase().finally(() => (checking = undefined)));
  server.get('/livez', HIDDEN_ROUTE, (_request, reply) => {
    void reply.headers(UNCACHED_HEADERS).send({ status: 'ok' });
  });
  server.get('/readyz', HIDDEN_ROUTE, async (_request, reply) => {
    if (stopping.aborted) throw unavailable('The service is stopping.');
    await check().catch((cause: unknown) => {
      throw unavailable(describeFault(cause), cause);
    });
    return reply.headers(UNCACHED_HEADERS).send({ status: 'ok' });
  });
}

function describeFault(cause: unknown): string {
  if (cause instanceof ReadOnlyError) return cause.message;
  return cause instanceof SchemaError
    ? 'The schema of the database is not that of this release.'
    : 'The database does not answer.';
}
