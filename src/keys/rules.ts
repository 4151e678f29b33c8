import type { Access, RateLimits, Scope } from '../access/index.ts';
import { compareValues, type FieldValues } from '../events/index.ts';

/** Applies changes to limits: an absent limit stays the same, and null removes all. */
export function mergeRateLimits(
  stored: RateLimits,
  changes: Partial<RateLimits> | null | undefined,
): RateLimits {
  if (changes === null) return NO_LIMITS;
  return { ...stored, ...changes };
}

export const NO_LIMITS: RateLimits = { reads: null, imports: null, writes: null };

/** The fields of a key that the log of changes has. */
interface ComparedKey {
  name: string;
  access: Access | null;
  scopes: Scope[] | null;
  expiresAt: Date | null;
  rateLimits: RateLimits;
}

/** Lists the fields in which a key changes, with their values. */
export function compareKeys(before: ComparedKey | undefined, after: ComparedKey): FieldValues {
  return compareValues(before === undefined ? {} : listValues(before), listValues(after));
}

function listValues({ name, access, scopes, expiresAt, rateLimits }: ComparedKey) {
  const isUnlimited = Object.values(rateLimits).every((limit) => limit === null);
  return {
    name,
    access,
    scopes,
    expiresAt: expiresAt?.toISOString() ?? null,
    rateLimits: isUnlimited ? null : rateLimits,
  };
}
