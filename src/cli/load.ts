import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { loadAccount, type LoadReport } from '../portability/load.ts';
import { CommandError, type Command } from './command.ts';
import { withDatabase } from './database.ts';
import { print, progressBar } from './output.ts';

export const load: Command = {
  usage: 'load FILE',
  summary:
    'Creates or updates an account from its JSON document; all of it or nothing. FILE can be -.',
  options: {},
  async run({ words: [file = ''], config }) {
    const document = file === '-' ? await text(process.stdin) : await read(file);
    const onProgress = progressBar();
    const report = await withDatabase(config, (db) =>
      loadAccount(db, document, onProgress && { onProgress }),
    );
    await print(describe(report));
  },
};

async function read(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new CommandError(
      `${file} cannot be read: ${(error as NodeJS.ErrnoException).code ?? 'unknown'}`,
    );
  }
}

/** The report as lines. */
export function describe({ account, slug, ...parts }: LoadReport): string {
  const lines = Object.entries(parts).map(([part, counts]) => {
    const told = Object.entries(counts).filter(([, count]) => count > 0);
    return `  ${part}: ${told.map(([what, count]) => `${count} ${what}`).join(', ') || 'none'}\n`;
  });
  return `Account "${slug}" ${account}.\n${lines.join('')}`;
}
