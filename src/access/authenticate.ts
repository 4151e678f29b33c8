import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  countFields,
  getNetwork,
  type RateLimiter,
  Problem,
  whenReady,
} from '../platform/http/index.ts';
import { formatEndedCookie, formatSessionCookie, readSessionToken } from './cookies.ts';
import { refuseCrossSite } from './cross-site.ts';
import type { Principal } from './principal.ts';
import { rateLimited } from './rate-limits.ts';

/**
 * Finds the principal of an API key or of a session's token. Returns it at once when it is cached, and a promise otherwise. The
 * result is undefined when the key or token is not valid. `address` is the client's. `createKeyCache` of `keys/` and
 * `createSessionCache` of `users/` make such functions, and `app/` passes them to `requirePrincipal`.
 */
export type FindPrincipal = (
  text: string,
  address: string,
) => Principal | undefined | Promise<Principal | undefined>;

interface AuthenticateOptions {
  findKey: FindPrincipal;
  findSession: FindPrincipal;
  /** Replaces the token of a session, and returns the new one. Returns undefined when another request has replaced it. */
  renewSession: (principal: Principal, token: string) => Promise<string | undefined>;
  /** Counts requests without a valid key or session, by address. */
  failures: RateLimiter;
  publicUrl: string;
}

/**
 * Makes the check that lets a request pass only with a valid key or session, and sets its principal. When a
 * request has both, it uses the key. An address that has sent too many requests without a valid key or session gets a 429 for
 * further ones. Its requests with a valid one still pass.
 */
export function requirePrincipal({
  findKey,
  findSession,
  renewSession,
  failures,
  publicUrl,
}: AuthenticateOptions) {
  async function refuse(address: string, problem: Problem): Promise<never> {
    const taken = await failures.take(getNetwork(address), 1);
    throw taken.isAllowed ? problem : rateLimited(TOO_MANY_FAILURES, taken);
  }

  async function authenticateSession(
    request: FastifyRequest,
    reply: FastifyReply,
    token: string,
  ): Promise<void> {
    const principal = await findSession(token, request.ip);
    if (principal === undefined) {
      reply.header('set-cookie', formatEndedCookie(request, publicUrl));
      return refuse(request.ip, sessionEnded());
    }
    refuseCrossSite(request, { publicUrl, passesUnknown: false });
    request.principal = principal;
    const renewAtMs = principal.session?.renewAt?.getTime() ?? Infinity;
    const renewed = Date.now() < renewAtMs ? undefined : await renewSession(principal, token);
    if (renewed !== undefined)
      reply.header('set-cookie', formatSessionCookie(request, publicUrl, renewed));
  }

  return function authenticate(request: FastifyRequest, reply: FastifyReply): void | Promise<void> {
    // Refuse a request with two such headers: a proxy may have checked the other one.
    if (countFields(request.raw.rawHeaders, 'authorization') > 1) throw authorizationRepeated();
    const { key, token } = readCredentials(request, publicUrl);
    if (token !== null) return authenticateSession(request, reply, token);
    if (key === null) return refuse(request.ip, missingKey());
    return whenReady(findKey(key, request.ip), (principal) => {
      request.principal = principal ?? null;
      return principal === undefined ? refuse(request.ip, invalidKey()) : undefined;
    });
  };
}

/**
 * Makes the function that finds the principal of a request once more, during a long answer: undefined when the key or session is no
 * longer valid, or the person must first turn on the second step. It does not refuse the request, count a failure or renew a session.
 */
export function createPrincipalRecheck({
  findKey,
  findSession,
  publicUrl,
}: Pick<AuthenticateOptions, 'findKey' | 'findSession' | 'publicUrl'>) {
  return async function recheckPrincipal(request: FastifyRequest): Promise<Principal | undefined> {
    const { key, token } = readCredentials(request, publicUrl);
    if (token === null) return key === null ? undefined : findKey(key, request.ip);
    const principal = await findSession(token, request.ip);
    return principal?.session?.needsSecondStep === true ? undefined : principal;
  };
}

const TOO_MANY_FAILURES =
  'This address sends too many requests without a valid API key. A request with a valid key is still answered.';

/** Reads the API key of a request, or the token of its session when it has no header Authorization. */
function readCredentials(
  request: FastifyRequest,
  publicUrl: string,
): { key: string | null; token: string | null } {
  const { authorization } = request.headers;
  if (authorization === undefined)
    return { key: null, token: readSessionToken(request, publicUrl) };
  const isBearer = /^bearer +\S/i.test(authorization);
  return { key: isBearer ? authorization.slice('bearer '.length).trim() : null, token: null };
}

function authorizationRepeated(): Problem {
  return new Problem('authorization_repeated', 'Send one Authorization header.');
}

function sessionEnded(): Problem {
  const detail = 'The session has ended. Sign in again.';
  return new Problem('session_ended', detail, makeChallenge());
}

function missingKey(): Problem {
  const detail = 'Send an API key in the header "Authorization: Bearer <API_KEY>".';
  return new Problem('missing_api_key', detail, makeChallenge());
}

function invalidKey(): Problem {
  const detail = 'The API key is unknown, mistyped, expired or revoked.';
  return new Problem('invalid_api_key', detail, makeChallenge('invalid_token'));
}

/** The header that RFC 6750 asks for, with the code of the error and the scope that is missing. */
export function makeChallenge(error?: string, scope?: string) {
  const members = Object.entries({ realm: 'offplan', error, scope }).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}="${value}"`],
  );
  return { headers: { 'www-authenticate': `Bearer ${members.join(', ')}` } };
}
