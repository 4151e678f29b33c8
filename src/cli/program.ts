import { Command, Option } from 'commander';
import type { Role } from '../access/index.ts';
import { version } from '../platform/config/index.ts';
import type { Format } from '../imports/index.ts';
import {
  parseEncoding,
  parseFutureDate,
  parseKeyName,
  parseLineNumber,
  parsePersonName,
  parseSlug,
  parseStartOfPeriod,
} from './options.ts';

const ROLES: Role[] = ['owner', 'manager', 'agent', 'viewer'];
const FORMATS: Format[] = ['csv', 'tsv', 'ndjson'];
const JSON_FLAG = '--json';
const DRY_RUN_FLAG = '--dry-run';

/** Creates the action of a command. The action imports the file of the command only when it runs, so that `--help` starts fast. */
function createAction<T extends unknown[]>(load: () => Promise<(...args: T) => Promise<void>>) {
  return async (...args: T): Promise<void> => (await load())(...args);
}

/** Creates the command line of `offplan`, with all commands, arguments and options. It gives the help to `writeOut`. */
export function createProgram(writeOut: (text: string) => void): Command {
  const program = new Command('offplan')
    .description('Offplan: a property-sales CRM service for developers who sell off the plan.')
    .version(version, '-v, --version', 'Prints the release.')
    .helpOption('-h, --help', 'Prints this help.')
    .helpCommand('help [command]', 'Prints the help of a command.')
    .exitOverride()
    // `main` prints the error as one line.
    .configureOutput({ writeOut, writeErr: () => undefined })
    .addHelpText('after', '\nSettings come from the environment; offplan config prints them.');
  addServiceCommands(program);
  addFileCommands(program);
  addAccountsCommands(program.command('accounts').description('Work with accounts.'));
  addImportLogCommands(program.command('imports').description('Work with the log of imports.'));
  addContactCommands(program.command('contacts').description('Work with contacts.'));
  addUserCommands(program.command('users').description('Work with the people of an account.'));
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
    .action(createAction(async () => (await import('./serve/serve.ts')).serve));
  program
    .command('migrate')
    .description('Brings the database schema up to date.')
    .action(createAction(async () => (await import('./migrate.ts')).migrateDatabase));
  program
    .command('distribute')
    .description('Distributes the tables over the workers of a Citus, by account.')
    .action(createAction(async () => (await import('./distribute.ts')).distributeTables));
  program
    .command('role-settings')
    .description('Prints the SQL that the role of DATABASE_URL needs behind a pooler.')
    .action(createAction(async () => (await import('./role-settings.ts')).printRoleSettings));
  program
    .command('doctor')
    .description(
      'Looks at the installation and says what to do next. Exit code 1: there is something to do.',
    )
    .option(JSON_FLAG, 'Prints one JSON array.')
    .action(createAction(async () => (await import('./doctor.ts')).examineInstallation));
  program
    .command('config')
    .description('Prints the effective settings, secrets masked.')
    .action(createAction(async () => (await import('./print-config.ts')).printSettings));
  program
    .command('backup <file>')
    .description(
      'Writes the whole database, as of one moment, into a new file, while the service runs. - is stdout.',
    )
    .option('--account <slug>', 'Writes this account alone, with its pictures.')
    .action(createAction(async () => (await import('./backup/backup.ts')).backUp));
  program
    .command('restore <file>')
    .description(
      'Restores a backup of all accounts into an empty database, or of one into any; all of it or nothing. - is stdin.',
    )
    .action(createAction(async () => (await import('./backup/backup.ts')).restore));
}

function addFileCommands(program: Command): void {
  program
    .command('load <file>')
    .description(
      'Creates or updates an account from its JSON document; all of it or nothing. The file can be -, for stdin.',
    )
    .option(DRY_RUN_FLAG, 'Shows what would happen, and stores nothing.')
    .option('--existing', 'Refuses a file whose account does not exist.')
    .option('--force', 'Loads an export although the account has changed since.')
    .option(
      '--prune',
      "Removes the units, pictures and related projects that a project's lists leave out.",
    )
    .option('--replace', 'Empties the fields that an entry leaves out or gives as null.')
    .action(createAction(async () => (await import('./accounts/accounts.ts')).loadFile));
  program
    .command('export <account>')
    .description('Prints an account as one JSON document, which offplan load takes.')
    .addOption(new Option('--only <part>', 'Leaves out people and contacts.').choices(['stock']))
    .action(createAction(async () => (await import('./accounts/accounts.ts')).printAccount));
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
    .option(
      '--encoding <name>',
      'The encoding of text that is not UTF-8, such as windows-1252.',
      parseEncoding,
    )
    .option('--header-line <n>', 'The line that names the columns.', parseLineNumber)
    .addOption(
      new Option('--date-order <order>', 'How dates such as 03/04/2026 are written.').choices([
        'dmy',
        'mdy',
        'ymd',
      ]),
    )
    .addOption(
      new Option('--name-order <order>', 'How names such as "Ngata, Aroha" are written.').choices([
        'last-first',
      ]),
    )
    .option('--from-line <n>', 'Goes on at this line of the file.', parseLineNumber)
    .action(createAction(async () => (await import('./imports/import.ts')).importContacts));
}

function addAccountsCommands(accounts: Command): void {
  accounts
    .command('list')
    .description('Lists the accounts of this installation.')
    .option(JSON_FLAG, 'Prints one JSON array.')
    .action(createAction(async () => (await import('./accounts/accounts.ts')).printAccounts));
  accounts
    .command('create')
    .argument('<account>', 'Its slug: the name of the account in links and commands.', parseSlug)
    .description(
      'Creates an account. With --owner, prints the link by which its owner chooses a password.',
    )
    .usage('<account> --name <name> --email <email> --location <place> --website <url> [options]')
    .option('--name <name>', 'What buyers know the developer as.')
    .option('--company <name>', 'Its legal name; by default the same.')
    .option('--email <email>', 'Its contact email. The stocklist shows it.')
    .option('--location <place>', 'Where it is, such as Wellington.')
    .option('--website <url>', 'Its website.')
    .option('--time-zone <zone>', 'The zone of its days, such as Pacific/Auckland; UTC by default.')
    .option('--owner <email>', 'The email of its first owner.')
    .action(
      createAction(async () => (await import('./accounts/accounts-create.ts')).createAccount),
    );
  accounts
    .command('rename <account>')
    .description('Gives an account another slug. Its API keys stay valid.')
    .argument('<new-slug>', 'The slug that it gets.', parseSlug)
    .action(createAction(async () => (await import('./accounts/accounts.ts')).renameAccountTo));
  accounts
    .command('delete <account>')
    .description(
      'Deletes an account with everything in it, once its slug was entered again on stdin.',
    )
    .action(createAction(async () => (await import('./accounts/accounts.ts')).deleteWholeAccount));
}

function addImportLogCommands(imports: Command): void {
  imports
    .command('list <account>')
    .description(
      "Lists an account's log, the oldest first: a line for each run of a file and each lead over HTTP.",
    )
    .option('--open', 'Only imports that were refused and not settled since.')
    .addOption(
      new Option('--outcome <outcome>', 'Only imports with this outcome.').choices([
        'created',
        'merged',
        'refused',
      ]),
    )
    .option('--file <name>', 'Only rows of files with this name, such as leads.csv.')
    .option('--run <id>', 'Only rows of this run.')
    .option(
      '--since <date>',
      'Only imports since 2027-06-30 (the start of that day, UTC) or 2027-06-30T17:00:00+12:00.',
      parseStartOfPeriod,
    )
    .option(JSON_FLAG, 'Prints one JSON array.')
    .action(createAction(async () => (await import('./imports/imports-list.ts')).printImports));
  imports
    .command('show <account> <id>')
    .description('Shows one import of the log, with its payload as it was received.')
    .option(JSON_FLAG, 'Prints one JSON object.')
    .action(createAction(async () => (await import('./imports/imports-show.ts')).printImport));
  imports
    .command('retry <account> [id...]')
    .description('Imports refused ones of the log again, once the reason of the refusal is gone.')
    .option('--open', 'Instead of IDs: all that were refused and not settled since.')
    .option(JSON_FLAG, 'Prints one JSON array.')
    .action(createAction(async () => (await import('./imports/imports-retry.ts')).retryRefused));
  imports
    .command('undo <account> <run>')
    .description(
      'Removes the contacts that a run of a file created and that nothing changed since.',
    )
    .option(DRY_RUN_FLAG, 'Shows what would happen, and changes nothing.')
    .option(JSON_FLAG, 'Prints one JSON object.')
    .action(createAction(async () => (await import('./imports/imports-undo.ts')).undoImport));
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

function addUserCommands(users: Command): void {
  users
    .command('list <account>')
    .description('Lists the people of an account.')
    .option(JSON_FLAG, 'Prints one JSON array.')
    .action(createAction(async () => (await import('./users.ts')).printUsers));
  users
    .command('invite <account> <email>')
    .description(
      'Prints a link, once, by which a person chooses a password within 7 days. Adds a new person.',
    )
    .addOption(
      new Option('--role <role>', 'What the person may do.').choices(ROLES).makeOptionMandatory(),
    )
    .option('--name <name>', 'The name of the person.', parsePersonName)
    .action(createAction(async () => (await import('./users.ts')).inviteUser));
  users
    .command('reset <account> <email>')
    .description('Prints a link, once, by which a person chooses another password within a day.')
    .option('--remove-second-step', 'The link also turns off the second step of signing in.')
    .action(createAction(async () => (await import('./users.ts')).resetUser));
  users
    .command('deactivate <account> <email>')
    .description(
      'Ends all sessions of a person, who can no longer sign in. Their contacts are then assigned to nobody.',
    )
    .action(createAction(async () => (await import('./users.ts')).deactivateUser));
  users
    .command('activate <account> <email>')
    .description('Lets a deactivated person sign in again, with the same password and role.')
    .action(createAction(async () => (await import('./users.ts')).activateUser));
}

function addKeyCommands(keys: Command): void {
  keys
    .command('create <account>')
    .description('Makes an API key and prints it, once.')
    .addOption(
      new Option('--access <access>', 'What a website needs: read alone, or leads too.').choices([
        'read',
        'read-write',
      ]),
    )
    .addOption(
      new Option(
        '--scopes <scopes>',
        'What the key may do instead, such as "contacts:read events:read".',
      ).conflicts('access'),
    )
    .requiredOption('--name <name>', 'A name that tells the key from others.', parseKeyName)
    .option(
      '--expires <date>',
      'When the key expires: 2027-06-30 (the start of that day, UTC) or 2027-06-30T17:00:00+12:00.',
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
    .description(
      'Revokes an API key: within 250 ms no running server accepts it. With - as its ID, the key itself comes on stdin.',
    )
    .action(createAction(async () => (await import('./keys.ts')).revokeKeyOfAccount));
  keys
    .command('find')
    .description('Shows the account and the name of the API key that comes on stdin.')
    .option(JSON_FLAG, 'Prints one JSON object.')
    .action(createAction(async () => (await import('./keys.ts')).findKey));
}
