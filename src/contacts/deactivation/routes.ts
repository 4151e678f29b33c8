import { getPrincipal } from '../../access/index.ts';
import { readRequester } from '../../events/index.ts';
import type { Pool } from '../../platform/database/index.ts';
import { requireJsonType, sendResource, type Server } from '../../platform/http/index.ts';
import type { SessionCache } from '../../users/index.ts';
import { deactivateDocument } from './document.ts';
import { deactivatePerson } from './service.ts';

/** Adds the route that deactivates a person. */
export function deactivationRoutes(
  app: Server,
  { db, sessions }: { db: Pool; sessions: SessionCache },
): void {
  const options = {
    config: { scope: 'users:write' },
    schema: deactivateDocument,
    preParsing: requireJsonType,
  } as const;
  app.post('/users/:userId/deactivate', options, async (request, reply) => {
    const { accountId } = getPrincipal(request);
    const { userId } = request.params;
    const { reassignTo } = request.body;
    const deactivation = { accountId, userId, reassignTo };
    const person = await sessions.clearAfter(() =>
      deactivatePerson(db, readRequester(request), deactivation),
    );
    return sendResource(request, reply, person);
  });
}
