import type { FastifyRequest } from 'fastify';
import { countFields, getNetwork, type RateLimiter, Problem } from '../platform/http/index.ts';
import type { Principal } from './principal.ts';
import { rateLimited } from './rate-limits.ts';

/**
 * Finds the principal of an API key, at once when it is cached, or nothing when the key is not valid. The address is the
 * client's. `createKeyCache` of `keys/` makes this function, and `app.ts` hands it to `requireKey`.
 */
export type FindPrincipal = (
  key: string,
  address: string,
) => Principal | undefined | Promise<Principal | undefined>;

/**
 * Makes the hook that lets a request pass only with a valid key, and sets its principal. An address that has sent too
 * many requests without a valid key gets a 429 for those; its requests with a valid key pass.
 */
export function requireKey(findPrincipal: FindPrincipal, failures: RateLimiter) {
  async function refuse(address: string, problem: Problem): Promise<never> {
    const taken = await failures.take(getNetwork(address), 1);
    throw taken.isAllowed ? problem : rateLimited(TOO_MANY_FAILURES, taken);
  }

  return async function authenticate(request: FastifyRequest): Promise<void> {
    // With two of them a proxy may have looked at the other one.
    if (countFields(request.raw.rawHeaders, 'authorization') > 1) throw authorizationRepeated();
    const key = readBearerKey(request.headers.authorization);
    if (key === null) return refuse(request.ip, missingKey());
    const principal = await findPrincipal(key, request.ip);
    if (principal === undefined) return refuse(request.ip, invalidKey());
    request.principal = principal;
  };
}

const TOO_MANY_FAILURES =
  'This address sends too many requests without a valid API key. One with a valid key is answered.';

/** Reads the key out of an Authorization header. */
function readBearerKey(header = ''): string | null {
  return /^bearer +\S/i.test(header) ? header.slice('bearer '.length).trim() : null;
}

function authorizationRepeated(): Problem {
  return new Problem('authorization_repeated', 'Send one Authorization header.');
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
