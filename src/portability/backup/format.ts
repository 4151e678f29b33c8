import { isUuid } from '../../platform/text/index.ts';

/** A backup cannot be written or restored. The message says why, in one sentence for the operator. */
export class BackupError extends Error {}

/*
 * The format of a backup: a gzip file that `zcat FILE | psql` could load into a database of the same schema. It has one COPY for
 * each table, parents before the tables that refer to them. The lines that begin with `-- {` are JSON for `offplan restore`.
 */
export const FORMAT = 'offplan-backup/1';
/** The format of a backup of one account: the rows of its tables, then its pictures as comments in base64. */
export const ACCOUNT_FORMAT = 'offplan-account-backup/1';

/** The first line. */
export interface BackupHeader {
  format: typeof FORMAT | typeof ACCOUNT_FORMAT;
  /** The account, when the backup is of one account. */
  account?: BackupAccount;
  /** The release of Offplan that wrote the backup. */
  release: string;
  createdAt: string;
  /** The migrations that had run, which are the version of the schema. */
  migrations: { name: string; sha256: string }[];
}

export interface BackupAccount {
  id: string;
  slug: string;
}

/** The line before the rows of a table. */
export interface TableHeader {
  table: string;
  columns: string[];
}

/** The line after the rows of a table. */
export interface TableFooter {
  rows: number;
  /** The SHA-256 of the rows as COPY writes them, in hex. */
  sha256: string;
}

/** The line before the bytes of a file of a picture. */
export interface PictureHeader {
  picture: string;
  bytes: number;
  /** The SHA-256 of the bytes, in hex. */
  sha256: string;
}

/** The last line. A backup without it is incomplete. */
export interface BackupFooter {
  tables: number;
  rows: number;
  /** The number of picture files, in a backup of one account. */
  pictures?: number;
}

/** The start of a line that psql takes for a comment. */
export const COMMENT = '-- ';
/** The line that ends the rows of a table, with the line break before it. */
export const END_OF_ROWS = '\n\\.\n';

/** Formats a line for `offplan restore`, which psql takes for a comment. */
export function formatComment(
  value: BackupHeader | TableHeader | TableFooter | PictureHeader | BackupFooter,
): string {
  return `${COMMENT}${JSON.stringify(value)}\n`;
}

/** Parses a line of `formatComment`. Throws a BackupError for any other line. */
export function parseComment<T>(line: string): T {
  try {
    if (line.startsWith(COMMENT)) return JSON.parse(line.slice(COMMENT.length)) as T;
  } catch {
    // It is not JSON.
  }
  throw new BackupError('it is not a backup of Offplan, or it is damaged');
}

/** Formats the statement that loads the rows of a table. */
export function formatCopyIn({ table, columns }: TableHeader): string {
  return `copy ${quote(table)} (${quoteAll(columns)}) from stdin`;
}

/** Formats the statement that copies the rows of a table, or those of one account. */
export function formatCopyOut({ table, columns }: TableHeader, accountId?: string): string {
  if (accountId === undefined) return `copy ${quote(table)} (${quoteAll(columns)}) to stdout`;
  const ofAccount = `where account_id = '${requireUuid(accountId)}'`;
  return `copy (select ${quoteAll(columns)} from ${quote(table)} ${ofAccount}) to stdout`;
}

/** Checks an id before it becomes text of a statement, since COPY takes no parameters. */
export function requireUuid(id: string): string {
  if (isUuid(id)) return id;
  throw new BackupError('it is damaged: it names no account');
}

const quoteAll = (names: string[]): string => names.map(quote).join(', ');

/** Quotes a name for SQL. */
export function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
