import type { FastifyReply, FastifyRequest } from 'fastify';
import { networkOf, type Counter, Problem } from '../platform/http/index.ts';
import { principalOf, type Principal } from './principal.ts';
import { rateLimited } from './rate-limits.ts';
import { accessWith, type Scope } from './scopes.ts';

/**
 * Looks API keys up, remembers each for a moment, and lets concurrent look-ups of one key share a query. What
 * this process changes is forgotten at once: see memory.ts.
 */
export interface Authenticator {
  /** The caller when the key was looked up a moment ago; undefined when the database must be asked. */
  recall(key: string): Principal | undefined;
  /** The caller that a key stands for, or null. One that was never valid here waits behind the others of its address. */
  lookUp(key: string, address: string): Promise<Principal | null>;
}

type Done = (error?: Error) => void;

/**
 * The hook that lets a request pass only with a valid key, and notes its caller. An address that has sent too many
 * requests without one is told so; what has a valid key passes all the same.
 */
export function requireKey(authenticator: Authenticator, failures: Counter) {
  function admit(request: FastifyRequest, principal: Principal, done: Done): void {
    request.principal = principal;
    done();
  }

  async function refusal(address: string, problem: Problem): Promise<Problem> {
    const taken = await failures.take(address, 1);
    return taken.isAllowed ? problem : rateLimited(TOO_MANY_FAILURES, taken);
  }

  async function findPrincipal(key: string | null, address: string): Promise<Principal> {
    if (key === null) throw await refusal(address, missingKey());
    const principal = await authenticator.lookUp(key, address);
    if (principal === null) throw await refusal(address, invalidKey());
    return principal;
  }

  return function authenticate(request: FastifyRequest, _reply: FastifyReply, done: Done): void {
    const { authorization } = request.headers;
    const recalled = recallPrincipal(authenticator, authorization);
    if (recalled !== undefined) return admit(request, recalled, done);
    findPrincipal(bearerToken(authorization), networkOf(request.ip)).then(
      (principal) => admit(request, principal, done),
      done,
    );
  };
}

/** Who sent an Authorization header, when that was looked up a moment ago. */
export function recallPrincipal(
  authenticator: Authenticator,
  header?: string,
): Principal | undefined {
  const key = bearerToken(header);
  return key === null ? undefined : authenticator.recall(key);
}

const TOO_MANY_FAILURES =
  'This address sends too many requests without a valid API key. One with a valid key is answered.';

/** The hook, after `requireKey`, that lets a request pass only with a key that has this scope. */
export function requireScope(scope: Scope) {
  return (request: FastifyRequest, _reply: FastifyReply, done: Done): void =>
    done(principalOf(request).can(scope) ? undefined : insufficientAccess(scope));
}

const SCHEME = 'Bearer ';
const KEY_PREFIX = 'offplan_';

function bearerToken(header = ''): string | null {
  // As nearly everyone writes it; the pattern takes as long as all else that is done for a key that is remembered.
  if (header.startsWith(SCHEME + KEY_PREFIX)) return header.slice(SCHEME.length);
  const match = /^bearer +(\S.*)$/i.exec(header);
  return match?.[1]?.trim() ?? null;
}

function missingKey(): Problem {
  return new Problem(
    'missing_api_key',
    'Send an API key in the header "Authorization: Bearer <API_KEY>".',
    {
      headers: { 'www-authenticate': 'Bearer realm="offplan"' },
    },
  );
}

function invalidKey(): Problem {
  return new Problem('invalid_api_key', 'The API key is unknown, mistyped, expired or revoked.', {
    headers: { 'www-authenticate': 'Bearer realm="offplan", error="invalid_token"' },
  });
}

function insufficientAccess(scope: Scope): Problem {
  const detail = `This needs an API key with ${accessWith(scope)} access.`;
  return new Problem('insufficient_access', detail, {
    headers: { 'www-authenticate': 'Bearer realm="offplan", error="insufficient_scope"' },
  });
}
