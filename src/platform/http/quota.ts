const MINUTE_MS = 60_000;

/** The kinds of requests that API keys have limits for. */
export type RateName = 'reads' | 'imports' | 'writes';

/** How much a client may do in a minute. */
export interface Quota {
  /** The name in the header fields, and in the keys in Redis. */
  name: RateName | 'exports' | 'failures' | `attempts-${string}`;
  /** How much of it in a minute, or in `minutes`. Infinity: any amount. */
  perMinute: number;
  minutes?: number;
}

/** Returns how long a quota lasts before it begins anew. */
export function getPeriodMs({ minutes = 1 }: Quota): number {
  return minutes * MINUTE_MS;
}

/** How much of a quota a client has left, after a request has taken its part or was refused. */
export interface QuotaUse {
  isAllowed: boolean;
  /** How much is left of the quota until it begins anew. */
  left: number;
  resetMs: number;
}

/**
 * Counts how much clients take of a quota. The minute of a client begins with its first request. A client with anything left
 * may take any amount, so that a batch larger than the quota is possible; the excess is paid off by as many minutes more.
 */
export interface RateLimiter {
  quota: Quota;
  /**
   * `taken` is the part that this request has taken before: it is not refused for that. `perMinute` is the limit of this
   * client, when it is not that of the quota.
   */
  take: (
    client: string,
    amount: number,
    taken?: number,
    perMinute?: number,
  ) => QuotaUse | Promise<QuotaUse>;
  /** Gives a client back one that it took and that does not count. */
  giveBack: (client: string) => void | Promise<void>;
}

/** Counts the periods that an amount takes. */
export function countPeriods(amount: number, perMinute: number): number {
  return Math.max(Math.ceil(amount / perMinute), 1);
}
