import { CommanderError } from 'commander';
import { ConfigError, describeUnknownSettings, FlagError } from '../platform/config/index.ts';
import { print, say } from './output.ts';
import { createProgram } from './program.ts';

/** Runs `offplan` with these arguments, and sets the exit code: 1 for an error, 2 for wrong usage. */
export async function main(args: string[]): Promise<void> {
  try {
    await run(args);
  } catch (error) {
    if (error instanceof CommanderError && isWithoutCommand(error)) await main(addHelp(args));
    else if (error instanceof CommanderError) reportUsage(error);
    else if (error instanceof ConfigError) await reportSettings(error);
    else reportLines((await import('./explain.ts')).explainError(error), 1);
  }
}

async function run(args: string[]): Promise<void> {
  let help = '';
  try {
    await createProgram((text) => (help += text)).parseAsync(splitHelp(args), { from: 'user' });
  } catch (error) {
    // `--help` and `--version` end as errors with exit code 0.
    if (!(error instanceof CommanderError) || error.exitCode !== 0) throw error;
    await print(help);
  }
}

/** Changes `help keys create` to `keys help create`: Commander's own `help` takes one word. */
function splitHelp(args: string[]): string[] {
  const [first, group, ...rest] = args;
  if (first !== 'help' || group === undefined || rest.length === 0) return args;
  return [group, first, ...rest];
}

/**
 * Changes arguments that name no command. A group of commands alone, such as `offplan keys`, prints its help. `help` with an
 * unknown command is the wrong usage of that command.
 */
function addHelp(args: string[]): string[] {
  return args.includes('help') ? args.filter((arg) => arg !== 'help') : [...args, '--help'];
}

function isWithoutCommand({ code, exitCode }: CommanderError): boolean {
  return code === 'commander.help' && exitCode !== 0;
}

function reportUsage({ message }: CommanderError): void {
  const fault = message
    .replace(/^error: /, '')
    .replace(/\.$/, '')
    .replaceAll('\n', ' ');
  reportLines([`${fault}; try --help`], 2);
}

async function reportSettings(error: ConfigError): Promise<void> {
  const lines = [...error.message.split('\n'), ...(await describeUnknownSettings())];
  reportLines(lines, error instanceof FlagError ? 2 : 1);
}

function reportLines(lines: string[], exitCode: number): void {
  process.exitCode = exitCode;
  for (const line of lines) say(`offplan: ${line}`);
}
