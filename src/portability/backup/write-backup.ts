import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { readAppliedMigrations, type StreamConnection } from '../../platform/database/index.ts';
import { BackupError, END_OF_ROWS, FORMAT, formatComment, formatCopy } from './format.ts';
import type { BackupFooter, TableFooter, TableHeader } from './format.ts';
import { formatLock, listTables } from './store.ts';

interface BackupOptions {
  release: string;
  now: Date;
  secretKeyCheck: string | null;
  /** Takes each table when it is written. */
  onTable?: (table: string, rows: number) => void;
}

/**
 * Writes every row of the schema as of one moment, while the service goes on. Yields the text of the backup and returns its
 * totals.
 */
export async function* writeBackup(
  connection: StreamConnection,
  { release, now, secretKeyCheck, onTable }: BackupOptions,
): AsyncGenerator<string | Buffer, BackupFooter> {
  const tables = await openSnapshot(connection);
  const migrations = (await readAppliedMigrations(connection)).map(({ name, sha256 }) => ({
    name,
    sha256,
  }));
  yield formatComment({
    format: FORMAT,
    release,
    createdAt: now.toISOString(),
    migrations,
    secretKeyCheck,
  });
  const total = { tables: tables.length, rows: 0 };
  for (const table of tables) {
    const { rows } = yield* writeTable(connection, table);
    total.rows += rows;
    onTable?.(table.table, rows);
  }
  await connection.run('commit');
  yield formatComment(total);
  return total;
}

/**
 * Begins a transaction that reads one snapshot. It locks the tables before it takes the snapshot: a migration that rewrote a
 * table in between would leave the table empty in the snapshot.
 */
async function openSnapshot(connection: StreamConnection): Promise<TableHeader[]> {
  const tables = await listTables(connection);
  await connection.run('begin isolation level repeatable read, read only');
  await connection.run(formatLock(tables, 'access share'));
  const locked = await listTables(connection);
  if (JSON.stringify(locked) === JSON.stringify(tables)) return tables;
  throw new BackupError('the schema was migrated meanwhile; start the backup again');
}

async function* writeTable(
  connection: StreamConnection,
  table: TableHeader,
): AsyncGenerator<string | Buffer, TableFooter> {
  yield `${formatComment(table)}${formatCopy(table, 'from stdin')};\n`;
  const copied: Readable = await connection.copyOut(formatCopy(table, 'to stdout'));
  const hash = createHash('sha256');
  let rows = 0;
  for await (const chunk of copied as AsyncIterable<Buffer>) {
    hash.update(chunk);
    rows += countLines(chunk);
    yield chunk;
  }
  const footer = { rows, sha256: hash.digest('hex') };
  // Each row ends with a line break, which this line needs before it.
  yield `${END_OF_ROWS.slice(1)}${formatComment(footer)}`;
  return footer;
}

const LINE_BREAK = 10;

/** Counts the rows in a part of what COPY writes: it escapes a line break within a value. */
export function countLines(chunk: Buffer): number {
  let lines = 0;
  for (let at = chunk.indexOf(LINE_BREAK); at !== -1; at = chunk.indexOf(LINE_BREAK, at + 1))
    lines += 1;
  return lines;
}
