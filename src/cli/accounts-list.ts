import { listAccounts } from '../accounts/index.ts';
import { withDatabase } from './database.ts';
import { printJson, printTable, say } from './output.ts';

export async function printAccounts({ json }: { json?: true }): Promise<void> {
  const accounts = await withDatabase(({ lists }) => listAccounts(lists));
  if (json) return printJson(accounts);
  if (accounts.length === 0) return say('There is no account yet; offplan load FILE makes one.');
  await printTable(
    ['SLUG', 'COMPANY', 'CREATED'],
    accounts.map(({ slug, companyName, createdAt }) => [
      slug,
      companyName,
      createdAt.toISOString(),
    ]),
  );
}
