import { isUtf8 } from 'node:buffer';
import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { listAccounts } from '../accounts/index.ts';
import { exportAccount, loadAccount, type LoadReport } from '../portability/index.ts';
import { createReadError, CommandError } from './command-error.ts';
import { createNoAccountError, withDatabase } from './database.ts';
import { print, printJson, printTable, say } from './output.ts';
import { createProgressBar } from './progress.ts';

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

export async function printAccount(slug: string): Promise<void> {
  const found = await withDatabase(({ lists }) => exportAccount(lists, slug, print));
  if (!found) throw createNoAccountError(slug);
}

export async function loadFile(file: string): Promise<void> {
  const document = await readDocument(file);
  const onProgress = createProgressBar();
  const report = await withDatabase(({ lookups }) =>
    loadAccount(lookups, document, onProgress && { onProgress }),
  );
  await print(describeLoad(report));
}

async function readDocument(file: string): Promise<string> {
  const bytes = await (file === '-' ? buffer(process.stdin) : readFile(file)).catch(
    (error: NodeJS.ErrnoException) => {
      throw createReadError(file, error);
    },
  );
  // Decoding a file in another encoding would replace bytes, and so change its content.
  if (isUtf8(bytes)) return bytes.toString('utf8');
  throw new CommandError(`${file} is not in UTF-8; save it as that`);
}

function describeLoad({ account, slug, organization, ...parts }: LoadReport): string {
  const lines = Object.entries(parts).map(([part, counts]) => {
    const changes = Object.entries(counts).filter(([, count]) => count > 0);
    const text = changes.map(([change, count]) => `${count} ${change}`).join(', ');
    return `  ${part}: ${text || 'nothing new'}\n`;
  });
  const head = `Account "${slug}" ${account === 'created' ? 'created' : 'brought up to date'}.\n`;
  return `${head}  organization: ${organization}\n${lines.join('')}`;
}
