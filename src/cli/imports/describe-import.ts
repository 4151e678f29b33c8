import { parsePayload, type StoredRecord } from '../../imports/index.ts';
import type { ProblemDetails } from '../../platform/http/index.ts';
import { CommandError } from '../command-error.ts';

/** Returns whether the payload of an import was not stored. The log never stores that of a batch which was refused as a whole. */
export function hasLostPayload({ payloadKept, channel, position }: StoredRecord): boolean {
  return !payloadKept && (channel !== 'batch' || position !== null);
}

type Place = Pick<StoredRecord, 'channel' | 'position' | 'file'>;

/** Describes where an import came from: `single`, `batch 3`, `leads.csv:17`. */
export function describePlace({ channel, position, file }: Place): string {
  if (file !== null) return `${file.name}:${position}`;
  return position === null ? channel : `${channel} ${position}`;
}

export function describeLoss({ payloadKept }: StoredRecord): string {
  return payloadKept ? '' : ' (payload not kept)';
}

type ListedState = Pick<
  StoredRecord,
  'outcome' | 'settledAt' | 'settlement' | 'dismissal' | 'undoneAt'
>;

/** Describes the outcome and the settlement of an import. A refused row that a later run has again counts as replaced. */
export function describeState(record: ListedState): string {
  const { outcome, settledAt, settlement, dismissal, undoneAt } = record;
  if (undoneAt !== null) return `${outcome}, undone`;
  if (settledAt === null) return outcome;
  if (dismissal !== null) return `${outcome}, dismissed`;
  return `${outcome}, ${settlement === null ? 'replaced' : 'settled'}`;
}

/** Finds the problem that refused an import; null for an accepted import. */
export function findProblem({ result }: Pick<StoredRecord, 'result'>): ProblemDetails | null {
  return 'code' in result ? result : null;
}

/** Finds the email of the contact that an import created or merged into, else the email in the payload, else null. */
export function findEmail({ result, settlement, payload, file }: StoredRecord): string | null {
  const accepted = settlement ?? result;
  if ('email' in accepted) return accepted.email;
  const { email } = ((payload === null ? null : parsePayload(payload, file).value) ?? {}) as {
    email?: unknown;
  };
  return typeof email === 'string' ? email : null;
}

/** Creates the error of ids that no import in the log of the account has. */
export function createNoImportError(slug: string, ids: string[]): CommandError {
  return new CommandError(
    `the log of account "${slug}" has no import ${ids.join(', ')}; offplan imports list ${slug} shows those it has`,
  );
}
