import { listKeys } from '../keys/index.ts';
import { findAccount } from './account.ts';
import { table, type Command } from './command.ts';
import { withDatabase } from './database.ts';
import { print } from './output.ts';

export const keysList: Command = {
  usage: 'keys list ACCOUNT [--json]',
  summary: "Lists an account's API keys, without their texts.",
  options: { json: { type: 'boolean', help: 'Prints one JSON array.' } },
  async run({ words: [slug = ''], flags, config }) {
    const keys = await withDatabase(config, async ({ lists: db }) =>
      listKeys(db, await findAccount(db, slug)),
    );
    if (flags['json']) return print(`${JSON.stringify(keys, null, 2)}\n`);
    const time = (date: Date | null): string => date?.toISOString() ?? '-';
    const rows = keys.map((key) => [
      key.id,
      key.name,
      key.access,
      ...[key.createdAt, key.lastUsedAt, key.expiresAt, key.revokedAt].map(time),
    ]);
    await print(
      table([['ID', 'NAME', 'ACCESS', 'CREATED', 'LAST USED', 'EXPIRES', 'REVOKED'], ...rows]),
    );
  },
};
