import { printConfig, readConfig } from '../platform/config/index.ts';
import { print } from './output.ts';

export function showConfig(): Promise<void> {
  return print(printConfig(readConfig()));
}
