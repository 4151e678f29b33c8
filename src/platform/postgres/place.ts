import { createHash, randomUUID } from 'node:crypto';
import { access, constants, link, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { run } from './command.ts';
import { EmbeddedPostgresError, errorCode } from './error.ts';
import { exists, makeFolder } from './folder.ts';
import { findServerUser, type ServerUser } from './user.ts';

/** Where the data is, and whose. */
export interface Place {
  /** The real path of the folder that holds `postgres/`. */
  dataDir: string;
  user: ServerUser;
}

/** Where a system service keeps its files; root uses it when a server's user cannot enter ours. */
export const systemFolder = '/var/lib/offplan';

/** Settles where the data is. Only for root can that be elsewhere than asked, and then it is said. */
export async function choosePlace(options: {
  dataDir: string;
  dataDirIsDefault: boolean;
  systemFolder: string;
  note: (text: string) => void;
}): Promise<Place> {
  const { note } = options;
  for (const path of pathsTo(options.dataDir)) await refuseFile(path);
  const asked = await resolveExisting(options.dataDir);
  const user = await findServerUser(asked);
  const obstacle = await findObstacle(user, asked);
  const mayMove =
    user.isSwitched && options.dataDirIsDefault && !(await exists(join(asked, 'postgres')));
  const elsewhere = mayMove ? await findElsewhere(options.systemFolder, asked, obstacle) : null;
  if (elsewhere !== null) {
    const reason = obstacle === null ? '' : ` (its user "${user.name}" cannot enter ${obstacle})`;
    note(`The embedded PostgreSQL has its data in ${elsewhere}${reason}.`);
    return makePlace(elsewhere, await findServerUser(elsewhere));
  }
  if (obstacle === null) return makePlace(asked, user);
  throw new EmbeddedPostgresError(
    `PostgreSQL runs as user "${user.name}", who cannot enter ${obstacle}: name a folder that it can enter in OFFPLAN_DATA_DIR, or open that one (chmod o+x).`,
  );
}

async function refuseFile(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined || found.isDirectory()) return;
  throw new EmbeddedPostgresError(
    `${path} is a file, not a folder: name a folder in OFFPLAN_DATA_DIR.`,
  );
}

async function makePlace(dataDir: string, user: ServerUser): Promise<Place> {
  // Where we are root the folder stays root's and others may only pass through it.
  makeFolder(dataDir, user.isSwitched ? 0o711 : 0o700);
  await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK).catch(() => {
    throw new EmbeddedPostgresError(
      `User "${user.name}" cannot write in ${dataDir}: run as its owner, or name another folder in OFFPLAN_DATA_DIR.`,
    );
  });
  return { dataDir: await realpath(dataDir), user };
}

/** The real path of what exists of a path, followed by what does not exist yet. */
async function resolveExisting(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT' || path === dirname(path))
      throw new EmbeddedPostgresError(
        `${path} cannot be used as data folder (${errorCode(error)}): name another in OFFPLAN_DATA_DIR.`,
      );
    return join(await resolveExisting(dirname(path)), basename(path));
  }
}

/** The first existing folder on the way to a path which the server's user cannot enter. */
async function findObstacle(user: ServerUser, path: string): Promise<string | null> {
  if (!user.isSwitched) return null;
  const script =
    'for d; do test -e "$d" || exit 0; cd "$d" || { printf %s "$d"; exit 1; }; done 2>/dev/null';
  const result = await run(user, '/bin/sh', ['-c', script, 'sh', ...pathsTo(path)], {
    timeoutMs: 10_000,
  });
  if (result.isSuccess) return null;
  if (result.stdout !== '') return result.stdout;
  throw new EmbeddedPostgresError(
    `Root cannot become user "${user.name}" to run PostgreSQL (${result.output.trim()}): run as an ordinary user, or set DATABASE_URL.`,
  );
}

/** A path's ancestors from the root on, and itself. */
function pathsTo(path: string): string[] {
  return path === dirname(path) ? [path] : [...pathsTo(dirname(path)), path];
}

/**
 * The folder under /var/lib/offplan that stands for a default data folder which the server's user
 * cannot enter. Once made it stays in use, even if the way is opened later. Its name hangs on the
 * path (a copied checkout gets a database of its own) and on an id kept in the data folder (a fresh
 * checkout at the path of a deleted one does not find the old one's data).
 */
async function findElsewhere(
  parent: string,
  dataDir: string,
  obstacle: string | null,
): Promise<string | null> {
  const idFile = join(dataDir, 'id');
  if (obstacle === null && !(await exists(idFile))) return null;
  makeFolder(dataDir, 0o711);
  const key = `${dataDir}\n${await readOrMakeId(idFile)}`;
  const hash = createHash('sha256').update(key).digest('hex').slice(0, 12);
  const elsewhere = join(parent, `${basename(dirname(dataDir)).slice(0, 30) || 'root'}-${hash}`);
  return obstacle === null && !(await exists(join(elsewhere, 'postgres'))) ? null : elsewhere;
}

async function readOrMakeId(idFile: string): Promise<string> {
  const draft = `${idFile}.${randomUUID()}`;
  await writeFile(draft, randomUUID());
  // Of several processes that come at once one makes the name, and all read what it wrote.
  await link(draft, idFile).catch((error: unknown) => {
    if (errorCode(error) !== 'EEXIST') throw error;
  });
  await rm(draft);
  return readFile(idFile, 'utf8');
}
