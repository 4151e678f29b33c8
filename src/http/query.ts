import { invalidRequest, type Fault } from './problems.ts';

/** What Fastify's parser makes of a query string: a repeated parameter is an array. */
export type RawQuery = Readonly<Record<string, string | string[] | undefined>>;

/** The faults of parameters that were sent more than once, known or not: nobody can tell which was meant. */
export function repeatedFaults(query: RawQuery): Fault[] {
  return Object.entries(query).flatMap(([parameter, value]) =>
    Array.isArray(value) ? [{ parameter, detail: `${parameter} may be sent once.` }] : [],
  );
}

/** Refuses what `repeatedFaults` finds where nothing else of a query can be wrong. */
export function refuseRepeated(query: RawQuery): void {
  const faults = repeatedFaults(query);
  if (faults.length > 0) throw invalidRequest(faults);
}
