/** A backup cannot be written or restored. The message says why, in one sentence for the operator. */
export class BackupError extends Error {}

/*
 * A backup is a gzip file that `zcat FILE | psql` could load into a database of the same schema: one COPY for each table,
 * parents before the tables that refer to them. The lines that begin with `-- {` are JSON for `offplan restore`.
 */
export const FORMAT = 'offplan-backup/1';

/** The first line. */
export interface BackupHeader {
  format: typeof FORMAT;
  /** The release of Offplan that wrote the backup. */
  release: string;
  createdAt: string;
  /** The migrations that had run, which are the version of the schema. */
  migrations: { name: string; sha256: string }[];
  /** A short text made from the key that secrets are encrypted with, by which two keys are compared; null without a key. Older backups have none. */
  secretKeyCheck?: string | null;
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

/** The last line: a backup without it was cut off. */
export interface BackupFooter {
  tables: number;
  rows: number;
}

const COMMENT = '-- ';
/** The line that ends the rows of a table, with the line break before it. */
export const END_OF_ROWS = '\n\\.\n';

export function formatComment(value: BackupHeader | TableHeader | TableFooter | BackupFooter) {
  return `${COMMENT}${JSON.stringify(value)}\n`;
}

/** Parses a line that `formatComment` made. Throws a BackupError for another line. */
export function parseComment<T>(line: string): T {
  try {
    if (line.startsWith(COMMENT)) return JSON.parse(line.slice(COMMENT.length)) as T;
  } catch {
    // It is no JSON.
  }
  throw new BackupError('it is not a backup of Offplan, or it is damaged');
}

export function formatCopy({ table, columns }: TableHeader, direction: string): string {
  return `copy ${quote(table)} (${columns.map(quote).join(', ')}) ${direction}`;
}

/** Quotes a name for SQL. */
export function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
