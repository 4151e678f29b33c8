import { open, mkdtemp, rm, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { CommandError, createWriteError } from '../command-error.ts';

/**
 * Copies a stream to a temporary file, so that it can be read twice. The file has no name, so no other user
 * can open it, and the system deletes it when the process ends in any way.
 */
export async function spool(source: Readable): Promise<FileHandle> {
  const file = await openNamelessFile().catch((error: NodeJS.ErrnoException) => {
    throw createSpoolError(error);
  });
  try {
    await file.writeFile(source);
    return file;
  } catch (error) {
    await file.close();
    const fault = error as NodeJS.ErrnoException;
    throw fault.code === 'ENOSPC' ? createSpoolError(fault) : error;
  }
}

function createSpoolError(error: NodeJS.ErrnoException): CommandError {
  const { message } = createWriteError(tmpdir(), error);
  return new CommandError(
    `${message}; the input is copied there before it is imported: set TMPDIR to another folder`,
  );
}

async function openNamelessFile(): Promise<FileHandle> {
  const folder = await mkdtemp(join(tmpdir(), 'offplan-import-'));
  try {
    return await open(join(folder, 'input'), 'wx+', 0o600);
  } finally {
    await rm(folder, { recursive: true });
  }
}
