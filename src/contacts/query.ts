import { invalidRequest } from '../http/problems.ts';

/** Whether a request asks what an import would do, and for nothing to be stored. */
export function readDryRun(query: unknown): boolean {
  const { dryRun } = query as { dryRun?: string | string[] };
  if (dryRun === undefined || dryRun === '' || dryRun === 'false') return false;
  if (dryRun === 'true') return true;
  const detail = 'dryRun must be true or false, and be sent once.';
  throw invalidRequest([{ parameter: 'dryRun', detail }]);
}
