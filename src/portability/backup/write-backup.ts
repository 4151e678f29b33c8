import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { findAccountBySlug } from '../../accounts/index.ts';
import { readAppliedMigrations, type StreamConnection } from '../../platform/database/index.ts';
import {
  ACCOUNT_FORMAT,
  BackupError,
  END_OF_ROWS,
  FORMAT,
  formatComment,
  formatCopyIn,
  formatCopyOut,
  type BackupAccount,
  type BackupFooter,
  type BackupHeader,
  type TableFooter,
  type TableHeader,
} from './format.ts';
import { writePictures } from './write-pictures.ts';
import { formatLock, isOfAccounts, listTables } from './store.ts';

interface BackupOptions {
  release: string;
  now: Date;
  /** The account to write, with its pictures. Without it, all accounts are written, without pictures. */
  account?: { slug: string; mediaDir: string };
  /** Receives each table when it is written. */
  onTable?: (table: string, rows: number) => void;
}

/** The totals of a backup. */
export interface BackupTotal extends BackupFooter {
  /** How many pictures of the account have no file. */
  missingPictures?: number;
}

/**
 * Writes every row of the schema, or of one account, as of one moment, while the service runs. Yields the text of the backup, and
 * returns its totals.
 */
export async function* writeBackup(
  connection: StreamConnection,
  { release, now, account: chosen, onTable }: BackupOptions,
): AsyncGenerator<string | Buffer, BackupTotal> {
  const all = await openSnapshot(connection);
  const account = chosen && (await findAccount(connection, chosen.slug));
  const tables = account === undefined ? all : all.filter(isOfAccounts);
  yield formatComment({
    ...(account === undefined ? { format: FORMAT } : { format: ACCOUNT_FORMAT, account }),
    release,
    createdAt: now.toISOString(),
    migrations: await listMigrations(connection),
  });
  const total: BackupTotal = { tables: tables.length, rows: 0 };
  for (const table of tables) {
    const { rows } = yield* writeTable(connection, table, account?.id);
    total.rows += rows;
    onTable?.(table.table, rows);
  }
  if (chosen && account)
    Object.assign(total, yield* writePictures(connection, chosen.mediaDir, account.id));
  await connection.run('commit');
  const { missingPictures: _, ...footer } = total;
  yield formatComment(footer);
  return total;
}

async function findAccount(connection: StreamConnection, slug: string): Promise<BackupAccount> {
  const id = await findAccountBySlug(connection, slug);
  if (id !== undefined) return { id, slug };
  throw new BackupError(`there is no account "${slug}"; offplan accounts list shows the accounts`);
}

async function listMigrations(connection: StreamConnection): Promise<BackupHeader['migrations']> {
  const applied = await readAppliedMigrations(connection);
  return applied.map(({ name, sha256 }) => ({ name, sha256 }));
}

/**
 * Begins a transaction that reads one snapshot. It locks the tables before it takes the snapshot: if a migration rewrote a table
 * in between, the table would be empty in the snapshot.
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
  accountId?: string,
): AsyncGenerator<string | Buffer, TableFooter> {
  yield `${formatComment(table)}${formatCopyIn(table)};\n`;
  const copied: Readable = await connection.copyOut(formatCopyOut(table, accountId));
  const hash = createHash('sha256');
  let rows = 0;
  for await (const chunk of copied as AsyncIterable<Buffer>) {
    hash.update(chunk);
    rows += countLines(chunk);
    yield chunk;
  }
  const footer = { rows, sha256: hash.digest('hex') };
  // The last row ends with a line break, which this line must begin with.
  yield `${END_OF_ROWS.slice(1)}${formatComment(footer)}`;
  return footer;
}

const LINE_BREAK = 10;

/** Counts the rows in a part of the output of COPY, which escapes line breaks within values. */
export function countLines(chunk: Buffer): number {
  let lines = 0;
  for (let at = chunk.indexOf(LINE_BREAK); at !== -1; at = chunk.indexOf(LINE_BREAK, at + 1))
    lines += 1;
  return lines;
}
