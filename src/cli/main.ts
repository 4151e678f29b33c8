import { CommanderError } from 'commander';
import { FlagError } from '../platform/config/index.ts';
import { say } from './output.ts';
import { createProgram } from './program.ts';

/** Runs `offplan` with these arguments, and sets the exit code: 1 for an error, 2 for wrong usage. */
export async function main(args: string[]): Promise<void> {
  try {
    await createProgram().parseAsync(args, { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) reportUsage(error, args);
    else if (error instanceof FlagError) reportLines([error.message], 2);
    else reportLines((await import('./explain.ts')).explainError(error), 1);
  }
}

function reportUsage({ exitCode, code, message }: CommanderError, args: string[]): void {
  // `--help` and `--version` end as errors with exit code 0.
  if (exitCode === 0) return;
  const help = ['offplan', ...args, '--help'].join(' ');
  const fault = message
    .replace(/^error: /, '')
    .replace(/\.$/, '')
    .replaceAll('\n', ' ');
  const isMissing = code === 'commander.help';
  reportLines([isMissing ? `a command is missing; ${help} lists them` : `${fault}; try --help`], 2);
}

function reportLines(lines: string[], exitCode: number): void {
  process.exitCode = exitCode;
  for (const line of lines) say(`offplan: ${line}`);
}
