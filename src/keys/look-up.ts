import { LRUCache } from 'lru-cache';
import { principalOfKey, type Principal, type Authenticator } from '../access/index.ts';
import type { Queryable } from '../platform/database/index.ts';
import { createFairQueue } from '../platform/queue/index.ts';
import { accountOfKey, hashKey } from './keys.ts';
import { memoryOf, type Memory } from './memory.ts';
import { findUsableKey, markKeyUsed } from './store.ts';

/** How long a look-up is remembered: what another process revokes or changes is seen within this time. */
const REMEMBERED_MS = 250;
/** How true `lastUsedAt` is. */
const LAST_USED_MS = 60_000;
/** The most keys remembered at once: beyond it the oldest are looked up again. */
const REMEMBERED_KEYS = 10_000;
/** How many look-ups of keys that were never valid run at once, and how many of them for one address. */
const GUESSES = { slots: 2, slotsPerAccount: 1 };

export function createAuthenticator(
  db: Queryable,
  onError: (error: unknown) => void,
): Authenticator {
  const runFair = createFairQueue(GUESSES);
  // Not to be believed, but looked up before what has never been valid.
  const onceValid = new LRUCache<string, true>({ max: REMEMBERED_KEYS });

  function recall(key: string): Principal | undefined {
    const { remembered } = memoryOf(db);
    const found = remembered.get(key);
    if (found === undefined) return undefined;
    if (found.untilMs > performance.now()) return found.principal;
    remembered.delete(key);
    return undefined;
  }

  async function ask(
    { remembered }: Memory,
    key: string,
    accountId: string,
  ): Promise<Principal | null> {
    const askedMs = performance.now();
    const now = new Date();
    const found = await findUsableKey(db, accountId, hashKey(key), now);
    // Not remembered: a key that is made a moment later must work at once.
    if (found === undefined) return null;
    const { id, name, access, lastUsedAt, stockClock } = found;
    if (lastUsedAt === null || now.getTime() - lastUsedAt.getTime() >= LAST_USED_MS)
      markKeyUsed(db, accountId, id, now).catch(onError);
    const stockClockMs = stockClock.getTime();
    const principal = principalOfKey({ accountId, id, name, access, stockClockMs });
    forgetOld(remembered, askedMs);
    remembered.delete(key);
    remembered.set(key, { principal, untilMs: askedMs + REMEMBERED_MS });
    onceValid.set(key, true);
    return principal;
  }

  function lookUp(key: string, address: string): Promise<Principal | null> {
    const accountId = accountOfKey(key);
    if (accountId === null) return Promise.resolve(null);
    const memory = memoryOf(db);
    const { underWay } = memory;
    const shared = underWay.get(key);
    if (shared !== undefined) return shared;
    const askNow = () => ask(memory, key, accountId);
    // Anybody can make up a key that is well formed, and send thousands of them at once.
    const asked = (onceValid.has(key) ? askNow() : runFair(address, askNow)).finally(() =>
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
