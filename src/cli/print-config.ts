import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { printConfig } from '../platform/config/index.ts';
import { readCommandConfig } from './config.ts';
import { print } from './output.ts';

/** Prints the settings. When the database answers, it also reports on stderr the pictures whose URLs do not work with these settings. */
export async function printSettings(): Promise<void> {
  const config = await readCommandConfig();
  await print(printConfig(config));
  const hasDatabase = config.databaseUrl !== null || existsSync(join(config.dataDir, 'postgres'));
  if (hasDatabase) await (await import('./pictures.ts')).reportAllPictures(config);
}
