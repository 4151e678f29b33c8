import type { RateLimits } from '../access/index.ts';

/** Applies changes to limits: one that is left out stays, and null takes all away. */
export function mergeRateLimits(
  stored: RateLimits,
  changes: Partial<RateLimits> | null | undefined,
): RateLimits {
  if (changes === null) return NO_LIMITS;
  return { ...stored, ...changes };
}

export const NO_LIMITS: RateLimits = { reads: null, imports: null, writes: null };
