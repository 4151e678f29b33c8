import type { FastifyReply, FastifyRequest } from 'fastify';
import { networkOf, type Counter, Problem } from '../platform/http/index.ts';
import { callerOf, type Caller } from './principal.ts';
import { rateLimited } from './rate-limits.ts';

/**
 * Looks API keys up, remembers each for a moment, and lets concurrent look-ups of one key share a query. What
 * this process changes is forgotten at once: see memory.ts.
 */
export interface Authenticator {
  /** The caller when the key was looked up a moment ago; undefined when the database must be asked. */
  recall(key: string): Caller | undefined;
  /** The caller that a key stands for, or null. One that was never valid here waits behind the others of its address. */
  lookUp(key: string, address: string): Promise<Caller | null>;
}

type Done = (error?: Error) => void;

/**
 * The hook that lets a request pass only with a valid key, and notes its caller. An address that has sent too many
 * requests without one is told so; what has a valid key passes all the same.
 */
export function requireKey(authenticator: Authenticator, failures: Counter) {
  function admit(request: FastifyRequest, caller: Caller, done: Done): void {
    request.caller = caller;
    done();
  }

  async function refusal(address: string, problem: Problem): Promise<Problem> {
    const taken = await failures.take(address, 1);
    return taken.isAllowed ? problem : rateLimited(TOO_MANY_FAILURES, taken);
  }

  async function findCaller(key: string | null, address: string): Promise<Caller> {
    if (key === null) throw await refusal(address, missingKey());
    const caller = await authenticator.lookUp(key, address);
    if (caller === null) throw await refusal(address, invalidKey());
    return caller;
  }

  return function authenticate(request: FastifyRequest, _reply: FastifyReply, done: Done): void {
    const { authorization } = request.headers;
    const recalled = recallCaller(authenticator, authorization);
    if (recalled !== undefined) return admit(request, recalled, done);
    findCaller(bearerToken(authorization), networkOf(request.ip)).then(
      (caller) => admit(request, caller, done),
      done,
    );
  };
}

/** Who sent an Authorization header, when that was looked up a moment ago. */
export function recallCaller(authenticator: Authenticator, header?: string): Caller | undefined {
  const key = bearerToken(header);
  return key === null ? undefined : authenticator.recall(key);
}

const TOO_MANY_FAILURES =
  'This address sends too many requests without a valid API key. One with a valid key is answered.';

/** The hook, after `requireKey`, that lets a request pass only with a key that may write. */
export function requireReadWrite(request: FastifyRequest, _reply: FastifyReply, done: Done): void {
  if (callerOf(request).access === 'read-write') return done();
  done(insufficientAccess());
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

function insufficientAccess(): Problem {
  return new Problem('insufficient_access', 'This needs an API key with read-write access.', {
    headers: { 'www-authenticate': 'Bearer realm="offplan", error="insufficient_scope"' },
  });
}
