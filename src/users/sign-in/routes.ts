import type { FastifyReply, FastifyRequest } from 'fastify';
import { formatSessionCookie, refuseCrossSite, requireSafeConnection } from '../../access/index.ts';
import {
  acceptJson,
  getNetwork,
  parseStorableJson,
  refuseParameters,
  Problem,
  requireJsonType,
  UNCACHED_HEADERS,
  type Server,
} from '../../platform/http/index.ts';
import * as linkDocuments from '../links/document.ts';
import { acceptLink, openLink } from '../links/service.ts';
import { describeCaller } from '../me.ts';
import type { PeopleOptions } from '../options.ts';
import { Me } from '../schemas.ts';
import type { Device } from '../sessions/service.ts';
import * as documents from './document.ts';
import { signIn } from './service.ts';

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

  /** Sends the answer of GET /me with the cookie of a new session. */
  async function sendNewSession(
    request: FastifyRequest,
    reply: FastifyReply,
    token: string,
  ): Promise<FastifyReply> {
    const principal = await sessions.find(token, request.ip);
    if (principal === undefined) throw new Problem('sign_in_failed', 'The person may not sign in.');
    reply.header('set-cookie', formatSessionCookie(request, publicUrl, token));
    return reply.headers(UNCACHED_HEADERS).send(await describeCaller(db, principal, rateLimits));
  }

  /** Runs `work`. An invalid link counts against the limit of wrong guesses of the client's network. */
  const countLink = <T>({ ip }: FastifyRequest, work: () => Promise<T>): Promise<T> =>
    countGuess({ network: getNetwork(ip), person: null, isKnownNetwork: false }, work);

  const options = { config: { scope: 'public' }, preParsing: requireJsonType } as const;
  app.post('/sign-in', { schema: documents.signIn, ...options }, async (request, reply) =>
    sendNewSession(
      request,
      reply,
      await signIn(db, request.body, getDevice(request), { countGuess, secretKey }),
    ),
  );

  app.post('/links/open', { schema: linkDocuments.openLink, ...options }, async (request, reply) =>
    reply
      .headers(UNCACHED_HEADERS)
      .send(await countLink(request, () => openLink(db, request.body.token))),
  );

  app.post(
    '/links/accept',
    { schema: linkDocuments.acceptLink, ...options },
    async (request, reply) =>
      sendNewSession(
        request,
        reply,
        await countLink(request, () =>
          sessions.clearAfter(() => acceptLink(db, request.body, getDevice(request))),
        ),
      ),
  );
}

function getDevice({ ip, headers }: FastifyRequest): Device {
  return { address: ip, userAgent: headers['user-agent'] };
}
