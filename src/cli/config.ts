import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  describeUnknownSettings,
  printConfig,
  readConfig,
  type Config,
} from '../platform/config/index.ts';
import { print, say } from './output.ts';

/** Reads the settings for a command, and names variables OFFPLAN_… that are none. */
export async function readCommandConfig(): Promise<Config> {
  const config = readConfig();
  for (const line of await describeUnknownSettings()) say(`offplan: ${line}`);
  return config;
}

/** Prints the settings. Says on stderr which pictures nothing serves under them, when there is a database to look at. */
export async function printSettings(): Promise<void> {
  const config = await readCommandConfig();
  await print(printConfig(config));
  const hasDatabase = config.databaseUrl !== null || existsSync(join(config.dataDir, 'postgres'));
  if (hasDatabase) await (await import('./pictures.ts')).reportAllPictures(config);
}
