import { toStorable } from '../text/index.ts';
import { invalidRequest, type Fault } from './problems.ts';

/** What Fastify's parser makes of a query string: a repeated parameter is an array. */
export type RawQuery = Readonly<Record<string, string | string[] | undefined>>;

// The log keeps them with each import that is refused for them, and a URL has room for thousands.
const TOLD_MAX = 10;
const NAME_MAX_LENGTH = 64;

/** The faults of parameters that were sent more than once, known or not: nobody can tell which was meant. */
export function repeatedFaults(query: RawQuery): Fault[] {
  const repeated = Object.keys(query).filter((name) => Array.isArray(query[name]));
  return repeated.slice(0, TOLD_MAX).map((name) => {
    const parameter = toStorable(name.slice(0, NAME_MAX_LENGTH));
    return {
      parameter,
      detail: `${parameter || 'A parameter without a name'} may be sent only once.`,
    };
  });
}

/** Refuses what `repeatedFaults` finds where nothing else of a query can be wrong. */
export function refuseRepeated(query: RawQuery): void {
  const faults = repeatedFaults(query);
  if (faults.length > 0) throw invalidRequest(faults);
}
