import type { Key } from '../api.ts';
import { formatNumber } from '../parts/format.ts';
import { texts } from './texts.ts';

/** The kinds of requests that a key can have a limit of its own for. */
export const LIMITS = ['reads', 'imports', 'writes'] as const;

/** Describes the limits of a key: "Reads 1,200, Leads 60"; an empty text for none. */
export const describeLimits = (limits: Key['rateLimits'] = {}): string =>
  LIMITS.flatMap((name) => {
    const limit = limits[name];
    return limit == null ? [] : `${texts.limitNames[name]} ${formatNumber(limit)}`;
  }).join(', ');
