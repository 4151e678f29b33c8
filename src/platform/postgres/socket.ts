import { createHash } from 'node:crypto';
import { chmod, lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { EmbeddedPostgresError } from './error.ts';
import { makePrivateFolder } from './folder.ts';
import type { Place } from './place.ts';

/** The port is only part of the socket's name. */
export const port = 5432;

/** The operating system's bound for a socket's path, without the byte that ends it. */
const socketPathBytes = process.platform === 'darwin' ? 103 : 107;

/** The folder for the socket of a data folder: inside it, or in /tmp when its path is too long. */
export function socketFolderFor(dataDir: string): string {
  const inside = join(dataDir, 'run');
  const socket = join(inside, `.s.PGSQL.${port}`);
  if (Buffer.byteLength(socket) <= socketPathBytes) return inside;
  const hash = createHash('sha256').update(dataDir).digest('hex').slice(0, 24);
  return `/tmp/offplan-${hash}`;
}

/** Makes the socket's folder, or checks that the one that is there is ours alone. */
export async function ensureSocketFolder({ dataDir, user }: Place): Promise<string> {
  const folder = socketFolderFor(dataDir);
  await makePrivateFolder(folder, user);
  // Inside the data folder nobody else can have made it, so that a wrong mode is only an accident.
  const status = await lstat(folder);
  const isOwn = status.isDirectory() && status.uid === user.uid;
  if (isOwn && folder.startsWith(dataDir)) await chmod(folder, 0o700);
  else if (!isOwn || (status.mode & 0o777) !== 0o700)
    throw new EmbeddedPostgresError(
      `${folder} is not a folder of user "${user.name}" alone (mode 0700), so it is not used for the database's socket: remove it.`,
    );
  return folder;
}
