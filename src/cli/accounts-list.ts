import { listAccounts } from '../accounts/index.ts';
import { table, type Command } from './command.ts';
import { withDatabase } from './database.ts';
import { print, say } from './output.ts';

export const accountsList: Command = {
  usage: 'accounts list [--json]',
  summary: 'Lists the accounts of this installation.',
  options: { json: { type: 'boolean', help: 'Prints one JSON array.' } },
  async run({ flags, config }) {
    const accounts = await withDatabase(config, ({ lists }) => listAccounts(lists));
    if (flags['json']) return print(`${JSON.stringify(accounts, null, 2)}\n`);
    if (accounts.length === 0) return say('There is no account yet; offplan load FILE makes one.');
    const rows = accounts.map(({ slug, companyName, createdAt }) => [
      slug,
      companyName,
      createdAt.toISOString(),
    ]);
    await print(table([['SLUG', 'COMPANY', 'CREATED'], ...rows]));
  },
};
