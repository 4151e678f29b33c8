import { Type } from 'typebox';
import { invalidRequest, type Fault } from './problems.ts';
import { makeParameterFault, type RawQuery } from './query.ts';

const NAME = 'dryRun';
const FAULTS_MAX = 10;

/** The letters of `dryRun`, with anything but letters around them. Most names fail at their first letter, so it is fast. */
const SPELLINGS = /^\P{L}*[dD]\P{L}*[rR]\P{L}*[yY]\P{L}*[rR]\P{L}*[uU]\P{L}*[nN]\P{L}*$/u;

/** Whether a name is `dryRun` in some spelling: `dry_run`, `dryRun[]`, `dryRun `. */
export function isDryRunName(name: string): boolean {
  return SPELLINGS.test(name);
}

/**
 * Whether a request asks for a dry run. A misspelled name or value is a 400, even where an unknown parameter would be ignored and
 * an empty one would count as not supplied: the client wants nothing stored.
 */
export function readDryRun(query: RawQuery): boolean {
  const names = Object.keys(query).filter(isDryRunName);
  const faults = names.slice(0, FAULTS_MAX).flatMap((name): Fault[] => {
    const rule = findBrokenRule(name, query[name]);
    return rule === null ? [] : [makeParameterFault(name, rule)];
  });
  if (faults.length > 0) throw invalidRequest(faults);
  return query[NAME] === 'true';
}

function findBrokenRule(name: string, value: RawQuery[string]): string | null {
  if (name !== NAME) return 'is spelled dryRun.';
  if (Array.isArray(value)) return 'may be sent only once.';
  return value === 'true' || value === 'false' ? null : 'must be true or false.';
}

/** The query of a request that can be a dry run. The request reads it itself, with `readDryRun`. */
export const DRY_RUN_QUERY = Type.Object({
  dryRun: Type.Optional(
    Type.Enum(['true', 'false'], {
      type: 'string',
      description: 'With `true` the answer is the same, and nothing is stored.',
    }),
  ),
});
