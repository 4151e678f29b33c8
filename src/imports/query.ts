import { invalidRequest, type Fault, type RawQuery } from '../platform/http/index.ts';

const DRY_RUN_IN_ANY_SPELLING = /^dry[_-]?run$/i;

/**
 * Whether a request asks what an import would do, and for nothing to be stored. Who gets the name or the value wrong
 * is refused, even where an unknown parameter would be ignored and an empty one not be supplied: they want nothing stored.
 */
export function readDryRun(query: RawQuery): boolean {
  const names = Object.keys(query).filter((name) => DRY_RUN_IN_ANY_SPELLING.test(name));
  const faults = names.flatMap((parameter): Fault[] => {
    const fault = faultOf(parameter, query[parameter]);
    return fault === null ? [] : [{ parameter, detail: `${parameter} ${fault}.` }];
  });
  if (faults.length > 0) throw invalidRequest(faults);
  return query['dryRun'] === 'true';
}

function faultOf(name: string, value: RawQuery[string]): string | null {
  if (name !== 'dryRun') return 'is spelled dryRun';
  if (Array.isArray(value)) return 'may be sent only once';
  return value === 'true' || value === 'false' ? null : 'must be true or false';
}
