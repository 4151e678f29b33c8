import { distribute, type Pools } from '../platform/database/index.ts';
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
  let isDone = false;
  const distributeAll = async ({ lookups }: Pools): Promise<string[]> => {
    const names = await distribute(lookups);
    isDone = true;
    return names;
  };
  // It is one transaction, which PostgreSQL rolls back when the connection closes.
  const describeStop = () =>
    isDone ? undefined : 'Stopped; no table was distributed. Run offplan distribute again.';
  const tables = await withDatabase(distributeAll, { describeStop });
  for (const table of tables) await print(`Distributed ${table}.\n`);
  await print('All tables are distributed.\n');
}
