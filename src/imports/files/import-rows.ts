import { createHash } from 'node:crypto';
import { isUnavailable, type Pool } from '../../platform/database/index.ts';
import { Problem } from '../../platform/http/index.ts';
import { importAll, rehearse } from '../service.ts';
import type { Import, Outcome } from '../submission.ts';

export type ImportRows = (imports: Import[]) => Promise<Outcome[]>;

/** Creates the function that imports rows, each on its own. It throws when the database is unavailable. */
export function createImporter(db: Pool, accountId: string): ImportRows {
  return async function importRows(imports) {
    const submissions = imports.map((each) => ({ imports: [each] }));
    const results = await importAll(db, accountId, submissions);
    return results.map((result) => {
      if (result instanceof Error && isUnavailable(result)) throw result;
      return toOutcome(result);
    });
  };
}

/** The outcome of a submission of one import; an unexpected error refuses the import. */
export function toOutcome(result: Outcome[] | Error): Outcome {
  if (!(result instanceof Error) && result[0] !== undefined) return result[0];
  const detail = 'It could not be stored, for a reason that is ours.';
  return new Problem('internal_error', detail, { cause: result });
}

/** Creates the function that finds out the outcomes of rows. It treats the contacts of earlier rows as created. */
export function createDryRun(db: Pool, accountId: string): ImportRows {
  const createdEmails = new Set<number>();

  function adjust(outcome: Outcome, lead: Import['lead'] | undefined): Outcome {
    if (outcome instanceof Problem || !lead || lead instanceof Problem) return outcome;
    if (outcome.action === 'merged') return outcome;
    const email = hashShort(lead.emailKey);
    if (createdEmails.has(email)) return { ...outcome, action: 'merged', matchedBy: 'email' };
    createdEmails.add(email);
    return outcome;
  }

  return async function importRows(imports) {
    const outcomes = await rehearse(db, accountId, imports);
    return outcomes.map((outcome, index) => adjust(outcome, imports[index]?.lead));
  };
}

// A number of 48 bits takes less memory than the email. Among ten million emails about one pair shares a number.
function hashShort(text: string): number {
  return createHash('sha1').update(text).digest().readUIntBE(0, 6);
}
