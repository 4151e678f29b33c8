import { parseArgs, type ParseArgsConfig } from 'node:util';
import type { Config } from '../platform/config/index.ts';

type Options = NonNullable<ParseArgsConfig['options']>;

/** What a command is called with. */
export interface Arguments {
  /** The words that are no options; as many as the usage names, or more when its last is `ID...` or `[ID...]`. */
  words: string[];
  flags: Record<string, string | boolean | undefined>;
  /** The options that can be given several times, all their values. */
  lists: Record<string, string[] | undefined>;
  /** The settings; `--port` and `--host` are in them. */
  config: Config;
}

/** One command of `offplan`, in a file of its own. */
export interface Command {
  /** What follows `offplan` on the line, as in `keys revoke ACCOUNT ID`. */
  usage: string;
  /** One sentence. */
  summary: string;
  options: Record<string, { type: 'string' | 'boolean'; multiple?: true; help: string }>;
  run(args: Arguments): Promise<void>;
}

/** The command was called wrongly: exit 2. */
export class UsageError extends Error {
  /** Where to read on. */
  readonly hint: string;

  constructor(message: string, hint = 'try --help') {
    super(message);
    this.hint = hint;
  }
}

/** The command cannot do what it was asked: exit 1. The message is one line and says what would be right. */
export class CommandError extends Error {}

/** Reads a command's line. */
export function parseCommand(command: Command, args: string[]): Omit<Arguments, 'config'> {
  const options: Options = Object.fromEntries(
    Object.entries(command.options).map(([name, { type, multiple = false }]) => [
      name,
      { type, multiple },
    ]),
  );
  const { positionals, values } = parse(command, args, options);
  const [leading = ''] = command.usage.split(/ \[?--/);
  const words = leading.split(' ').filter((word) => /^[A-Z_]+(\.\.\.)?$/.test(word));
  if (positionals.length < words.length)
    throw new UsageError(`${words[positionals.length]?.replace('...', '')} is missing`);
  if (positionals.length > words.length && !/\.\.\.\]?$/.test(leading))
    throw new UsageError(`unexpected argument "${positionals[words.length]}"`);
  return {
    words: positionals,
    flags: values as Arguments['flags'],
    lists: values as Arguments['lists'],
  };
}

function parse(command: Command, args: string[], options: Options) {
  try {
    return parseArgs({ args, options, allowPositionals: true, strict: true });
  } catch (error) {
    throw new UsageError(optionFault(error as NodeJS.ErrnoException), optionsOf(command));
  }
}

// Node's messages name the option in quotes, and go on with advice about `--` and dashes.
function optionFault({ code, message }: NodeJS.ErrnoException): string {
  const option = /'(?:-\w, )?(-[^' =]*)/.exec(message)?.[1] ?? '';
  if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') return `unknown option ${option}`;
  return message.includes('does not take an argument')
    ? `option ${option} takes no value`
    : `option ${option} needs a value`;
}

function optionsOf({ usage }: Command): string {
  const [name = ''] = /^[a-z]+( [a-z]+)?/.exec(usage) ?? [];
  return `offplan ${name} --help lists the options`;
}

/** The help of one command. */
export function commandHelp({ usage, summary, options }: Command): string {
  const rows = Object.entries(options).map(([name, { help }]): [string, string] => [
    `--${name}`,
    help,
  ]);
  rows.push(['--help', 'Shows this.']);
  return `offplan ${usage}\n\n${summary}\n\n${table(rows)}`;
}

/** Rows of columns as lines, the columns aligned. */
export function table(rows: string[][]): string {
  const widths: number[] = [];
  for (const row of rows)
    for (const [column, cell] of row.entries())
      widths[column] = Math.max(widths[column] ?? 0, cell.length);
  const line = (row: string[]): string =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  return rows.map((row) => `${line(row)}\n`).join('');
}
