import { chmod, copyFile, readdir, readlink, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder, syncToDisk } from './folder.ts';

/** What only compilers and linkers need. */
const needless = /\.a$|^pkgconfig$/;

/** Copies a tree durably, with modes that let everyone read and run it whatever the umask is. */
export async function copyTree(from: string, to: string): Promise<void> {
  makeFolder(to, 0o755);
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (needless.test(entry.name)) continue;
    if (entry.isDirectory()) await copyTree(source, target);
    else if (entry.isSymbolicLink()) await symlink(await readlink(source), target);
    else await copyFileDurably(source, target);
  }
  await syncToDisk(to);
}

/** Copies one file in the same way. */
export async function copyFileDurably(source: string, target: string): Promise<void> {
  await copyFile(source, target);
  const isProgram = ((await stat(source)).mode & 0o100) !== 0;
  await chmod(target, isProgram ? 0o755 : 0o644);
  await syncToDisk(target);
}
