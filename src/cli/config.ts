import { printConfig } from '../platform/config/index.ts';
import type { Command } from './command.ts';
import { print } from './output.ts';

export const config: Command = {
  usage: 'config',
  summary: 'Prints the effective settings, secrets masked.',
  options: {},
  run: (args) => print(printConfig(args.config)),
};
