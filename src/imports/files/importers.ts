import { createHash } from 'node:crypto';
import { isUnavailable, type Pool } from '../../platform/database/index.ts';
import { Problem } from '../../platform/http/index.ts';
import { importAll, rehearse } from '../service.ts';
import type { Import, Outcome } from '../submission.ts';

type ImportRows = (imports: Import[]) => Promise<Outcome[]>;

/** Imports rows, none of which holds another back. Throws when the database cannot be used. */
export function committing(db: Pool, accountId: string): ImportRows {
  return async function commit(imports) {
    const submissions = imports.map((each) => ({ imports: [each] }));
    const results = await importAll(db, accountId, submissions);
    return results.map((result) => {
      if (!(result instanceof Error)) return result[0] ?? failed();
      if (isUnavailable(result)) throw result;
      return failed(result);
    });
  };
}

function failed(cause?: Error): Problem {
  const detail = 'It could not be stored, for a reason that is ours.';
  return new Problem('internal_error', detail, { cause });
}

/** Finds out what importing rows would do. A batch sees what those before it would have made. */
export function rehearsing(db: Pool, accountId: string): ImportRows {
  const made = new Set<number>();

  function seen(outcome: Outcome, { lead }: Import): Outcome {
    if (outcome instanceof Problem || lead instanceof Problem || outcome.action === 'merged')
      return outcome;
    const email = shortHash(lead.emailKey);
    if (made.has(email)) return { ...outcome, action: 'merged', matchedBy: 'email' };
    made.add(email);
    return outcome;
  }

  return async function tryOut(imports) {
    const outcomes = await rehearse(db, accountId, imports);
    return outcomes.map((outcome, index) => {
      const request = imports[index];
      return request ? seen(outcome, request) : outcome;
    });
  };
}

// A number of 48 bits for each new email, not the email: among ten million one pair may be taken for the same.
function shortHash(text: string): number {
  return createHash('sha1').update(text).digest().readUIntBE(0, 6);
}
