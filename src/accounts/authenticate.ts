import type { FastifyReply, FastifyRequest } from 'fastify';
import { CALLER, callerOf, type Caller } from '../http/caller.ts';
import { Problem } from '../http/problems.ts';
import type { Queryable } from '../database/query.ts';
import { accountOfKey, hashKey } from './keys.ts';
import { memoryOf, type Memory } from './memory.ts';
import { apiKeyLookUp, apiKeyMarkUsed } from './store.ts';

/** How long a look-up is remembered: what another process revokes or changes is seen within this time. */
const REMEMBERED_MS = 250;
/** How true `lastUsedAt` is. */
const LAST_USED_MS = 60_000;
/** The most keys remembered at once: beyond it all are forgotten, and looked up again. */
const REMEMBERED_KEYS = 10_000;

/**
 * Looks API keys up, remembers each for a moment, and lets concurrent look-ups of one key share a query. What
 * this process changes is forgotten at once: see memory.ts.
 */
export interface Authenticator {
  /** The caller when the key was looked up a moment ago; undefined when the database must be asked. */
  recall(key: string): Caller | undefined;
  /** The caller that a key stands for, or null. */
  lookUp(key: string): Promise<Caller | null>;
}

export function createAuthenticator(
  db: Queryable,
  onError: (error: unknown) => void,
): Authenticator {
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
    if (remembered.size >= REMEMBERED_KEYS) remembered.clear();
    remembered.set(key, { caller, untilMs: askedMs + REMEMBERED_MS });
    return caller;
  }

  function lookUp(key: string): Promise<Caller | null> {
    const accountId = accountOfKey(key);
    if (accountId === null) return Promise.resolve(null);
    const memory = memoryOf(db);
    const { underWay } = memory;
    const shared = underWay.get(key);
    if (shared !== undefined) return shared;
    const asked = ask(memory, key, accountId).finally(() => underWay.delete(key));
    underWay.set(key, asked);
    return asked;
  }

  return { recall, lookUp };
}

type Done = (error?: Error) => void;

/** The hook that lets a request pass only with a valid key, and notes its caller. */
export function requireKey(authenticator: Authenticator) {
  function admit(request: FastifyRequest, caller: Caller | null, done: Done): void {
    if (caller === null) return done(invalidKey());
    request.setDecorator(CALLER, caller);
    done();
  }

  return function authenticate(request: FastifyRequest, _reply: FastifyReply, done: Done): void {
    const key = bearerToken(request.headers.authorization);
    if (key === null) return done(missingKey());
    const recalled = authenticator.recall(key);
    if (recalled !== undefined) return admit(request, recalled, done);
    authenticator.lookUp(key).then((caller) => admit(request, caller, done), done);
  };
}

/** The hook, after `requireKey`, that lets a request pass only with a key that may write. */
export function requireReadWrite(request: FastifyRequest, _reply: FastifyReply, done: Done): void {
  if (callerOf(request).access === 'read-write') return done();
  done(insufficientAccess());
}

function bearerToken(header: string | undefined): string | null {
  const match = /^bearer +(\S.*)$/i.exec(header ?? '');
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
