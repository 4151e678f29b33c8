import type { Key } from '../api.ts';
import { formatNumber } from '../parts/text/format.ts';
import { texts } from './texts.ts';

/** The kinds of requests that a key can have a limit of its own for. */
export const LIMITS = ['reads', 'imports', 'writes'] as const;

/** Describes the limits of a key: "Reads 1,200, Leads 60"; an empty text for none. The audit can have limits of other names. */
export function describeLimits(limits: Key['rateLimits'] = {}): string {
  const values: Record<string, number | null | undefined> = limits;
  const labels: Record<string, string | undefined> = texts.limitNames;
  const names = new Set<string>([...LIMITS, ...Object.keys(limits)]);
  return [...names]
    .flatMap((name) => {
      const limit = values[name];
      return limit == null ? [] : `${labels[name] ?? name} ${formatNumber(limit)}`;
    })
    .join(', ');
}
