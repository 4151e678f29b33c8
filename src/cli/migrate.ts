import { migrate } from '../platform/database/index.ts';
import type { Command } from './command.ts';
import { withDatabase } from './database.ts';
import { print } from './output.ts';

export const migrateCommand: Command = {
  usage: 'migrate',
  summary: 'Brings the database schema up to date.',
  options: {},
  async run({ config }) {
    const ran = await withDatabase(config, ({ lookups }) => migrate(lookups), { anySchema: true });
    for (const name of ran) await print(`Ran ${name}.\n`);
    await print('The schema is up to date.\n');
  },
};
