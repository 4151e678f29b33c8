import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import {
  isRefusedData,
  readAppliedMigrations,
  type StreamConnection,
} from '../../platform/database/index.ts';
import { BackupError, FORMAT, formatCopy, parseComment, quote } from './format.ts';
import type { BackupFooter, BackupHeader, TableFooter, TableHeader } from './format.ts';
import { createBackupReader, type BackupReader } from './read-backup.ts';
import { findFilledTable, formatLock, isOfAccounts, listTables } from './store.ts';
import { countLines } from './write-backup.ts';

export interface RestoreReport extends BackupFooter {
  release: string;
  createdAt: string;
  /** The text by which the key of the backup is compared with that of this service; null without a key, undefined in an older backup. */
  secretKeyCheck: string | null | undefined;
  /** Tables of the backed up database that are not of Offplan. */
  leftOut: string[];
}

/**
 * Restores the text of a backup into an empty database of the same schema version, in one transaction. Throws a BackupError
 * when the backup is not whole, or does not fit the database.
 */
export async function restoreBackup(
  connection: StreamConnection,
  source: AsyncIterable<Buffer>,
  onTable: (table: string, rows: number) => void = () => undefined,
): Promise<RestoreReport> {
  const reader = createBackupReader(source);
  const header = await readHeader(reader);
  await connection.run('begin');
  const tables = await listTables(connection);
  await connection.run(formatLock(tables, 'share row exclusive'));
  await requireSameSchema(connection, header);
  await emptyTables(connection, tables);
  const { total, leftOut } = await restoreTables(connection, reader, tables, onTable);
  await requireEnd(reader);
  await connection.run('commit');
  // PostgreSQL plans with statistics, and would gather them only later.
  await connection.run(`analyze ${tables.map(({ table }) => quote(table)).join(', ')}`);
  const { release, createdAt, secretKeyCheck } = header;
  return { release, createdAt, secretKeyCheck, leftOut, ...total };
}

async function readHeader(reader: BackupReader): Promise<BackupHeader> {
  const header = parseComment<BackupHeader>((await reader.readLine()) ?? '');
  const format: string = header.format;
  if (format === FORMAT) return header;
  throw new BackupError(`its format is ${format}, and this release reads ${FORMAT}`);
}

async function requireSameSchema(
  connection: StreamConnection,
  { migrations, release }: BackupHeader,
): Promise<void> {
  const applied = await readAppliedMigrations(connection);
  const toText = (list: BackupHeader['migrations']): string =>
    list.map(({ name, sha256 }) => `${name} ${sha256}`).join('\n');
  if (toText(migrations) === toText(applied)) return;
  throw new BackupError(
    `it has the schema version ${migrations.length}, and the database has ${applied.length}: restore it with release ${release} of Offplan, then upgrade`,
  );
}

/** Removes what the service has noted for itself. Rows of an account are never removed. */
async function emptyTables(connection: StreamConnection, tables: TableHeader[]): Promise<void> {
  const filled = await findFilledTable(connection, tables);
  if (filled !== undefined)
    throw new BackupError(
      `the database is not empty: its table ${filled} has rows. Restore into a new database, or a new OFFPLAN_DATA_DIR`,
    );
  for (const table of tables.toReversed())
    if (!isOfAccounts(table)) await connection.run(`delete from ${quote(table.table)}`);
}

async function restoreTables(
  connection: StreamConnection,
  reader: BackupReader,
  tables: TableHeader[],
  onTable: (table: string, rows: number) => void,
) {
  const missing = new Set(tables.map(({ table }) => table));
  const leftOut: string[] = [];
  const read = { tables: 0, rows: 0 };
  const total = { tables: 0, rows: 0 };
  for (;;) {
    const line = await reader.readLine();
    if (line === null) throw new BackupError('it was cut off');
    const next = parseComment<TableHeader | BackupFooter>(line);
    if (!('table' in next)) {
      requireTotals(next, read, missing);
      return { total, leftOut };
    }
    // The COPY statement for psql.
    await reader.readLine();
    const isOurs = missing.delete(next.table);
    const rows = await restoreTable(isOurs ? connection : null, reader, next);
    count(read, rows);
    if (!isOurs) leftOut.push(next.table);
    else {
      count(total, rows);
      onTable(next.table, rows);
    }
  }
}

/** The check of the compressed file comes behind its last row, so that nothing may be committed before the file has ended. */
async function requireEnd(reader: BackupReader): Promise<void> {
  if ((await reader.readLine()) !== null)
    throw new BackupError('it is damaged: something follows its end');
}

function count(total: BackupFooter, rows: number): void {
  total.tables += 1;
  total.rows += rows;
}

function requireTotals(said: BackupFooter, read: BackupFooter, missing: Set<string>): void {
  const isWhole = said.tables === read.tables && said.rows === read.rows && missing.size === 0;
  if (!isWhole) throw new BackupError('it is damaged: tables or rows are missing');
}

/** Copies the rows of a table into the database, or only reads them when there is no connection. Returns their number. */
async function restoreTable(
  connection: StreamConnection | null,
  reader: BackupReader,
  header: TableHeader,
): Promise<number> {
  const hash = createHash('sha256');
  let rows = 0;
  async function* readCounted(): AsyncGenerator<Buffer> {
    for await (const chunk of reader.readRows()) {
      hash.update(chunk);
      rows += countLines(chunk);
      yield chunk;
    }
  }
  if (connection === null) for await (const _chunk of readCounted());
  else
    await pipeline(readCounted, await connection.copyIn(formatCopy(header, 'from stdin'))).catch(
      (error: unknown) => {
        throw isRefusedData(error)
          ? new BackupError(`it is damaged: PostgreSQL refuses rows of ${header.table}`)
          : error;
      },
    );
  const footer = parseComment<TableFooter>((await reader.readLine()) ?? '');
  if (footer.rows === rows && footer.sha256 === hash.digest('hex')) return rows;
  throw new BackupError(`it is damaged: the rows of ${header.table} are not those that were saved`);
}
