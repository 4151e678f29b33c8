import { lstat, readFile, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import type { Binaries } from './binaries.ts';
import { run, type Outcome } from './command.ts';
import { makeComplete, sweepDrafts } from './draft.ts';
import { EmbeddedPostgresError, errorText } from './error.ts';
import { exists, makePrivateFolder, replaceFile } from './folder.ts';
import type { Place } from './place.ts';
import { pgHbaConf, pgIdentConf, postgresqlConf } from './settings.ts';

const initTimeoutMs = 180_000;

/** Makes the cluster if there is none; gives the real path of one that is complete and ours. */
export async function ensureCluster(
  place: Place,
  binaries: Binaries,
  note: (text: string) => void,
): Promise<string> {
  const cluster = join(place.dataDir, 'postgres');
  await sweepDrafts(place.dataDir);
  if (!(await exists(cluster))) {
    note(`Setting up PostgreSQL in ${cluster} (first start).`);
    await makeCluster(cluster, place, binaries);
  }
  await assertComplete(cluster, place, binaries);
  return realpath(cluster);
}

/** initdb writes PG_VERSION long before it is done: only a rename tells that a cluster is complete. */
async function makeCluster(cluster: string, place: Place, binaries: Binaries): Promise<void> {
  try {
    await makeComplete(cluster, (draft) => initialize(draft, place, binaries));
  } catch (error) {
    throw new EmbeddedPostgresError(`The database could not be set up: ${errorText(error)}`);
  }
}

async function initialize(draft: string, { user }: Place, binaries: Binaries): Promise<void> {
  await makePrivateFolder(draft, user);
  const locale = ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  const security = ['--auth=peer', '--data-checksums', '--username=offplan'];
  // Whoever needs a new segment of the log makes it while every commit waits: of 16 MB, the default, 40 to 100 ms.
  const log = ['--wal-segsize=1'];
  const initdb = [
    '-D',
    draft,
    '--encoding=UTF8',
    ...locale,
    ...security,
    ...log,
    '--no-instructions',
  ];
  assertDone(await run(user, binaries.initdb, initdb, { timeoutMs: initTimeoutMs }));
  const conf = join(draft, 'postgresql.conf');
  await replaceFile(conf, (await readFile(conf, 'utf8')) + postgresqlConf, user);
  await replaceFile(join(draft, 'pg_hba.conf'), pgHbaConf, user);
  await replaceFile(join(draft, 'pg_ident.conf'), pgIdentConf(user.name), user);
  // In single-user mode there is no socket: nobody can meet a server without the database.
  const single = ['--single', '-D', draft, '-c', 'exit_on_error=on', 'postgres'];
  const input = 'create database offplan;\n';
  assertDone(await run(user, binaries.postgres, single, { timeoutMs: initTimeoutMs, input }));
}

function assertDone({ isSuccess, output }: Outcome): void {
  if (isSuccess) return;
  // initdb's last words are about its tidying up.
  const lines = output
    .trim()
    .split('\n')
    .filter((line) => !line.startsWith('initdb: removing'));
  throw new Error(lines.findLast((line) => /FATAL|error:|ERROR/.test(line)) ?? lines.at(-1));
}

/** Refuses what is not a cluster of ours. It may be someone's only copy, so it is never deleted. */
async function assertComplete(cluster: string, { user }: Place, binaries: Binaries): Promise<void> {
  const { uid } = await lstat(await realpath(cluster).catch(() => cluster));
  if (uid !== user.uid)
    throw new EmbeddedPostgresError(
      `${cluster} belongs to user id ${uid}, not to "${user.name}": run as its owner, or name another folder in OFFPLAN_DATA_DIR.`,
    );
  const isOurs = /^offplan\s/m.test(await readText(join(cluster, 'pg_ident.conf')));
  if (!isOurs || !(await exists(join(cluster, 'global', 'pg_control'))))
    throw new EmbeddedPostgresError(
      `${cluster} is not a complete database of Offplan: move it away, or name another folder in OFFPLAN_DATA_DIR.`,
    );
  const version = (await readText(join(cluster, 'PG_VERSION'))).trim();
  if (version !== binaries.majorVersion)
    throw new EmbeddedPostgresError(
      `${cluster} was made by PostgreSQL ${version}, and this is PostgreSQL ${binaries.majorVersion}: export the accounts with the Offplan that made it, and load them into a new folder.`,
    );
}

function readText(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(() => '');
}
