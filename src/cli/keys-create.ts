import type { Access } from '../access/index.ts';
import { issueKey } from '../keys/index.ts';
import { withAccount } from './account.ts';
import { print } from './output.ts';

interface KeyOptions {
  access: Access;
  name: string;
  expires?: Date;
}

export async function createKey(
  slug: string,
  { access, name, expires }: KeyOptions,
): Promise<void> {
  const key = await withAccount(slug, ({ lookups }, accountId) =>
    issueKey(lookups, accountId, { name, access, expiresAt: expires ?? null }),
  );
  await print(`${key}\n`);
}
