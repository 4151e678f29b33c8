import { Problem, problemDetails, type ProblemDetails } from '../../platform/http/index.ts';
import type { ContactImportResult } from '../schemas.ts';
import type { Import, Origin, Outcome } from '../submission.ts';

/** A record of the import log: the import and its result. */
export interface ImportRecord extends Origin {
  id: string;
  /** ISO 8601 with milliseconds. */
  receivedAt: string;
  payload: string;
  outcome: 'created' | 'merged' | 'refused';
  result: ContactImportResult | ProblemDetails;
}

/** Makes the records of imports; `outcomes` are in the order of `imports`. */
export function makeRecords(imports: Import[], outcomes: Outcome[]): ImportRecord[] {
  return imports.map(({ id, receivedAt, origin, payload }, index) => {
    const outcome = outcomes[index];
    if (outcome === undefined) throw new Error('an import has no outcome');
    return { id, receivedAt: receivedAt.toISOString(), ...origin, payload, ...toResult(outcome) };
  });
}

/** Makes the records of imports that one problem refused. */
export function makeRefusedRecords(problem: Problem, imports: Import[]): ImportRecord[] {
  return makeRecords(
    imports,
    imports.map(() => problem),
  );
}

function toResult(outcome: Outcome): Pick<ImportRecord, 'outcome' | 'result'> {
  return outcome instanceof Problem
    ? { outcome: 'refused', result: problemDetails(outcome) }
    : { outcome: outcome.action, result: outcome };
}

/** Makes the lowest id of an import at a time: an id begins with its time (UUIDv7). */
export function makeFirstId(ms: number): string {
  const digits = Math.max(ms, 0).toString(16).padStart(12, '0');
  return `${digits.slice(0, 8)}-${digits.slice(8)}-0000-0000-000000000000`;
}

/** The largest difference between the time in an id and the time at which its import was received. */
export const ID_SLACK_MS = 60_000;
