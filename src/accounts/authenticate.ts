import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { networkOf } from '../http/address.ts';
import { callerOf, type Caller } from '../http/caller.ts';
import type { Counter } from '../http/limits/counter.ts';
import { rateLimited } from '../http/limits/hooks.ts';
import { Problem } from '../http/problems.ts';
import type { Queryable } from '../database/query.ts';
import { createTurns } from '../turns.ts';
import { accountOfKey, hashKey, KEY_PREFIX } from './keys.ts';
import { memoryOf, type Memory } from './memory.ts';
import { apiKeyLookUp, apiKeyMarkUsed } from './store.ts';

/** How long a look-up is remembered: what another process revokes or changes is seen within this time. */
const REMEMBERED_MS = 250;
/** How true `lastUsedAt` is. */
const LAST_USED_MS = 60_000;
/** The most keys remembered at once: beyond it the oldest are looked up again. */
const REMEMBERED_KEYS = 10_000;
/** How many look-ups of keys that were never valid run at once, and how many of them for one address. */
const GUESSES = { lanes: 2, lanesOfAccount: 1 };

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

export function createAuthenticator(
  db: Queryable,
  onError: (error: unknown) => void,
): Authenticator {
  const takeTurn = createTurns(GUESSES);
  // Not to be believed, but looked up before what has never been valid.
  const onceValid = new LRUCache<string, true>({ max: REMEMBERED_KEYS });

  function recall(key: string): Caller | undefined {
    const { remembered } = memoryOf(db);
    const found = remembered.get(key);
    if (found === undefined) return undefined;
    if (found.untilMs > performance.now()) return found.caller;
    remembered.delete(key);
    return undefined;
  }

  async function ask(
    { remembered }: Memory,
    key: string,
    accountId: string,
  ): Promise<Caller | null> {
    const askedMs = performance.now();
    const now = new Date();
    const found = await apiKeyLookUp(db, accountId, hashKey(key), now);
    // Not remembered: a key that is made a moment later must work at once.
    if (found === undefined) return null;
    const { keyId, access, lastUsedAt, stockClock } = found;
    if (lastUsedAt === null || now.getTime() - lastUsedAt.getTime() >= LAST_USED_MS)
      apiKeyMarkUsed(db, accountId, keyId, now).catch(onError);
    const caller = { accountId, keyId, access, stockClockMs: stockClock.getTime() };
    forgetOld(remembered, askedMs);
    remembered.delete(key);
    remembered.set(key, { caller, untilMs: askedMs + REMEMBERED_MS });
    onceValid.set(key, true);
    return caller;
  }

  function lookUp(key: string, address: string): Promise<Caller | null> {
    const accountId = accountOfKey(key);
    if (accountId === null) return Promise.resolve(null);
    const memory = memoryOf(db);
    const { underWay } = memory;
    const shared = underWay.get(key);
    if (shared !== undefined) return shared;
    const askNow = () => ask(memory, key, accountId);
    // Anybody can make up a key that is well formed, and send thousands of them at once.
    const asked = (onceValid.has(key) ? askNow() : takeTurn(address, askNow)).finally(() =>
      underWay.delete(key),
    );
    underWay.set(key, asked);
    return asked;
  }

  return { recall, lookUp };
}

/** Forgets, of keys in the order in which they were looked up, those whose time is over: what each was answered with hangs on it. */
function forgetOld(remembered: Memory['remembered'], nowMs: number): void {
  for (const [key, { untilMs }] of remembered) {
    if (untilMs > nowMs && remembered.size < REMEMBERED_KEYS) return;
    remembered.delete(key);
  }
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
