import { Problem, problemDetails, type ProblemDetails } from '../../platform/http/index.ts';
import type { ContactImportResult } from '../schemas.ts';
import type { Import, Origin, Outcome } from '../submission.ts';

/** A line of the import log: what was asked for, and what became of it. */
export interface ImportRecord extends Origin {
  id: string;
  /** ISO 8601 with milliseconds. */
  receivedAt: string;
  payload: string;
  outcome: 'created' | 'merged' | 'refused';
  result: ContactImportResult | ProblemDetails;
}

/** The records of imports; `outcomes` are theirs, in order. */
export function recordsOf(imports: Import[], outcomes: Outcome[]): ImportRecord[] {
  return imports.map(({ id, receivedAt, origin, payload }, index) => {
    const outcome = outcomes[index];
    if (outcome === undefined) throw new Error('an import has no outcome');
    return { id, receivedAt: receivedAt.toISOString(), ...origin, payload, ...resultOf(outcome) };
  });
}

/** The records of imports that one problem refused altogether. */
export function refusedBy(problem: Problem, imports: Import[]): ImportRecord[] {
  return recordsOf(
    imports,
    imports.map(() => problem),
  );
}

function resultOf(outcome: Outcome): Pick<ImportRecord, 'outcome' | 'result'> {
  return outcome instanceof Problem
    ? { outcome: 'refused', result: problemDetails(outcome) }
    : { outcome: outcome.action, result: outcome };
}
