import { exportAccount } from '../portability/index.ts';
import { noAccount } from './account.ts';
import { withDatabase } from './database.ts';
import { print } from './output.ts';

export async function printAccount(slug: string): Promise<void> {
  const found = await withDatabase(({ lists }) => exportAccount(lists, slug, print));
  if (!found) throw noAccount(slug);
}
