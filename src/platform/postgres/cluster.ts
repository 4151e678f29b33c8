import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { createFolderAtomically, makeFolder } from './data-folder.ts';
import { EmbeddedPostgresError, findReason } from './error.ts';
import { createFailure } from './failure.ts';
import type { Server } from './server.ts';
import { runAs } from './user.ts';

const INITDB_ARGS = [
  '--username=offplan',
  // Only the owner of the socket's folder and root can connect.
  '--auth=trust',
  '--encoding=UTF8',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
  // All commits wait while PostgreSQL creates a segment of its log, so segments are small.
  // For small segments, initdb limits the log to 64 MB (max_wal_size), so that a start after a crash takes little longer.
  '--wal-segsize=1',
  // Listen on no network. By PostgreSQL's defaults, each commit is flushed to the disk.
  '--set=listen_addresses=',
  // For a small machine with a solid-state disk and short queries.
  '--set=random_page_cost=1.1',
  '--set=io_method=sync',
  '--set=max_logical_replication_workers=0',
  // The log contains nothing that a client sent. The client reports the statements that fail.
  '--set=log_min_messages=log',
  '--set=log_min_error_statement=panic',
  '--set=log_error_verbosity=terse',
  '--set=log_checkpoints=off',
];

/** Makes the cluster if there is none. */
export async function ensureCluster(
  { dataDir, cluster, user, bin, majorVersion }: Server,
  note: (text: string) => void,
): Promise<void> {
  if (!existsSync(cluster)) note(`Setting up PostgreSQL in ${cluster} (first start).`);
  await createFolderAtomically(cluster, async (draft) => {
    makeFolder(draft, 0o700, user);
    // In single-user mode there is no socket, so that no client can connect before the database exists.
    const script = `bin=$1 draft=$2; shift 2; "$bin/initdb" -D "$draft" "$@" && echo "create database offplan;" |
      "$bin/postgres" --single -D "$draft" -c exit_on_error=on postgres`;
    const buffers = `--set=shared_buffers=${chooseBuffersMb()}MB`;
    const { isSuccess, output } = await runAs(user, script, bin, draft, ...INITDB_ARGS, buffers);
    if (isSuccess) return;
    throw await createFailure(dataDir, 'The database could not be set up', findReason(output));
  });
  const text = await readVersion(cluster);
  const version = /^\d+(?=\s*$)/.exec(text)?.[0] ?? 'none';
  if (version === majorVersion) return;
  throw new EmbeddedPostgresError(
    `${cluster} is not a database of PostgreSQL ${majorVersion} (its version is ${version}): move it away, or restore it from a backup, or export its accounts with the Offplan that made it, and load them into a new folder.`,
  );
}

/**
 * Chooses how much PostgreSQL caches: an eighth of the memory that the machine or the container has, from its own default to
 * twice what figures of 1,000,000 contacts read.
 */
function chooseBuffersMb(): number {
  const memoryBytes = Math.min(totalmem(), process.constrainedMemory() || Infinity);
  return Math.min(Math.max(Math.floor(memoryBytes / 8 / 2 ** 20), 128), 512);
}

/** Reads PG_VERSION. Throws when the folder cannot be read: it must not be taken for one of another version and moved away. */
async function readVersion(cluster: string): Promise<string> {
  const file = join(cluster, 'PG_VERSION');
  return readFile(file, 'utf8').catch(({ code = '', message }: NodeJS.ErrnoException) => {
    if (code === 'ENOENT') return '';
    throw new Error(message.includes(file) ? message : `${file}: ${message}`);
  });
}
