import { formatEndedCookie, getPrincipal, getSession } from '../../access/index.ts';
import { Problem, UNCACHED_HEADERS, type Server } from '../../platform/http/index.ts';
import type { PeopleOptions } from '../options.ts';
import { sendNothing } from '../replies.ts';
import * as documents from './document.ts';
import { endOtherSessions, endSession, listOwnSessions, SESSIONS_MAX } from './service.ts';

/** Adds the routes by which a person lists and ends their sessions. */
export function sessionRoutes(app: Server, { db, sessions, publicUrl }: PeopleOptions): void {
  const session = { config: { scope: 'session' } } as const;

  app.get(
    '/me/sessions',
    { schema: documents.listSessions, ...session },
    async (request, reply) => {
      const { id: currentId } = getSession(request);
      const listed = await listOwnSessions(db, getPrincipal(request));
      return reply.headers(UNCACHED_HEADERS).send({
        data: listed.map(({ createdAt, seenAt, ...each }) => ({
          ...each,
          createdAt: createdAt.toISOString(),
          seenAt: seenAt.toISOString(),
          current: each.id === currentId,
        })),
        pagination: { limit: SESSIONS_MAX, nextCursor: null, hasNextPage: false },
      });
    },
  );

  const endOne = { schema: documents.endSession, ...session };
  app.delete('/me/sessions/:id', endOne, async (request, reply) => {
    const { id } = request.params;
    if (!(await sessions.clearAfter(() => endSession(db, getPrincipal(request), id))))
      throw new Problem('session_not_found', 'You have no session with this id.');
    if (id.toLowerCase() === getSession(request).id)
      reply.header('set-cookie', formatEndedCookie(request, publicUrl));
    return sendNothing(reply);
  });

  app.delete(
    '/me/sessions',
    { schema: documents.endSessions, ...session },
    async (request, reply) => {
      await sessions.clearAfter(() => endOtherSessions(db, getPrincipal(request)));
      return sendNothing(reply);
    },
  );
}
