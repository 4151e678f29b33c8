import { Problem, problemDetails, type ProblemDetails } from '../../platform/http/index.ts';
import type { ContactImportResult } from '../schemas.ts';
import type { Import, Origin, Outcome } from '../submission.ts';

/** A record of the import log: the import and its result. */
export interface ImportRecord extends Origin {
  id: string;
  /** The time in ISO 8601 with milliseconds. */
  receivedAt: string;
  /** Null when the log does not keep it. */
  payload: string | null;
  outcome: 'created' | 'merged' | 'refused';
  result: ContactImportResult | ProblemDetails;
  /** The version of the contact after the import; null when it was refused. */
  contactVersion: number | null;
  /** The names of unknown members of the payload. */
  ignoredFields: string[];
  /** The ids of open records that this one replaces. */
  replacedIds?: string[];
}

/** Makes the records of imports. `versions` has the versions of their contacts, by the contacts' ids. */
export function makeRecords(
  imports: (Import & { outcome: Outcome })[],
  versions = new Map<string, number>(),
): ImportRecord[] {
  return imports.map(
    ({ id, receivedAt, origin, payload, ignoredFields = [], replacedIds, outcome }) => ({
      id,
      receivedAt: receivedAt.toISOString(),
      ...origin,
      payload: isWholeBatch(origin) ? null : payload,
      ignoredFields,
      ...(replacedIds && { replacedIds }),
      ...toResult(outcome),
      contactVersion: outcome instanceof Problem ? null : (versions.get(outcome.contactId) ?? null),
    }),
  );
}

/** Whether an import is a batch that was refused as a whole. Only its sender can send it again. */
function isWholeBatch({ channel, position }: Origin): boolean {
  return channel === 'batch' && position === null;
}

function toResult(outcome: Outcome): Pick<ImportRecord, 'outcome' | 'result'> {
  return outcome instanceof Problem
    ? { outcome: 'refused', result: problemDetails(outcome) }
    : { outcome: outcome.action, result: outcome };
}

/** The largest difference between the time in an id and the time at which its import was received. */
export const ID_SLACK_MS = 60_000;
