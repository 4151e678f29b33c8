/** How much a client may do in a minute. */
export interface Quota {
  /** What the header fields call it, and the keys in Redis. */
  name: 'reads' | 'imports' | 'failures';
  perMinute: number;
}

export interface Taken {
  isAllowed: boolean;
  /** How much is left of the quota until it begins anew. */
  left: number;
  /** When that is. */
  resetMs: number;
}

/**
 * Counts what clients take of a quota. Their minute begins with the first that they take. Who has anything left may
 * take any amount, so that a batch larger than the quota is possible; what is taken too much is paid off by as many
 * minutes more.
 */
export interface Counter {
  quota: Quota;
  /** `held` is what this request has taken before, and is not refused for. */
  take: (client: string, amount: number, held?: number) => Taken | Promise<Taken>;
}

export const MINUTE_MS = 60_000;

/** The minutes that an amount takes. */
export function minutesOf(amount: number, { perMinute }: Quota): number {
  return Math.max(Math.ceil(amount / perMinute), 1);
}
