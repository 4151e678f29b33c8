import { revokeKey } from '../keys/index.ts';
import { isUuid } from '../platform/text/index.ts';
import { withAccount } from './account.ts';
import { CommandError } from './command-error.ts';
import { say } from './output.ts';

export async function endKey(slug: string, id: string): Promise<void> {
  const isRevoked = await withAccount(
    slug,
    async ({ lookups }, accountId) => isUuid(id) && revokeKey(lookups, accountId, id),
  );
  // The error does not repeat the id: a user who gives the key itself must not find it in the output of a job.
  if (!isRevoked)
    throw new CommandError(
      `account "${slug}" has no key with this id; offplan keys list ${slug} shows them`,
    );
  say(`Revoked key ${id}.`);
}
