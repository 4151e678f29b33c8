import { invalidRequest } from '../http/problems.ts';
import { refuseRepeated, type RawQuery } from '../http/query.ts';

/** Whether a request asks what an import would do, and for nothing to be stored. */
export function readDryRun(query: RawQuery): boolean {
  refuseRepeated(query);
  const { dryRun } = query;
  if (dryRun === undefined || dryRun === '' || dryRun === 'false') return false;
  if (dryRun === 'true') return true;
  const detail = 'dryRun must be true or false.';
  throw invalidRequest([{ parameter: 'dryRun', detail }]);
}
