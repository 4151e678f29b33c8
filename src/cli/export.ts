import { exportAccount } from '../portability/index.ts';
import { noAccount } from './account.ts';
import type { Command } from './command.ts';
import { withDatabase } from './database.ts';
import { print } from './output.ts';

export const exportCommand: Command = {
  usage: 'export ACCOUNT',
  summary: 'Prints an account as one JSON document, which offplan load takes.',
  options: {},
  async run({ words: [slug = ''], config }) {
    const found = await withDatabase(config, ({ lists: db }) => exportAccount(db, slug, print));
    if (!found) throw noAccount(slug);
  },
};
