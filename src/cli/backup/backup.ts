import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { HOW_TO_RENEW_SECRETS, listSecrets } from '../../doctor/index.ts';
import { version } from '../../platform/config/index.ts';
import type { StreamConnection } from '../../platform/database/index.ts';
import { countUnreadable } from '../../platform/secrets/index.ts';
import {
  BackupError,
  restoreBackup,
  writeBackup,
  type BackupTotal,
  type RestoreReport,
} from '../../portability/index.ts';
import { CommandError, createReadError } from '../command-error.ts';
import { withDatabase, type WorkOptions } from '../database.ts';
import { formatCount } from '../../platform/text/index.ts';
import { formatAmount, formatDuration, print, say, sayOnTerminal } from '../output.ts';
import { loadSecretKey } from '../secret-key.ts';
import { toExitCode } from '../signals.ts';
import { openTarget, type BackupTarget } from './backup-file.ts';

/** The level of compression. Higher levels take several times as long, and save little on the text of rows. */
const GZIP_LEVEL = 3;
const CHUNK_BYTES = 256 * 1024;

/** Runs `offplan backup`: writes every row of the database or of one account, from one snapshot, into a new file. */
export async function backUp(file: string, { account }: { account?: string }): Promise<void> {
  const stop = new AbortController();
  try {
    const total = await withStream((source) => writeFile(file, source, account), {
      signal: stop.signal,
      onStop: (signal) => stop.abort(signal),
      describeStop: () => NO_BACKUP,
    });
    // With `-`, stdout has the backup itself, so report on stderr.
    const report = `Backed up ${describeTotal(total)}.`;
    if (total.missingPictures)
      say(
        `Warning: ${formatCount(total.missingPictures)} of the pictures have no file in OFFPLAN_MEDIA_DIR.`,
      );
    await (file === '-' ? say(report) : print(`${report}\n`));
  } catch (error) {
    if (!stop.signal.aborted) throw addFile(error, 'the backup was not written');
    process.exitCode = toExitCode(stop.signal.reason as NodeJS.Signals);
    say(NO_BACKUP);
  }
}

const NO_BACKUP = 'Stopped; no backup was written.';

async function writeFile(
  file: string,
  source: Stream,
  slug: string | undefined,
): Promise<BackupTotal> {
  const target = await openTarget(file);
  try {
    const total = await writeTo(target, source, slug);
    await target.finish();
    return total;
  } catch (error) {
    await target.discard();
    throw error;
  }
}

async function writeTo(
  target: BackupTarget,
  { connection, mediaDir, signal }: Stream,
  slug: string | undefined,
): Promise<BackupTotal> {
  const text = writeBackup(connection, {
    release: version,
    now: new Date(),
    ...(slug !== undefined && { account: { slug, mediaDir } }),
    onTable: noteTable,
  });
  let total: BackupTotal = { tables: 0, rows: 0 };
  async function* readText(): AsyncGenerator<string | Buffer> {
    total = yield* text;
  }
  const gzip = createGzip({ level: GZIP_LEVEL, chunkSize: CHUNK_BYTES });
  await pipeline(
    readText,
    gzip,
    async (chunks: AsyncIterable<Buffer>) => {
      for await (const chunk of chunks) await target.write(chunk);
    },
    { signal },
  );
  return total;
}

/**
 * Runs `offplan restore`: restores a backup of one account, or one of all accounts into an empty database. It restores everything or
 * nothing. A Ctrl-C before the COMMIT stops it; one during the COMMIT lets it finish.
 */
export async function restore(file: string): Promise<void> {
  const stop = new AbortController();
  let canStop = true;
  const onCommit = () => (canStop = false);
  try {
    const report = await withStream((target) => restoreFrom(file, target, onCommit), {
      signal: stop.signal,
      onStop: (signal) => canStop && stop.abort(signal),
      describeStop: () => (canStop ? NOT_RESTORED : undefined),
    });
    await print(describeRestore(report));
    if (report.hasUnreadable) say(report.account === undefined ? OTHER_KEY : OTHER_KEY_OF_ACCOUNT);
  } catch (error) {
    if (!stop.signal.aborted)
      throw addFile(error, `${file === '-' ? 'stdin' : file} was not restored`);
    process.exitCode = toExitCode(stop.signal.reason as NodeJS.Signals);
    say(NOT_RESTORED);
  }
}

const NOT_RESTORED = 'Stopped; nothing was restored.';

const OTHER_KEY_OF_ACCOUNT =
  'Warning: this installation does not have the OFFPLAN_SECRET_KEY of the backup. The secrets of the account that were encrypted with it cannot be read here: ' +
  `${HOW_TO_RENEW_SECRETS} ` +
  'Installations that exchange accounts should have one key.';

const OTHER_KEY =
  'Warning: this installation does not have the OFFPLAN_SECRET_KEY of the backup. The secrets of webhooks and of the second step of ' +
  'signing in that were encrypted with it cannot be read here. Set OFFPLAN_SECRET_KEY to that key before you start the ' +
  'service (the embedded PostgreSQL has it in secret.key in its data folder). When it is lost, ' +
  HOW_TO_RENEW_SECRETS;

/** Reads the file, or stdin for `-`, until the signal. An error names the file. */
async function* readFile(file: string, signal: AbortSignal): AsyncGenerator<Buffer> {
  const source = file === '-' ? process.stdin : createReadStream(file);
  // A generator cannot end while it waits for the next bytes, so end their source.
  signal.addEventListener('abort', () => source.destroy());
  try {
    yield* source;
  } catch (error) {
    throw createReadError(file, error as NodeJS.ErrnoException);
  }
}

async function restoreFrom(
  file: string,
  { connection, secretKey, mediaDir, signal }: Stream,
  onCommit: () => void,
): Promise<RestoreReport & { hasUnreadable: boolean }> {
  let report: RestoreReport | undefined;
  const options = { mediaDir, onTable: noteTable, onCommit };
  await pipeline(
    readFile(file, signal),
    createGunzip({ chunkSize: CHUNK_BYTES }),
    async (chunks: AsyncIterable<Buffer>) => {
      report = await restoreBackup(connection, chunks, options);
    },
    { signal },
  ).catch((error: NodeJS.ErrnoException) => {
    if (error.code?.startsWith('Z_')) throw new BackupError(DAMAGED);
    throw error;
  });
  if (report === undefined) throw new BackupError(DAMAGED);
  const { account } = report;
  const secrets = (await listSecrets(connection, null)).filter(
    ({ owner }) => account === undefined || owner.startsWith(account.id),
  );
  return { ...report, hasUnreadable: countUnreadable(secrets, secretKey) > 0 };
}

const DAMAGED = 'it is not a backup of Offplan, or it was cut off or damaged';

interface Timed {
  /** The duration of the work, without the start of an embedded PostgreSQL. */
  seconds: number;
}

/** The connection of a command, and the key that encrypts secrets; null without a key. */
interface Stream {
  connection: StreamConnection;
  secretKey: Buffer | null;
  mediaDir: string;
  /** Aborted when the operator stops the command. */
  signal: AbortSignal;
}

function withStream<T extends object>(
  work: (stream: Stream) => Promise<T>,
  { signal, ...onSignal }: { signal: AbortSignal } & Pick<WorkOptions, 'onStop' | 'describeStop'>,
): Promise<T & Timed> {
  return withDatabase(async ({ openStream }, config, dataDir) => {
    const secretKey = await loadSecretKey(config, dataDir);
    const startMs = performance.now();
    const connection = await openStream();
    // A statement may wait long for a lock, so close the connection.
    signal.addEventListener('abort', () => void connection.end().catch(() => undefined));
    try {
      const result = await work({ connection, secretKey, mediaDir: config.mediaDir, signal });
      return { ...result, seconds: (performance.now() - startMs) / 1000 };
    } finally {
      // When there was no COMMIT, PostgreSQL now rolls back.
      await connection.end().catch(() => undefined);
    }
  }, onSignal);
}

function addFile(error: unknown, what: string): unknown {
  return error instanceof BackupError ? new CommandError(`${what}: ${error.message}`) : error;
}

function noteTable(table: string, rows: number): void {
  sayOnTerminal(`${table}: ${formatCount(rows)} rows`);
}

function describeTotal({ tables, rows, pictures, seconds }: BackupTotal & Timed): string {
  const files = pictures === undefined ? '' : ` and ${formatAmount(pictures, 'picture file')}`;
  return `${tables} tables with ${formatAmount(rows, 'row')}${files} in ${formatDuration(seconds)}`;
}

function describeRestore(report: RestoreReport & Timed): string {
  const { createdAt, release, leftOut, account } = report;
  const what = account === undefined ? '' : `account "${account.slug}": `;
  const lines = [
    `Restored ${what}${describeTotal(report)}, as of ${createdAt} (Offplan ${release}).`,
    ...(leftOut.length === 0 ? [] : [`Left out, since not of Offplan: ${leftOut.join(', ')}.`]),
  ];
  return lines.map((line) => `${line}\n`).join('');
}
