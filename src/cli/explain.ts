import { ConfigError } from '../platform/config/index.ts';
import { isUnavailable, SchemaError } from '../platform/database/index.ts';
import { EmbeddedPostgresError } from '../platform/postgres/index.ts';
import { AccountFileError } from '../portability/index.ts';
import { CommandError } from './command-error.ts';
import { OutputError } from './output.ts';

/** The errors that have a message for the operator. */
const OPERATOR_ERRORS = [CommandError, ConfigError, SchemaError, EmbeddedPostgresError];

/** Explains to the operator, in lines, why a command failed. */
export function explainError(error: unknown): string[] {
  if (error instanceof OutputError && error.isClosedPipe) return [];
  if (error instanceof AccountFileError) return [error.message, ...explainFaults(error)];
  if (OPERATOR_ERRORS.some((each) => error instanceof each)) return [(error as Error).message];
  if (isUnavailable(error)) return [`the database cannot be reached: ${describeReason(error)}`];
  return [`something went wrong: ${describeReason(error)}`];
}

function explainFaults({ faults }: AccountFileError): string[] {
  return faults.map(({ pointer, detail }) =>
    pointer === '' ? `The file ${detail}` : `${pointer}: ${detail}`,
  );
}

function describeReason(error: unknown): string {
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
  return first instanceof Error ? (first.message.split('\n')[0] ?? '') : String(error);
}
