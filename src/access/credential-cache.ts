import { createLookUpCache } from '../platform/database/index.ts';
import { getNetwork } from '../platform/http/index.ts';
import { createFairQueue } from '../platform/queue/index.ts';
import type { FindPrincipal } from './authenticate.ts';
import type { Principal } from './principal.ts';

/**
 * The limits of concurrent look-ups of credentials that no earlier look-up has found. Each client network counts as an account.
 */
const UNKNOWN_CREDENTIALS = { slots: 2, slotsPerAccount: 1 };

/** A credential in the cache. It may have expired since its look-up. */
interface CachedCredential {
  principal: Principal;
  expiresAtMs: number;
}

/** The cache of the API keys or sessions that this process found valid in the last 250 ms. */
export interface CredentialCache {
  find: FindPrincipal;
  /** Runs `work`, which may end or change credentials, and then clears the cache. Other processes see the change within 250 ms. */
  clearAfter: <T>(work: () => Promise<T>) => Promise<T>;
}

interface Credentials {
  /** Reads the account's id out of a text; null when the text cannot be a credential. */
  readAccountId: (text: string) => string | null;
  lookUp: (accountId: string, text: string) => Promise<CachedCredential | undefined>;
}

/** Creates the cache of API keys, or of sessions. */
export function createCredentialCache({ readAccountId, lookUp }: Credentials): CredentialCache {
  const runFair = createFairQueue(UNKNOWN_CREDENTIALS);
  const cache = createLookUpCache<CachedCredential, string>(async (text, { context, wasFound }) => {
    const accountId = readAccountId(text);
    if (accountId === null) return undefined;
    // Clients can send thousands of invented credentials at once, so these queue. A credential that was valid before skips the
    // queue.
    return wasFound
      ? lookUp(accountId, text)
      : runFair(getNetwork(context), () => lookUp(accountId, text));
  });

  async function fetch(text: string, address: string): Promise<CachedCredential | undefined> {
    return cache.fetch(text, { context: address }).catch((error: unknown) => {
      // A look-up that finds nothing rejects with this error when the cache is cleared meanwhile.
      if (error instanceof Error && error.message === 'deleted') return undefined;
      throw error;
    });
  }

  return {
    find: (text, address) => {
      const cached = cache.get(text);
      return cached ? toPrincipal(cached) : fetch(text, address).then(toPrincipal);
    },
    clearAfter: async (work) => {
      try {
        return await work();
      } finally {
        // Clear it after a failure as well: if the connection was lost in COMMIT, the change may be committed.
        cache.clear();
      }
    },
  };
}

/** Returns the principal of a credential, or undefined from the moment at which it expires. */
function toPrincipal(found: CachedCredential | undefined): Principal | undefined {
  return found !== undefined && Date.now() < found.expiresAtMs ? found.principal : undefined;
}
