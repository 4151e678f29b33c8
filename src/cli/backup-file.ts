import { existsSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { CommandError, createWriteError } from './command-error.ts';
import { isStdoutTerminal, printBytes } from './output.ts';

/** Only the owner may read the file: a backup contains personal data. */
const FILE_MODE = 0o600;

/** The target to which a backup is written. */
export interface BackupTarget {
  write: (bytes: Buffer) => Promise<void>;
  /** Flushes the file, and gives it its name. */
  finish: () => Promise<void>;
  /** Deletes the incomplete file. */
  discard: () => Promise<void>;
}

/** Opens stdout for the name `-`, or else a new file. The file gets its name only when it is complete and on the disk. */
export async function openTarget(file: string): Promise<BackupTarget> {
  const nothing = () => Promise.resolve();
  if (file === '-' && isStdoutTerminal())
    throw new CommandError('stdout is a terminal; send the backup to a file or a pipe');
  if (file === '-') return { write: printBytes, finish: nothing, discard: nothing };
  if (existsSync(file)) throw new CommandError(`${file} already exists; name a new file`);
  const draft = `${file}.${process.pid}.partial`;
  const attempt = async <T>(action: Promise<T>): Promise<T> =>
    action.catch((error: NodeJS.ErrnoException) => {
      throw createWriteError(file, error);
    });
  const handle = await attempt(open(draft, 'wx', FILE_MODE));
  return {
    write: (bytes) => attempt(handle.writeFile(bytes)),
    finish: async () => {
      await attempt(handle.sync());
      await handle.close();
      await attempt(rename(draft, file));
      await attempt(syncFolder(dirname(file)));
    },
    discard: async () => {
      await handle.close().catch(() => undefined);
      await rm(draft, { force: true });
    },
  };
}

async function syncFolder(folder: string): Promise<void> {
  await using handle = await open(folder);
  await handle.sync();
}
