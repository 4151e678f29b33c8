import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { EmbeddedPostgresError } from './error.ts';

/** PostgreSQL needs this much to start: it writes its lock file and a segment of its log. */
const ROOM_BYTES = 2 * 1024 * 1024;

const REMEDIES: [reason: RegExp, remedy: string][] = [
  [/EACCES|EPERM|permission|ownership/i, 'let the user that runs PostgreSQL own and write it'],
  [/look up effective user/, 'run as a user that has a name (in /etc/passwd), or set DATABASE_URL'],
  [
    /EROFS|Read-only file system|ENOENT.*mkdir/i,
    'name a folder that can be written in OFFPLAN_DATA_DIR',
  ],
  [
    /EEXIST|EISDIR|ENOTDIR|Is a directory|Not a directory|lock file|Unix-domain socket/i,
    'remove what has the name of this file, or restore the data folder from a backup',
  ],
];
const OTHER_REMEDY = 'fix the problem that this names, or restore the data folder from a backup';

/**
 * Creates the error of a data folder on which PostgreSQL does not work. Its one line says what failed, gives the reason in the
 * words of PostgreSQL or of the system, and names a remedy.
 */
export async function createFailure(
  dataDir: string,
  failure: string,
  reason: string,
): Promise<EmbeddedPostgresError> {
  // On a full disk PostgreSQL may not even write the reason into its log.
  if (isNoSpace(reason) || (await isDiskFull(dataDir)))
    return new EmbeddedPostgresError(
      `The disk of ${dataDir} is full: free some space there, or move the folder to another disk and name it in OFFPLAN_DATA_DIR. (${failure}: ${reason})`,
    );
  const remedy = REMEDIES.find(([pattern]) => pattern.test(reason))?.[1] ?? OTHER_REMEDY;
  return new EmbeddedPostgresError(`${failure}: ${reason}: ${remedy}.`);
}

// PostgreSQL reports the same cause when it lacks shared memory.
function isNoSpace(reason: string): boolean {
  return (
    /ENOSPC|EDQUOT|No space left|quota exceeded/i.test(reason) && !/shared memory/i.test(reason)
  );
}

/** Whether the disk of a folder, or of the last one on the way to it that exists, has no room for data or for another file. */
async function isDiskFull(folder: string): Promise<boolean> {
  try {
    const { blocks, bavail, bsize, files, ffree } = await statfs(folder);
    // A file system of the kernel, such as /proc, has no blocks at all.
    return (blocks > 0 && bavail * bsize < ROOM_BYTES) || (files > 0 && ffree === 0);
  } catch {
    return folder !== dirname(folder) && isDiskFull(dirname(folder));
  }
}
