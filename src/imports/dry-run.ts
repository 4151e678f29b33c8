import { pointTo } from '../platform/fields/index.ts';
import {
  invalidRequest,
  shortenName,
  type Fault,
  type FieldFault,
  type RawQuery,
} from '../platform/http/index.ts';
import { listUnknownFields } from './unknown-fields.ts';

const NAME = 'dryRun';
const FAULTS_MAX = 10;

/** Whether a name is `dryRun` in some spelling: `dry_run`, `dryRun[]`, `dryRun `. */
function isDryRunName(name: string): boolean {
  return name.replace(/\P{L}+/gu, '').toLowerCase() === 'dryrun';
}

/**
 * Whether a request asks for a dry run. A slip in the name or in the value is a 400, even where an unknown parameter would be
 * ignored and an empty one would count as not supplied: the client wants nothing stored.
 */
export function readDryRun(query: RawQuery): boolean {
  const names = Object.keys(query).filter(isDryRunName);
  const faults = names.slice(0, FAULTS_MAX).flatMap((name): Fault[] => {
    const fault = findParameterFault(name, query[name]);
    const parameter = shortenName(name);
    return fault === null ? [] : [{ parameter, detail: `${parameter} ${fault}.` }];
  });
  if (faults.length > 0) throw invalidRequest(faults);
  return query[NAME] === 'true';
}

function findParameterFault(name: string, value: RawQuery[string]): string | null {
  if (name !== NAME) return 'is spelled dryRun';
  if (Array.isArray(value)) return 'may be sent only once';
  return value === 'true' || value === 'false' ? null : 'must be true or false';
}

/** Finds the members `dryRun`, in any spelling, of a body or an item. They are the one exception to ignoring unknown fields. */
export function findDryRunMembers(value: unknown): FieldFault[] {
  const names = listUnknownFields(value).filter(isDryRunName).slice(0, FAULTS_MAX);
  return names.map((name) => ({
    pointer: pointTo('', shortenName(name)),
    detail: `${shortenName(name)} cannot be in the body. Ask for a dry run with ?dryRun=true in the URL.`,
  }));
}
