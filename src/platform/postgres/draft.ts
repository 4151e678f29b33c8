import { randomUUID } from 'node:crypto';
import { lstat, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { errorCode } from './error.ts';
import { exists, syncToDisk } from './folder.ts';

/** Nothing that is made beside its place takes as long as this. */
const makingMsMax = 600_000;

/** What this very process is making just now. */
const making = new Set<string>();

/**
 * Makes a folder beside its place and gives it its name when it is complete, so that nobody ever
 * sees a half-made one. Of several that make it at once the first wins, and all use the winner's.
 */
export async function makeComplete(
  path: string,
  make: (draft: string) => Promise<void>,
): Promise<void> {
  const draft = `${path}.init-${process.pid}-${randomUUID()}`;
  making.add(draft);
  try {
    await make(draft);
    await rename(draft, path).catch(async (error: unknown) => {
      if (!['ENOTEMPTY', 'EEXIST'].includes(errorCode(error) ?? '') || !(await exists(path)))
        throw error;
    });
    await syncToDisk(dirname(path));
  } finally {
    await rm(draft, { recursive: true, force: true, maxRetries: 3 });
    making.delete(draft);
  }
}

/** Removes what processes that died while making something have left in a folder. */
export async function sweepDrafts(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const pid = /\.init-(\d+)-[\da-f-]{36}$/.exec(name)?.[1];
    const path = join(folder, name);
    if (pid === undefined || making.has(path) || (await isBeingMade(path, Number(pid)))) continue;
    await rm(path, { recursive: true, force: true, maxRetries: 3 }).catch(() => {});
  }
}

/** The maker's pid may have been given to someone else since; then the age tells. */
async function isBeingMade(path: string, pid: number): Promise<boolean> {
  const changedMs = (await lstat(path).catch(() => undefined))?.mtimeMs ?? 0;
  if (pid === process.pid || Date.now() - changedMs > makingMsMax) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}
