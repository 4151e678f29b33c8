import {
  CommandError,
  commandHelp,
  parseCommand,
  table,
  UsageError,
  type Command,
} from './command.ts';
import { ConfigError, FlagError, readConfig, version } from '../platform/config/index.ts';
import { EmbeddedPostgresError } from '../platform/postgres/index.ts';
import { isUnavailable, SchemaError } from '../platform/database/index.ts';
import { AccountFileError } from '../portability/index.ts';
import { nearest } from './nearest.ts';
import { OutputError, print, say } from './output.ts';

// Imported when called: a command that makes a key need not wait for a web server to load.
const COMMANDS: Record<string, () => Promise<Command>> = {
  serve: async () => (await import('./serve.ts')).serve,
  migrate: async () => (await import('./migrate.ts')).migrateCommand,
  config: async () => (await import('./config.ts')).config,
  load: async () => (await import('./load.ts')).load,
  export: async () => (await import('./export.ts')).exportCommand,
  import: async () => (await import('./import.ts')).importCommand,
  'accounts list': async () => (await import('./accounts-list.ts')).accountsList,
  'contacts duplicates': async () => (await import('./contacts-duplicates.ts')).contactsDuplicates,
  'contacts merge': async () => (await import('./contacts-merge.ts')).contactsMerge,
  'imports list': async () => (await import('./imports-list.ts')).importsList,
  'imports show': async () => (await import('./imports-show.ts')).importsShow,
  'imports retry': async () => (await import('./imports-retry.ts')).importsRetry,
  'keys create': async () => (await import('./keys-create.ts')).keysCreate,
  'keys list': async () => (await import('./keys-list.ts')).keysList,
  'keys revoke': async () => (await import('./keys-revoke.ts')).keysRevoke,
};

/** Runs `offplan` with the words that follow it, and sets the exit code: 1 for an error, 2 for wrong usage. */
export async function main(args: string[]): Promise<void> {
  try {
    await dispatch(args);
  } catch (error) {
    process.exitCode = error instanceof UsageError || error instanceof FlagError ? 2 : 1;
    for (const line of explain(error)) say(`offplan: ${line}`);
  }
}

async function dispatch(args: string[]): Promise<void> {
  const name = [args.slice(0, 1), args.slice(0, 2)].map((words) => words.join(' ')).find(isCommand);
  if (name === undefined) return help(args);
  const command = await COMMANDS[name]?.();
  if (command === undefined) return help(args);
  const rest = args.slice(name.split(' ').length);
  if (asksForHelp(rest)) return print(commandHelp(command));
  const parsed = parseCommand(command, rest);
  const { port, host } = parsed.flags as { port?: string; host?: string };
  await command.run({ ...parsed, config: readConfig({ port, host }) });
}

function isCommand(name: string): boolean {
  return Object.hasOwn(COMMANDS, name);
}

// `offplan --help`, `offplan keys --help`, `offplan help`, and what is no command.
async function help(args: string[]): Promise<void> {
  const [first = ''] = args;
  const ofGroup = Object.keys(COMMANDS).filter((name) => name.startsWith(`${first} `));
  if (first === '--version') return print(`${version}\n`);
  if (first === 'help' || asksForHelp(args.slice(0, 1))) return overview(Object.keys(COMMANDS));
  if (ofGroup.length > 0 && asksForHelp(args)) return overview(ofGroup);
  throw ofGroup.length > 0 ? noSubcommand(args, ofGroup) : noCommand(first);
}

function noCommand(name: string): UsageError {
  if (name === '') return new UsageError('a command is missing');
  const known = Object.keys(COMMANDS).map((each) => each.split(' ')[0] ?? '');
  return new UsageError(`there is no command "${name}"`, meaning(nearest(name, known)));
}

function noSubcommand([group = '', name]: string[], ofGroup: string[]): UsageError {
  const known = ofGroup.map((each) => each.slice(group.length + 1));
  if (name === undefined || name.startsWith('-'))
    return new UsageError(`"${group}" needs a subcommand: ${alternatives(known)}`);
  const near = nearest(name, known);
  return near === undefined
    ? new UsageError(`"${group}" has no subcommand "${name}", only ${known.join(', ')}`)
    : new UsageError(`"${group}" has no subcommand "${name}"`, meaning(`${group} ${near}`));
}

function meaning(near: string | undefined): string | undefined {
  return near === undefined ? undefined : `did you mean ${near}?`;
}

function alternatives(names: string[]): string {
  const last = names.at(-1) ?? '';
  return names.length === 1 ? last : `${names.slice(0, -1).join(', ')} or ${last}`;
}

function asksForHelp(args: string[]): boolean {
  return args.includes('--help') || args.includes('-h');
}

async function overview(names: string[]): Promise<void> {
  const commands = await Promise.all(names.map(async (name) => COMMANDS[name]?.()));
  const rows = commands.map((each) => [`  ${each?.usage.split(' [')[0]}`, each?.summary ?? '']);
  await print(`Offplan: a property-sales CRM service for developers who sell off the plan.

Usage: offplan COMMAND [OPTIONS]

${table(rows)}
offplan COMMAND --help tells a command's options. Settings come from the environment; offplan config prints
them.
`);
}

function explain(error: unknown): string[] {
  if (error instanceof OutputError && error.isClosedPipe) return [];
  if (error instanceof UsageError) return [`${error.message}; ${error.hint}`];
  if (error instanceof AccountFileError)
    return [
      error.message,
      ...error.faults.map(({ pointer, detail }) =>
        pointer === '' ? `The file ${detail}` : `${pointer}: ${detail}`,
      ),
    ];
  if (isOperators(error)) return [error.message];
  if (isUnavailable(error)) return [`the database cannot be reached: ${reason(error)}`];
  return [`something went wrong: ${reason(error)}`];
}

function isOperators(error: unknown): error is Error {
  const classes = [CommandError, OutputError, ConfigError, SchemaError, EmbeddedPostgresError];
  return classes.some((each) => error instanceof each);
}

function reason(error: unknown): string {
  if (error instanceof AggregateError && error.errors[0] instanceof Error)
    return error.errors[0].message;
  return error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
}
