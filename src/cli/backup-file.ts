import { existsSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { CommandError, createWriteError } from './command-error.ts';
import { isStdoutTerminal, printBytes } from './output.ts';

/** Only the owner may read it: a backup contains personal data. */
const FILE_MODE = 0o600;

/** Takes the bytes of a backup. */
export interface BackupTarget {
  write: (bytes: Buffer) => Promise<void>;
  /** Puts the whole backup in place. */
  finish: () => Promise<void>;
  /** Removes what was written. */
  discard: () => Promise<void>;
}

/** Opens stdout for the name `-`, else a new file. The file has its name only when it is whole and on the disk. */
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
