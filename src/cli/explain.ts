import {
  isDiskFull,
  isMissingRight,
  isStatementMixUp,
  isUnavailable,
  SchemaError,
} from '../platform/database/index.ts';
import { EmbeddedPostgresError } from '../platform/postgres/index.ts';
import { AccountFileError } from '../portability/index.ts';
import { CommandError } from './command-error.ts';
import { OutputError } from './output.ts';

/** The errors that have a message for the operator. */
const OPERATOR_ERRORS = [CommandError, SchemaError, EmbeddedPostgresError];

/** Explains to the operator, in lines, why a command failed. */
export function explainError(error: unknown): string[] {
  if (error instanceof OutputError && error.isClosedPipe) return [];
  if (error instanceof AccountFileError) return [error.message, ...explainFaults(error)];
  if (OPERATOR_ERRORS.some((each) => error instanceof each)) return [(error as Error).message];
  if (isDiskFull(error))
    return [`the disk of the database is full: free some space there (${describeReason(error)})`];
  if (isMissingRight(error))
    return [
      `the role that DATABASE_URL names lacks a right: ${describeReason(error)}${describeGrant(error)}`,
    ];
  if (isStatementMixUp(error))
    return [
      `the pooler that DATABASE_URL names mixes up prepared statements (${describeReason(error)}): transaction mode needs PgBouncer 1.21 or later with max_prepared_statements`,
    ];
  if (isTlsError(error))
    return [
      // After a semicolon, Node.js adds a hint about its own flags; leave it out.
      `the database cannot be reached over TLS: ${describeReason(error).split(';')[0]}; see sslmode and sslrootcert in DATABASE_URL`,
    ];
  if (isUnavailable(error)) return [`the database cannot be reached: ${describeReason(error)}`];
  return [`something went wrong: ${describeReason(error)}`];
}

function explainFaults({ faults }: AccountFileError): string[] {
  return faults.map(({ pointer, detail }) =>
    pointer === '' ? `The file ${detail}` : `${pointer}: ${detail}`,
  );
}

/** Returns whether the server does not support TLS, requires it, or has a certificate that the client refuses. */
function isTlsError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code = '', message }: NodeJS.ErrnoException = error;
  return (
    /^(ERR_TLS_|ERR_SSL_|CERT_|SELF_SIGNED_|DEPTH_ZERO_|UNABLE_TO_)/.test(code) ||
    /SSL connection|no encryption$/.test(message)
  );
}

/** Names the statement that gives a role the right to use a schema: since PostgreSQL 15, a new role may not create tables in it. */
function describeGrant(error: unknown): string {
  const [, schema] = /^permission denied for schema (\w+)$/.exec(describeReason(error)) ?? [];
  return schema === undefined
    ? ''
    : `; the owner of the database can give it: GRANT USAGE, CREATE ON SCHEMA ${schema} TO <role>`;
}

function describeReason(error: unknown): string {
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
  return first instanceof Error ? (first.message.split('\n')[0] ?? '') : String(error);
}
