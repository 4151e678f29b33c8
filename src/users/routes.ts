import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  formatEndedCookie,
  formatSessionCookie,
  getPrincipal,
  getSession,
} from '../access/index.ts';
import { readAuthor } from '../events/index.ts';
import { waitForLookUpCaches } from '../platform/database/index.ts';
import {
  acceptJson,
  getNetwork,
  parseStorableJson,
  refuseParameters,
  requireJsonType,
  UNCACHED_HEADERS,
  type Server,
} from '../platform/http/index.ts';
import * as documents from './document.ts';
import { changeSelf, describeCaller } from './me.ts';
import type { PeopleOptions } from './options.ts';
import * as passwordDocuments from './passwords/document.ts';
import { changePassword, refuseWeakPassword, requireOwnPassword } from './passwords/service.ts';
import { sendNothing } from './replies.ts';
import { secondStepRoutes } from './second-step/routes.ts';
import { requireOwnCode } from './second-step/service.ts';
import { sessionRoutes } from './sessions/routes.ts';
import { confirmPerson, endSession } from './sessions/service.ts';
import * as signInDocuments from './sign-in/document.ts';

/** Adds the routes of the caller: `/me`, signing out, and a person's sessions, password and second step. */
export function meRoutes(app: Server, options: PeopleOptions): void {
  const { db, secretKey, sessions, countGuess, publicUrl, rateLimits } = options;
  acceptJson(app, async (request, body) => parseStorableJson(request, body));
  app.addHook('preValidation', refuseParameters);
  const session = { config: { scope: 'session' } } as const;
  const withBody = { ...session, preParsing: requireJsonType } as const;

  async function sendCaller(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const me = await describeCaller(db, getPrincipal(request), rateLimits);
    return reply.headers(UNCACHED_HEADERS).send(me);
  }

  const anyone = { schema: documents.readMe, config: { scope: 'any' } } as const;
  app.get('/me', anyone, async (request, reply) => sendCaller(request, reply));

  app.patch('/me', { schema: documents.changeMe, ...withBody }, async (request, reply) => {
    await sessions.clearAfter(() =>
      changeSelf(db, getPrincipal(request), request.body, readAuthor(request)),
    );
    return sendCaller(request, reply);
  });

  app.post('/sign-out', { schema: signInDocuments.signOut, ...session }, async (request, reply) => {
    const { id } = getSession(request);
    await sessions.clearAfter(() => endSession(db, getPrincipal(request), id));
    reply.header('set-cookie', formatEndedCookie(request, publicUrl));
    return sendNothing(reply);
  });

  sessionRoutes(app, options);

  const setPassword = { schema: passwordDocuments.changePassword, ...withBody };
  app.post('/me/password', setPassword, async (request, reply) => {
    const principal = getPrincipal(request);
    const network = getNetwork(request.ip);
    const { current, password } = request.body;
    const { email, hash: currentHash } = await requireOwnPassword(db, principal, {
      password: current,
      network,
      countGuess,
    });
    refuseWeakPassword(password, email);
    const passwords = { currentHash, password };
    const token = await sessions.clearAfter(() =>
      changePassword(db, principal, passwords, network),
    );
    reply.header('set-cookie', formatSessionCookie(request, publicUrl, token));
    return sendNothing(reply);
  });

  app.post(
    '/me/confirm',
    { schema: signInDocuments.confirm, ...withBody },
    async (request, reply) => {
      const principal = getPrincipal(request);
      const { password, code } = request.body;
      await requireOwnPassword(db, principal, {
        password,
        network: getNetwork(request.ip),
        countGuess,
        checkMore: () => requireOwnCode(db, principal, code, secretKey),
      });
      await sessions.clearAfter(() => confirmPerson(db, principal));
      // The client sends the request that needed it again at once, perhaps to another process.
      await waitForLookUpCaches();
      return sendNothing(reply);
    },
  );

  secondStepRoutes(app, options);
}
