import { isUnavailable, type Pool } from '../platform/database/index.ts';
import { Problem } from '../platform/http/index.ts';
import { importAll } from './import-all.ts';
import { SettledError } from './service.ts';
import type { Import, Outcome, RecordDone, Result } from './submission.ts';

/**
 * Imports each import on its own: an internal error refuses one and does not stop the others. Throws when the database is
 * unavailable; then some may be committed.
 */
export async function importEach(
  db: Pool,
  accountId: string,
  imports: Import[],
  recordDone?: RecordDone,
): Promise<Outcome[]> {
  if (imports.length === 0) return [];
  const submissions = imports.map((each) => ({ imports: [each] }));
  return (await importAll(db, accountId, submissions, { recordDone })).map(readOutcome);
}

/**
 * Imports open records again, each on its own, as `importEach` does. An outcome is null when somebody else has settled the
 * record.
 */
export async function retryEach(
  db: Pool,
  accountId: string,
  imports: Import[],
): Promise<(Outcome | null)[]> {
  if (imports.length === 0) return [];
  const submissions = imports.map((each) => ({ imports: [each], retriedId: each.id }));
  const results = await importAll(db, accountId, submissions);
  return results.map((result) => (result instanceof SettledError ? null : readOutcome(result)));
}

function readOutcome(result: Result): Outcome {
  const outcome = result instanceof Error ? undefined : result.outcomes[0];
  if (outcome !== undefined) return outcome;
  if (isUnavailable(result)) throw result;
  const detail = 'The import could not be stored because of an error of the service.';
  return new Problem('internal_error', detail, { cause: result });
}
