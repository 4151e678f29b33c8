import { listKeys } from '../keys/index.ts';
import { withAccount } from './account.ts';
import { printJson, printTable, timeText } from './output.ts';

export async function printKeys(slug: string, { json }: { json?: true }): Promise<void> {
  const keys = await withAccount(slug, ({ lists }, accountId) => listKeys(lists, accountId));
  if (json) return printJson(keys);
  await printTable(
    ['ID', 'NAME', 'ACCESS', 'CREATED', 'LAST USED', 'EXPIRES', 'REVOKED'],
    keys.map(({ id, name, access, createdAt, lastUsedAt, expiresAt, revokedAt }) => [
      id,
      name,
      access,
      ...[createdAt, lastUsedAt, expiresAt, revokedAt].map(timeText),
    ]),
  );
}
