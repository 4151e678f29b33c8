import type { FastifyRequest } from 'fastify';
import { toStorable } from '../text/index.ts';
import { invalidRequest, type Fault } from './problems.ts';

/** A query as Fastify parses it: a repeated parameter is an array. */
export type RawQuery = Readonly<Record<string, string | string[] | undefined>>;

// The import log stores the faults of each refused import, and a URL has room for thousands.
const FAULTS_MAX = 10;
const NAME_MAX_LENGTH = 64;

/** Shortens a name that a client sent, so that it can be shown and stored. */
export function shortenName(name: string): string {
  return toStorable(name.slice(0, NAME_MAX_LENGTH));
}

/** Makes the fault of a parameter. The rule follows its name. */
export function makeParameterFault(name: string, rule: string): Fault {
  const parameter = shortenName(name);
  return { parameter, detail: `${parameter || 'A parameter without a name'} ${rule}` };
}

/** Finds the parameters that were sent more than once, known or not: the service cannot know which value is meant. */
export function findRepeated(query: RawQuery): Fault[] {
  const repeated = Object.keys(query).filter((name) => Array.isArray(query[name]));
  return repeated
    .slice(0, FAULTS_MAX)
    .map((name) => makeParameterFault(name, 'may be sent only once.'));
}

/**
 * A hook before the validation of routes whose document declares no parameters. It refuses a request that has any: a client that
 * asks for a dry run where there is none wants nothing changed.
 */
export async function refuseParameters(request: FastifyRequest): Promise<void> {
  if (request.routeOptions.schema?.querystring !== undefined) return;
  const faults = Object.keys(request.query as RawQuery)
    .slice(0, FAULTS_MAX)
    .map((name) => makeParameterFault(name, 'is not a parameter here; this path has none.'));
  if (faults.length > 0) throw invalidRequest(faults);
}

/** Throws a 400 when a parameter was sent more than once. */
export function refuseRepeated(query: RawQuery): void {
  const faults = findRepeated(query);
  if (faults.length > 0) throw invalidRequest(faults);
}
