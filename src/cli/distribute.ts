import { distribute } from '../platform/database/index.ts';
import { CommandError } from './command-error.ts';
import { readCommandConfig } from './config.ts';
import { withDatabase } from './database.ts';
import { print } from './output.ts';

/** Distributes the tables over the workers of a Citus by account, and prints their names. */
export async function distributeTables(): Promise<void> {
  const { databaseUrl } = await readCommandConfig();
  if (databaseUrl === null)
    throw new CommandError(
      'the embedded PostgreSQL cannot distribute its tables: set DATABASE_URL to the coordinator of a Citus',
    );
  const tables = await withDatabase(({ lookups }) => distribute(lookups));
  for (const table of tables) await print(`Distributed ${table}.\n`);
  await print('All tables are distributed.\n');
}
