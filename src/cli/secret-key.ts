import { randomBytes, randomUUID } from 'node:crypto';
import { link, open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../platform/config/index.ts';
import { CommandError, createReadError } from './command-error.ts';

const KEY_BYTES = 32;

/**
 * Loads the key that encrypts secrets: OFFPLAN_SECRET_KEY, or the key in the data folder of the embedded PostgreSQL, which the first
 * start creates. Returns null when there is neither.
 */
export async function loadSecretKey(
  { secretKey }: Pick<Config, 'secretKey'>,
  dataDir: string | null,
): Promise<Buffer | null> {
  if (secretKey !== null || dataDir === null) return secretKey;
  const path = join(dataDir, 'secret.key');
  const text = await readFile(path, 'utf8').catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw createReadError(path, error);
    await makeKeyFile(path);
    return readFile(path, 'utf8');
  });
  const key = Buffer.from(text.trim(), 'base64');
  if (key.length === KEY_BYTES) return key;
  throw new CommandError(`${path} must hold 32 bytes in base64; restore it from a backup`);
}

/** Creates the file of the key atomically. When several processes do so at once, the first one wins. */
async function makeKeyFile(path: string): Promise<void> {
  const draft = `${path}.${randomUUID()}`;
  try {
    await using file = await open(draft, 'wx', 0o600);
    await file.writeFile(`${randomBytes(KEY_BYTES).toString('base64')}\n`);
    await file.sync();
    await link(draft, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  } finally {
    await rm(draft, { force: true });
  }
}
