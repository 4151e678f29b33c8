import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  formatEndedCookie,
  formatSessionCookie,
  getPrincipal,
  getSession,
  refuseCrossSite,
  requireConfirmed,
  requireSafeConnection,
  type CallerLimits,
} from '../access/index.ts';
import { readAuthor } from '../events/index.ts';
import type { Pool } from '../platform/database/index.ts';
import {
  acceptJson,
  getNetwork,
  parseStorableJson,
  refuseParameters,
  Problem,
  requireJsonType,
  UNCACHED_HEADERS,
  type Server,
} from '../platform/http/index.ts';
import * as documents from './document.ts';
import { acceptLink, openLink } from './links/service.ts';
import { changeSelf, describeCaller } from './me.ts';
import { changePassword, refuseWeakPassword, requireOwnPassword } from './passwords/service.ts';
import {
  beginSecondStep,
  confirmSecondStep,
  endSecondStep,
  hasSecondStep,
  requireCode,
} from './second-step/service.ts';
import { Me } from './schemas.ts';
import type { SessionCache } from './sessions/look-up.ts';
import {
  confirm,
  endOtherSessions,
  endSession,
  listOwnSessions,
  SESSIONS_MAX,
  type Device,
} from './sessions/service.ts';
import type { CountGuess } from './sign-in/attempts.ts';
import { signIn } from './sign-in/service.ts';

export interface PeopleOptions {
  db: Pool;
  secretKey: Buffer | null;
  sessions: SessionCache;
  countGuess: CountGuess;
  publicUrl: string;
  rateLimits: CallerLimits;
}

/** Adds the routes by which people sign in. Everybody may call them, except pages of other sites. */
export function signInRoutes(
  app: Server,
  { db, secretKey, sessions, countGuess, publicUrl, rateLimits }: PeopleOptions,
) {
  app.addSchema(Me);
  acceptJson(app, async (request, body) => parseStorableJson(request, body));
  app.addHook('preValidation', refuseParameters);
  app.addHook('onRequest', async (request) => {
    requireSafeConnection(request, publicUrl);
    refuseCrossSite(request, { publicUrl, passesUnknown: true });
  });

  /** Answers as GET /me does, and gives the browser the cookie. */
  async function welcome(
    request: FastifyRequest,
    reply: FastifyReply,
    token: string,
  ): Promise<FastifyReply> {
    const principal = await sessions.find(token, request.ip);
    if (principal === undefined) throw new Problem('sign_in_failed', 'The person may not sign in.');
    reply.header('set-cookie', formatSessionCookie(request, publicUrl, token));
    return reply.headers(UNCACHED_HEADERS).send(await describeCaller(db, principal, rateLimits));
  }

  /** Counts a link that is not valid against the address. */
  const countLink = <T>({ ip }: FastifyRequest, work: () => Promise<T>): Promise<T> =>
    countGuess({ network: getNetwork(ip), person: null, isKnownNetwork: false }, work);

  const options = { config: { scope: 'public' }, preParsing: requireJsonType } as const;
  app.post('/sign-in', { schema: documents.signIn, ...options }, async (request, reply) =>
    welcome(
      request,
      reply,
      await signIn(db, request.body, getDevice(request), { countGuess, secretKey }),
    ),
  );

  app.post('/links/open', { schema: documents.openLink, ...options }, async (request, reply) =>
    reply
      .headers(UNCACHED_HEADERS)
      .send(await countLink(request, () => openLink(db, request.body.token))),
  );

  app.post('/links/accept', { schema: documents.acceptLink, ...options }, async (request, reply) =>
    welcome(
      request,
      reply,
      await countLink(request, () => acceptLink(db, request.body, getDevice(request), sessions)),
    ),
  );
}

function getDevice({ ip, headers }: FastifyRequest): Device {
  return { address: ip, userAgent: headers['user-agent'] };
}

/** Adds the routes of the caller: `/me`, their sessions and their password. */
export function meRoutes(
  app: Server,
  { db, secretKey, sessions, countGuess, publicUrl, rateLimits }: PeopleOptions,
) {
  acceptJson(app, async (request, body) => parseStorableJson(request, body));
  app.addHook('preValidation', refuseParameters);
  const session = { config: { scope: 'session' } } as const;
  const withBody = { ...session, preParsing: requireJsonType } as const;

  async function sendCaller(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const me = await describeCaller(db, getPrincipal(request), rateLimits);
    return reply.headers(UNCACHED_HEADERS).send(me);
  }

  function sendNothing(reply: FastifyReply): FastifyReply {
    return reply.code(204).headers(UNCACHED_HEADERS).send();
  }

  const anyone = { schema: documents.readMe, config: { scope: 'any' } } as const;
  app.get('/me', anyone, async (request, reply) => sendCaller(request, reply));

  app.patch('/me', { schema: documents.changeMe, ...withBody }, async (request, reply) => {
    await changeSelf(db, getPrincipal(request), request.body, readAuthor(request));
    sessions.clear();
    return sendCaller(request, reply);
  });

  app.post('/sign-out', { schema: documents.signOut, ...session }, async (request, reply) => {
    await endSession(db, getPrincipal(request), getSession(request).id, sessions);
    reply.header('set-cookie', formatEndedCookie(request, publicUrl));
    return sendNothing(reply);
  });

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
    if (!(await endSession(db, getPrincipal(request), id, sessions)))
      throw new Problem('session_not_found', 'You have no session with this id.');
    if (id === getSession(request).id)
      reply.header('set-cookie', formatEndedCookie(request, publicUrl));
    return sendNothing(reply);
  });

  app.delete(
    '/me/sessions',
    { schema: documents.endSessions, ...session },
    async (request, reply) => {
      await endOtherSessions(db, getPrincipal(request), sessions);
      return sendNothing(reply);
    },
  );

  const setPassword = { schema: documents.changePassword, ...withBody };
  app.post('/me/password', setPassword, async (request, reply) => {
    const principal = getPrincipal(request);
    const network = getNetwork(request.ip);
    const { current, password } = request.body;
    const { email } = await requireOwnPassword(db, principal, current, network, countGuess);
    refuseWeakPassword(password, email);
    const token = await changePassword(db, principal, password, network, sessions);
    reply.header('set-cookie', formatSessionCookie(request, publicUrl, token));
    return sendNothing(reply);
  });

  app.post('/me/confirm', { schema: documents.confirm, ...withBody }, async (request, reply) => {
    const principal = getPrincipal(request);
    const { password, code } = request.body;
    const { accountId, actor } = principal;
    await requireOwnPassword(db, principal, password, getNetwork(request.ip), countGuess, () =>
      requireCode(db, accountId, actor.id, code, secretKey),
    );
    await confirm(db, principal, sessions);
    return sendNothing(reply);
  });

  const begin = { schema: documents.beginSecondStep, ...session };
  app.post('/me/second-step', begin, async (request, reply) => {
    const principal = getPrincipal(request);
    if (await hasSecondStep(db, principal)) requireConfirmed(principal);
    return reply.headers(UNCACHED_HEADERS).send(await beginSecondStep(db, principal, secretKey));
  });

  const turnOn = { schema: documents.confirmSecondStep, ...withBody };
  app.post('/me/second-step/confirm', turnOn, async (request, reply) => {
    const principal = getPrincipal(request);
    const { accountId, actor } = principal;
    const person = `${accountId}\n${actor.id}`;
    const guess = { network: getNetwork(request.ip), person, isKnownNetwork: true };
    const recoveryCodes = await countGuess(guess, () =>
      confirmSecondStep(db, principal, request.body.code, secretKey),
    );
    sessions.clear();
    return reply.headers(UNCACHED_HEADERS).send({ recoveryCodes });
  });

  const turnOff = { schema: documents.endSecondStep, ...session };
  app.delete('/me/second-step', turnOff, async (request, reply) => {
    requireConfirmed(getPrincipal(request));
    await endSecondStep(db, getPrincipal(request));
    sessions.clear();
    return sendNothing(reply);
  });
}
