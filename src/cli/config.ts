import { describeUnknownSettings, readConfig, type Config } from '../platform/config/index.ts';
import { say } from './output.ts';

/** Reads the settings for a command, and warns about variables OFFPLAN_… that are not settings. */
export async function readCommandConfig(): Promise<Config> {
  const config = readConfig();
  for (const line of await describeUnknownSettings()) say(`offplan: ${line}`);
  return config;
}
