import { migrate } from '../platform/database/index.ts';
import { withDatabase } from './database.ts';
import { print } from './output.ts';

/** Runs the migrations that an external database lacks, and prints their names. The embedded one is always up to date. */
export async function migrateDatabase(): Promise<void> {
  let last: string | undefined;
  const onMigrated = (name: string): void => void (last = name);
  const names = await withDatabase(({ lookups }) => migrate(lookups, onMigrated), {
    anySchema: true,
    onMigrated,
    describeStop: () =>
      last === undefined
        ? 'Stopped; no migration was run. Run offplan migrate again.'
        : `Stopped; the migrations up to ${last} were run. Run offplan migrate again for the others.`,
  });
  for (const name of names) await print(`Ran ${name}.\n`);
  await print('The schema is up to date.\n');
}
