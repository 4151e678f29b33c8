import { invalidRequest } from '../http/problems.ts';
import { refuseRepeated, type RawQuery } from '../http/query.ts';

/** Whether a request asks what an import would do, and for nothing to be stored. */
export function readDryRun(query: RawQuery): boolean {
  refuseRepeated(query);
  const { dryRun } = query;
  if (dryRun === undefined || dryRun === 'false') return false;
  if (dryRun === 'true') return true;
  // An empty one, too: who writes `?dryRun` wants nothing to be stored.
  const detail = 'dryRun must be true or false.';
  throw invalidRequest([{ parameter: 'dryRun', detail }]);
}
