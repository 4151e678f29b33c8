import { type ListedRecord, parsePayload } from '../imports/index.ts';
import type { ProblemDetails } from '../platform/http/index.ts';
import { CommandError } from './command-error.ts';
import { onOneLine } from './output.ts';

type Place = Pick<ListedRecord, 'channel' | 'position' | 'file'>;

/** The place that an import came from: `single`, `batch 3`, `leads.csv:17`. */
export function placeOf({ channel, position, file }: Place): string {
  if (file !== null) return `${onOneLine(file.name)}:${position}`;
  return position === null ? channel : `${channel} ${position}`;
}

export function stateOf({ outcome, settledAt }: Pick<ListedRecord, 'outcome' | 'settledAt'>) {
  return settledAt === null ? outcome : `${outcome}, settled`;
}

/** The problem that refused an import, or null. */
export function problemOf({ result }: Pick<ListedRecord, 'result'>): ProblemDetails | null {
  return 'code' in result ? result : null;
}

/** The email of the contact that an import created or merged into, else the email in its payload, else null. */
export function emailOf({ result, settlement, payload, file }: ListedRecord): string | null {
  const accepted = settlement ?? result;
  if ('email' in accepted) return onOneLine(accepted.email);
  const { email } = ((payload === null ? null : parsePayload(payload, file)) ?? {}) as {
    email?: unknown;
  };
  return typeof email === 'string' ? onOneLine(email) : null;
}

/** Makes the error of ids that no import in the account's log has. */
export function noImports(slug: string, ids: string[]): CommandError {
  return new CommandError(
    `the log of account "${slug}" has no import ${ids.join(', ')}; offplan imports list ${slug} shows those it has`,
  );
}
