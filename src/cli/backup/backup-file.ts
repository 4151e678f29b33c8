import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { link, open, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { CommandError, createWriteError } from '../command-error.ts';
import { isStdoutTerminal, printBytes, say } from '../output.ts';

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
  requireNew(file);
  // A pid would not do: in a container, a killed backup may have had the same one, and its file would be in the way.
  const draft = `${file}.${randomBytes(4).toString('hex')}.partial`;
  const attempt = async <T>(action: Promise<T>): Promise<T> =>
    action.catch((error: NodeJS.ErrnoException) => {
      throw createWriteError(file, error);
    });
  await nameLeftovers(dirname(file));
  const handle = await attempt(open(draft, 'wx', FILE_MODE));
  return {
    write: (bytes) => attempt(handle.writeFile(bytes)),
    finish: async () => {
      await attempt(handle.sync());
      await handle.close();
      await nameDraft(draft, file, attempt);
      await attempt(syncFolder(dirname(file)));
    },
    discard: async () => {
      await handle.close().catch(() => undefined);
      await rm(draft, { force: true });
    },
  };
}

function requireNew(file: string): void {
  if (existsSync(file)) throw new CommandError(`${file} already exists; name a new file`);
}

/** Gives the draft its name, unless another backup has taken that name meanwhile. */
async function nameDraft(
  draft: string,
  file: string,
  attempt: (action: Promise<void>) => Promise<void>,
): Promise<void> {
  const isLinked = await link(draft, file).then(
    () => true,
    () => false,
  );
  if (isLinked) return rm(draft, { force: true });
  // Not every disk has hard links. A rename replaces a file.
  requireNew(file);
  await attempt(rename(draft, file));
}

/** Names the files of backups that were killed. */
async function nameLeftovers(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter((each) => /\.[0-9a-f]+\.partial$/.test(each)))
    say(
      `${join(folder, name)} is of a backup that was killed or still runs. Remove it when no backup runs.`,
    );
}

async function syncFolder(folder: string): Promise<void> {
  await using handle = await open(folder);
  await handle.sync();
}
