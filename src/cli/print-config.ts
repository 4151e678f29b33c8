import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { printConfig } from '../platform/config/index.ts';
import { readCommandConfig } from './config.ts';
import { print } from './output.ts';

/** Prints the settings. Says on stderr which pictures nothing serves under them, when there is a database to look at. */
export async function printSettings(): Promise<void> {
  const config = await readCommandConfig();
  await print(printConfig(config));
  const hasDatabase = config.databaseUrl !== null || existsSync(join(config.dataDir, 'postgres'));
  if (hasDatabase) await (await import('./pictures.ts')).reportAllPictures(config);
}
