const MINUTE_MS = 60_000;

/** The kinds of requests that API keys have limits for. */
export type RateName = 'reads' | 'imports' | 'writes';

/** How much a client may do in a period. */
export interface Quota {
  /** Its name in the header fields and in the keys of Redis. */
  name: RateName | 'exports' | 'failures' | `attempts-${string}`;
  /** How much of it in a minute, or in `minutes`. Infinity means no limit. */
  perMinute: number;
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
   * Takes `amount`, unless the quota is used up. `taken` is what the same request has taken before; it does not use the quota up.
   * `perMinute` is the limit of this client, by default that of the quota.
   */
  take: (
    client: string,
    amount: number,
    taken?: number,
    perMinute?: number,
  ) => QuotaUse | Promise<QuotaUse>;
  /** Gives one request back to the client's quota. */
  giveBack: (client: string) => void | Promise<void>;
}

/** Counts the periods that an amount takes. */
export function countPeriods(amount: number, perMinute: number): number {
  return Math.max(Math.ceil(amount / perMinute), 1);
}
