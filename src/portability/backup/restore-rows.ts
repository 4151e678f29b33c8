import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { isRefusedData, type StreamConnection } from '../../platform/database/index.ts';
import {
  BackupError,
  formatCopyIn,
  parseComment,
  type BackupFooter,
  type PictureHeader,
  type TableFooter,
  type TableHeader,
} from './format.ts';
import type { BackupReader } from './read-backup.ts';
import { countRowsOfAccount } from './store.ts';
import { countLines } from './write-backup.ts';

export interface RestoreOptions {
  /** The tables of the database that the backup must have. */
  tables: TableHeader[];
  /** The only account whose rows the backup may have, and the function that restores its pictures. */
  account?: { id: string; takePicture: (header: PictureHeader) => Promise<void> };
  onTable: (table: string, rows: number) => void;
}

/** Copies the rows of a backup into empty tables, up to the last line of the backup. */
export async function restoreRows(
  connection: StreamConnection,
  reader: BackupReader,
  { tables, account, onTable }: RestoreOptions,
): Promise<{ total: BackupFooter; leftOut: string[] }> {
  const missing = new Set(tables.map(({ table }) => table));
  const leftOut: string[] = [];
  const read = { tables: 0, rows: 0, pictures: 0 };
  const total = { tables: 0, rows: 0 };
  for (;;) {
    const line = await reader.readLine();
    if (line === null) throw new BackupError('it was cut off');
    const next = parseComment<TableHeader | PictureHeader | BackupFooter>(line);
    if ('picture' in next) {
      await account?.takePicture(next);
      read.pictures += 1;
      continue;
    }
    if (!('table' in next)) {
      requireTotals(next, read, missing);
      return { total: { ...total, ...(account && { pictures: read.pictures }) }, leftOut };
    }
    // Skip the COPY statement for psql.
    await reader.readLine();
    const isOurs = missing.delete(next.table);
    const rows = await restoreTable(isOurs ? connection : null, reader, next);
    count(read, rows);
    if (!isOurs) leftOut.push(next.table);
    else {
      if (account !== undefined) await requireOwnRows(connection, account.id, next, rows);
      count(total, rows);
      onTable(next.table, rows);
    }
  }
}

/** Checks that all copied rows belong to the account. It had no rows before. */
async function requireOwnRows(
  connection: StreamConnection,
  accountId: string,
  { table }: TableHeader,
  rows: number,
): Promise<void> {
  if ((await countRowsOfAccount(connection, accountId, table)) !== rows)
    throw new BackupError(`it is damaged: ${table} has rows of another account`);
}

function count(total: BackupFooter, rows: number): void {
  total.tables += 1;
  total.rows += rows;
}

function requireTotals(
  said: BackupFooter,
  read: Required<BackupFooter>,
  missing: Set<string>,
): void {
  const isWhole =
    said.tables === read.tables &&
    said.rows === read.rows &&
    (said.pictures ?? 0) === read.pictures &&
    missing.size === 0;
  if (!isWhole) throw new BackupError('it is damaged: tables, rows or pictures are missing');
}

/** Copies the rows of a table into the database. Without a connection, it only reads them. Returns their number. */
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
    await pipeline(readCounted, await connection.copyIn(formatCopyIn(header))).catch(
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
