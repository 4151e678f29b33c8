import { createLookUpCache } from '../platform/database/index.ts';
import { getNetwork } from '../platform/http/index.ts';
import { createFairQueue } from '../platform/queue/index.ts';
import type { FindPrincipal } from './authenticate.ts';
import type { Principal } from './principal.ts';

/** The slots for look-ups of credentials that no earlier look-up found, and how many of them one client network gets. */
const UNKNOWN_CREDENTIALS = { slots: 2, slotsPerAccount: 1 };

/** A credential that the cache holds. It may have expired since. */
interface CachedCredential {
  principal: Principal;
  expiresAtMs: number;
}

/** The API keys or sessions that this process found valid in the last 250 ms. */
export interface CredentialCache {
  find: FindPrincipal;
  clear(): void;
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
    // Clients can send thousands of invented credentials at once. A credential that was valid before skips their queue.
    return wasFound
      ? lookUp(accountId, text)
      : runFair(getNetwork(context), () => lookUp(accountId, text));
  });

  async function fetch(text: string, address: string): Promise<CachedCredential | undefined> {
    return cache.fetch(text, { context: address }).catch((error: unknown) => {
      // The cache rejects a look-up that found nothing when it was cleared meanwhile.
      if (error instanceof Error && error.message === 'deleted') return undefined;
      throw error;
    });
  }

  return {
    find: (text, address) => {
      const cached = cache.get(text);
      return cached ? toPrincipal(cached) : fetch(text, address).then(toPrincipal);
    },
    clear: () => cache.clear(),
  };
}

/** Returns nothing from the moment at which the credential expires. */
function toPrincipal(found: CachedCredential | undefined): Principal | undefined {
  return found !== undefined && Date.now() < found.expiresAtMs ? found.principal : undefined;
}
