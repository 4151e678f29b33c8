import { revokeKey } from '../keys/index.ts';
import { isUuid } from '../platform/text/index.ts';
import { findAccount } from './account.ts';
import { CommandError, type Command } from './command.ts';
import { withDatabase } from './database.ts';
import { say } from './output.ts';

export const keysRevoke: Command = {
  usage: 'keys revoke ACCOUNT ID',
  summary: 'Ends an API key: within 250 ms no running server takes it.',
  options: {},
  async run({ words: [slug = '', id = ''], config }) {
    const revoked = await withDatabase(config, async ({ lookups: db }) => {
      const accountId = await findAccount(db, slug);
      return isUuid(id) && revokeKey(db, accountId, id);
    });
    // Whoever gives the key itself instead of its id must not find it in the output of a job.
    if (!revoked)
      throw new CommandError(
        `account "${slug}" has no key with this id; offplan keys list ${slug} shows them`,
      );
    say(`Revoked key ${id}.`);
  },
};
