import { findAccountBySlug } from '../../accounts/index.ts';
import { readAppliedMigrations, type StreamConnection } from '../../platform/database/index.ts';
import {
  ACCOUNT_FORMAT,
  BackupError,
  FORMAT,
  parseComment,
  quote,
  requireUuid,
  type BackupAccount,
  type BackupFooter,
  type BackupHeader,
  type TableHeader,
} from './format.ts';
import { createBackupReader, type BackupReader } from './read-backup.ts';
import { createPictureTarget } from './restore-pictures.ts';
import { restoreRows } from './restore-rows.ts';
import { findFilledTable, formatLock, isOfAccounts, listTables } from './store.ts';

/** The backup that was restored, for the operator. */
export interface RestoreReport extends BackupFooter {
  release: string;
  /** The account, when the backup is of one account. */
  account?: BackupAccount;
  createdAt: string;
  /** Tables of the backed-up database that are not Offplan's. */
  leftOut: string[];
}

interface RestoreOptions {
  /** The folder of the pictures. */
  mediaDir: string;
  onTable?: (table: string, rows: number) => void;
  /** Called right before the COMMIT: from then on, nobody can undo the restore. */
  onCommit?: () => void;
}

/**
 * Restores the text of a backup in one transaction. A backup of all accounts needs an empty database; one of one account may go
 * beside other accounts. Throws a BackupError when the backup is incomplete, or does not fit the database.
 */
export async function restoreBackup(
  connection: StreamConnection,
  source: AsyncIterable<Buffer>,
  { mediaDir, onTable = () => undefined, onCommit }: RestoreOptions,
): Promise<RestoreReport> {
  const reader = createBackupReader(source);
  const header = await readHeader(reader);
  await connection.run('begin');
  const tables = await prepareTables(connection, header);
  const { account } = header;
  const pictures = account && createPictureTarget(mediaDir, account.id);
  const { total, leftOut } = await restoreRows(connection, reader, {
    tables,
    onTable,
    ...(account &&
      pictures && {
        account: { id: account.id, takePicture: (next) => pictures.restore(reader, next) },
      }),
  })
    .then(async (restored) => {
      await requireEnd(reader);
      return restored;
    })
    .catch(async (error: unknown) => {
      await pictures?.discard();
      throw error;
    });
  onCommit?.();
  await connection.run('commit');
  // PostgreSQL needs statistics for its plans, and would gather them only later.
  await connection.run(`analyze ${tables.map(({ table }) => quote(table)).join(', ')}`);
  const { release, createdAt } = header;
  return { release, createdAt, leftOut, ...total, ...(account && { account }) };
}

async function readHeader(reader: BackupReader): Promise<BackupHeader> {
  const header = parseComment<BackupHeader>((await reader.readLine()) ?? '');
  const format: string = header.format;
  if (format === FORMAT) return header;
  if (format === ACCOUNT_FORMAT) {
    requireUuid(header.account?.id ?? '');
    return header;
  }
  throw new BackupError(
    `its format is ${format}, and this release reads ${FORMAT} and ${ACCOUNT_FORMAT}`,
  );
}

/** Locks the tables that the backup must have, and checks that its rows can be copied into them. */
async function prepareTables(
  connection: StreamConnection,
  header: BackupHeader,
): Promise<TableHeader[]> {
  const { account } = header;
  const all = await listTables(connection);
  const tables = account === undefined ? all : all.filter(isOfAccounts);
  // With one account, the service goes on serving the others. Both modes block migrations.
  const mode = account === undefined ? 'share row exclusive' : 'row exclusive';
  await connection.run(formatLock(tables, mode));
  await requireSameSchema(connection, header);
  if (account === undefined) await emptyTables(connection, tables);
  else await requireNoAccount(connection, tables, account);
  return tables;
}

async function requireNoAccount(
  connection: StreamConnection,
  tables: TableHeader[],
  { id, slug }: BackupAccount,
): Promise<void> {
  const found = await findAccountBySlug(connection, slug);
  if (found !== undefined && found !== id)
    throw new BackupError(
      `an account "${slug}" is already there; give that one another slug with offplan accounts rename, or delete it`,
    );
  const filled = await findFilledTable(connection, tables, id);
  if (filled !== undefined)
    throw new BackupError(
      `the account is already there: the table ${filled} has rows of it; delete the account first with offplan accounts delete`,
    );
}

async function requireSameSchema(
  connection: StreamConnection,
  { migrations, release, account }: BackupHeader,
): Promise<void> {
  const applied = await readAppliedMigrations(connection);
  const toText = (list: BackupHeader['migrations']): string =>
    list.map(({ name, sha256 }) => `${name} ${sha256}`).join('\n');
  if (toText(migrations) === toText(applied)) return;
  const older = account
    ? `restore it into an empty database with release ${release} of Offplan, upgrade that database, and back the account up again`
    : `restore it with release ${release} of Offplan, then upgrade`;
  const remedy =
    migrations.length > applied.length
      ? `upgrade this installation to release ${release} of Offplan first`
      : older;
  throw new BackupError(
    `it has the schema version ${migrations.length}, and the database has ${applied.length}: ${remedy}`,
  );
}

/** Deletes the rows that the service has stored for itself. Rows of an account are never deleted. */
async function emptyTables(connection: StreamConnection, tables: TableHeader[]): Promise<void> {
  const filled = await findFilledTable(connection, tables);
  if (filled !== undefined)
    throw new BackupError(
      `the database is not empty: its table ${filled} has rows. Restore into a new database, or a new OFFPLAN_DATA_DIR`,
    );
  for (const table of tables.toReversed())
    if (!isOfAccounts(table)) await connection.run(`delete from ${quote(table.table)}`);
}

/** Reads to the end of the file before anything is committed: the checksum of the compressed file comes after its last row. */
async function requireEnd(reader: BackupReader): Promise<void> {
  if ((await reader.readLine()) !== null)
    throw new BackupError('it is damaged: something follows its end');
}
