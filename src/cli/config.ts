import { describeUnknownSettings, readConfig, type Config } from '../platform/config/index.ts';
import { say } from './output.ts';

/** Reads the settings for a command, and names variables OFFPLAN_… that are none. */
export async function readCommandConfig(): Promise<Config> {
  const config = readConfig();
  for (const line of await describeUnknownSettings()) say(`offplan: ${line}`);
  return config;
}
