import type { Access, RateLimits, Scope } from '../access/index.ts';
import { compareValues, type FieldValues } from '../events/index.ts';
import { fold, hasWords } from '../platform/text/index.ts';
import type { KeyFilter } from './schemas.ts';

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

/** The fields of a key that the list filters and sorts by. */
interface ListedKey {
  id: string;
  name: string;
  lastFour: string | null;
  previousLastFour: string | null;
  createdAt: Date;
  revokedAt: Date | null;
}

/** Whether a key matches the filter of a list. */
export function matchesFilter(
  { name, lastFour, previousLastFour, revokedAt }: ListedKey,
  { lastFour: wanted, q, revoked }: KeyFilter,
): boolean {
  return (
    (wanted === undefined || wanted === lastFour || wanted === previousLastFour) &&
    (q === undefined || hasWords(q, [name])) &&
    (revoked === undefined || revoked === (revokedAt !== null))
  );
}

/** Creates the function that gives the place of a key in a list with this sort. */
export function choosePlace(sort: string) {
  return ({ id, name, createdAt }: ListedKey) => ({
    id,
    value: sort === 'name' ? fold(name) : createdAt.getTime(),
  });
}
