import { ROLE_SETTINGS } from '../platform/database/index.ts';
import { readCommandConfig } from './config.ts';
import { CommandError } from './command-error.ts';
import { print } from './output.ts';

/** Prints the SQL that gives the role of DATABASE_URL the settings that a pooler does not pass on. It changes nothing. */
export async function printRoleSettings(): Promise<void> {
  const { databaseUrl } = await readCommandConfig();
  const role = databaseUrl === null ? '' : readRole(new URL(databaseUrl));
  if (role === '')
    throw new CommandError(
      'DATABASE_URL must name a role: postgresql://offplan@pooler:6432/offplan',
    );
  for (const [name, value] of Object.entries(ROLE_SETTINGS))
    await print(`alter role ${quoteName(role)} set ${name} = ${value};\n`);
}

const readRole = ({ username, searchParams }: URL): string =>
  searchParams.get('user') ?? decodeURIComponent(username);

const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`;
