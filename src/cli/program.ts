import { Command, Option } from 'commander';
import { printConfig, readConfig, version } from '../platform/config/index.ts';
import type { Format } from '../imports/index.ts';
import { parseFutureDate, parseKeyName, parseLineNumber, parseStartOfPeriod } from './options.ts';
import { print } from './output.ts';

const FORMATS: Format[] = ['csv', 'tsv', 'ndjson'];
const JSON_FLAG = '--json';
const DRY_RUN_FLAG = '--dry-run';

/** Creates the action of a command. It imports the file of the command when it runs, so that `--help` starts fast. */
function createAction<T extends unknown[]>(load: () => Promise<(...args: T) => Promise<void>>) {
  return async (...args: T): Promise<void> => (await load())(...args);
}

/** Creates the command line of `offplan`, with all commands, arguments and options. */
export function createProgram(): Command {
  const program = new Command('offplan')
    .description('Offplan: a property-sales CRM service for developers who sell off the plan.')
    .version(version, '--version', 'Prints the release.')
    .helpOption('-h, --help', 'Prints this help.')
    .helpCommand('help [command]', 'Prints the help of a command.')
    .exitOverride()
    // `main` prints the error as one line.
    .configureOutput({ writeErr: () => undefined })
    .addHelpText('after', '\nSettings come from the environment; offplan config prints them.');
  addServiceCommands(program);
  addAccountCommands(program);
  addImportLogCommands(program.command('imports').description('Work with the log of imports.'));
  addContactCommands(program.command('contacts').description('Work with contacts.'));
  addKeyCommands(program.command('keys').description('Work with API keys.'));
  return program;
}

function addServiceCommands(program: Command): void {
  program
    .command('serve')
    .description('Runs the service until Ctrl-C or SIGTERM.')
    .option('--port <n>', 'The port to listen on instead of PORT; 0 chooses a free one.')
    .option('--host <host>', 'The address to listen on instead of HOST.')
    .option('--demo', 'Loads the demo account when there is no account at all.')
    .action(createAction(async () => (await import('./serve.ts')).serve));
  program
    .command('migrate')
    .description('Brings the database schema up to date.')
    .action(createAction(async () => (await import('./migrate.ts')).migrateDatabase));
  program
    .command('config')
    .description('Prints the effective settings, secrets masked.')
    .action(() => print(printConfig(readConfig())));
}

function addAccountCommands(program: Command): void {
  program
    .command('load <file>')
    .description(
      'Creates or updates an account from its JSON document; all of it or nothing. The file can be -, for stdin.',
    )
    .action(createAction(async () => (await import('./accounts.ts')).loadFile));
  program
    .command('export <account>')
    .description('Prints an account as one JSON document, which offplan load takes.')
    .action(createAction(async () => (await import('./accounts.ts')).printAccount));
  program
    .command('import <account> <file>')
    .description('Imports the contacts of a CSV, TSV or NDJSON file. The file can be -, for stdin.')
    .option(DRY_RUN_FLAG, 'Shows what would happen, and stores nothing.')
    .option('--report <file>', 'Writes the refused rows to this new file, with line and reason.')
    .option(
      '--map <header=field>',
      'Imports a column as a field; "Their header=" leaves it out. Can be given several times.',
      (map: string, maps: string[] | undefined) => [...(maps ?? []), map],
    )
    .addOption(
      new Option('--format <format>', 'The format, when it cannot be recognised.').choices(FORMATS),
    )
    .option('--from-line <n>', 'Goes on at this line of the file.', parseLineNumber)
    .action(createAction(async () => (await import('./import.ts')).importContacts));
  program
    .command('accounts')
    .description('Work with accounts.')
    .command('list')
    .description('Lists the accounts of this installation.')
    .option(JSON_FLAG, 'Prints one JSON array.')
    .action(createAction(async () => (await import('./accounts.ts')).printAccounts));
}

function addImportLogCommands(imports: Command): void {
  imports
    .command('list <account>')
    .description("Lists the imports in an account's log, the oldest first.")
    .option('--refused', 'Only imports that were refused and not settled since.')
    .option(
      '--since <date>',
      'Only imports since 2027-06-30 (the start of that day, UTC) or 2027-06-30T17:00:00+12:00.',
      parseStartOfPeriod,
    )
    .option(JSON_FLAG, 'Prints one JSON array.')
    .action(createAction(async () => (await import('./imports.ts')).printImports));
  imports
    .command('show <account> <id>')
    .description('Shows one import of the log, with its payload as it was received.')
    .option(JSON_FLAG, 'Prints one JSON object.')
    .action(createAction(async () => (await import('./imports.ts')).printImport));
  imports
    .command('retry <account> [id...]')
    .description('Imports refused ones of the log again, once the reason of the refusal is gone.')
    .option('--refused', 'Instead of IDs: all that were refused and not settled since.')
    .option(JSON_FLAG, 'Prints one JSON array.')
    .action(createAction(async () => (await import('./imports-retry.ts')).retryRefused));
}

function addContactCommands(contacts: Command): void {
  contacts
    .command('duplicates <account>')
    .description('Lists the emails that more than one contact has, with these contacts.')
    .option(JSON_FLAG, 'Prints one JSON array.')
    .action(createAction(async () => (await import('./contacts.ts')).printDuplicates));
  contacts
    .command('merge <account> <keep-id> <duplicate-id...>')
    .description('Merges contacts with one email into the one to keep; all of it or nothing.')
    .option(DRY_RUN_FLAG, 'Shows what would happen, and changes nothing.')
    .option(JSON_FLAG, 'Prints one JSON object.')
    .action(createAction(async () => (await import('./contacts.ts')).mergeDuplicates));
}

function addKeyCommands(keys: Command): void {
  keys
    .command('create <account>')
    .description('Makes an API key and prints it, once.')
    .addOption(
      new Option('--access <access>', 'The access that the key gives.')
        .choices(['read', 'read-write'])
        .makeOptionMandatory(),
    )
    .requiredOption('--name <name>', 'A name that tells the key from others.', parseKeyName)
    .option(
      '--expires <date>',
      'When it ends: 2027-06-30 (the start of that day, UTC) or 2027-06-30T17:00:00+12:00.',
      parseFutureDate,
    )
    .action(createAction(async () => (await import('./keys.ts')).createKey));
  keys
    .command('list <account>')
    .description("Lists an account's API keys, without their texts.")
    .option(JSON_FLAG, 'Prints one JSON array.')
    .action(createAction(async () => (await import('./keys.ts')).printKeys));
  keys
    .command('revoke <account> <id>')
    .description('Ends an API key: within 250 ms no running server accepts it.')
    .action(createAction(async () => (await import('./keys.ts')).revokeKeyOfAccount));
}
