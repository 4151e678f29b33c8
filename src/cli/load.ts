import { isUtf8 } from 'node:buffer';
import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { loadAccount, type LoadReport } from '../portability/index.ts';
import { CommandError, type Command } from './command.ts';
import { withDatabase } from './database.ts';
import { cannotRead } from './input.ts';
import { print, progressBar } from './output.ts';

export const load: Command = {
  usage: 'load FILE',
  summary:
    'Creates or updates an account from its JSON document; all of it or nothing. FILE can be -.',
  options: {},
  async run({ words: [file = ''], config }) {
    const document = await read(file);
    const onProgress = progressBar();
    const report = await withDatabase(config, ({ lookups: db }) =>
      loadAccount(db, document, onProgress && { onProgress }),
    );
    await print(describe(report));
  },
};

async function read(file: string): Promise<string> {
  const bytes = await (file === '-' ? buffer(process.stdin) : readFile(file)).catch(
    (error: NodeJS.ErrnoException) => {
      throw cannotRead(file, error);
    },
  );
  // Replacing what is no UTF-8 would change what the file says.
  if (isUtf8(bytes)) return bytes.toString('utf8');
  throw new CommandError(`${file} is not in UTF-8; save it as that`);
}

/** The report as lines. */
export function describe({ account, slug, organization, ...parts }: LoadReport): string {
  const lines = Object.entries(parts).map(([part, counts]) => {
    const told = Object.entries(counts).filter(([, count]) => count > 0);
    const text = told.map(([what, count]) => `${count} ${what}`).join(', ');
    return `  ${part}: ${text || 'nothing new'}\n`;
  });
  const head = `Account "${slug}" ${account === 'created' ? 'created' : 'brought up to date'}.\n`;
  return `${head}  organization: ${organization}\n${lines.join('')}`;
}
