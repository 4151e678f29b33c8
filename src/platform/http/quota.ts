const MINUTE_MS = 60_000;

/** The kinds of requests that API keys have limits for. */
export type RateName = 'reads' | 'imports' | 'writes';

/** How much a client may do in a period. */
export interface Quota {
  /** Its name in the header fields and in the keys of Redis. */
  name: RateName | 'exports' | 'failures' | `attempts-${string}`;
  /** How much of it a client may take in a period. Infinity means no limit. */
  limit: number;
  /** The length of the period; 1 by default. */
  minutes?: number;
}

/** Returns how long a quota lasts before it begins anew. */
export function getPeriodMs({ minutes = 1 }: Quota): number {
  return minutes * MINUTE_MS;
}

/** How much of a quota a client has left after a request, which took its part or was refused. */
export interface QuotaUse {
  isAllowed: boolean;
  /** How much is left until the quota begins anew. */
  left: number;
  /** The time until then. */
  resetMs: number;
}

/**
 * Counts how much each client takes of a quota. The period of a client begins with its first request. While anything is left, a
 * client may take any amount, so that a batch can be larger than the quota; the period of that client then becomes longer by the
 * time that the amount takes.
 */
export interface RateLimiter {
  quota: Quota;
  /**
   * Takes `amount`, unless other requests have used the quota up. `taken` is the part that this request has taken before. `limit`
   * is the limit of this client, by default that of the quota.
   */
  take: (
    client: string,
    amount: number,
    taken?: number,
    limit?: number,
  ) => QuotaUse | Promise<QuotaUse>;
  /** Gives one request back to the client's quota. */
  giveBack: (client: string) => void | Promise<void>;
}

/** Counts the periods that an amount takes. */
export function countPeriods(amount: number, limit: number): number {
  return Math.max(Math.ceil(amount / limit), 1);
}
