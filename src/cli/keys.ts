import type { Access } from '../access/index.ts';
import { issueKey, listKeys, revokeKey } from '../keys/index.ts';
import { isUuid } from '../platform/text/index.ts';
import { CommandError } from './command-error.ts';
import { withAccount } from './database.ts';
import { print, printJson, printTable, say, formatTime } from './output.ts';

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

export async function printKeys(slug: string, { json }: { json?: true }): Promise<void> {
  const keys = await withAccount(slug, ({ lists }, accountId) => listKeys(lists, accountId));
  if (json) return printJson(keys);
  await printTable(
    ['ID', 'NAME', 'ACCESS', 'CREATED', 'LAST USED', 'EXPIRES', 'REVOKED'],
    keys.map(({ id, name, access, createdAt, lastUsedAt, expiresAt, revokedAt }) => [
      id,
      name,
      access,
      ...[createdAt, lastUsedAt, expiresAt, revokedAt].map(formatTime),
    ]),
  );
}

export async function revokeKeyOfAccount(slug: string, id: string): Promise<void> {
  const isRevoked = await withAccount(
    slug,
    async ({ lookups }, accountId) => isUuid(id) && revokeKey(lookups, accountId, id),
  );
  // The error does not repeat the id: a user may have given the secret key, and the logs of a job may be public.
  if (!isRevoked)
    throw new CommandError(
      `account "${slug}" has no key with this id; offplan keys list ${slug} shows them`,
    );
  say(`Revoked key ${id}.`);
}
