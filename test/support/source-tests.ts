import { globSync } from 'node:fs';
import { join } from 'node:path';

const SRC = join(import.meta.dirname, '../../src');

/** Runs the tests in `src/` in this process, since starting a process for each file would take longer than the tests. */
export async function importTests(isWanted: (file: string) => boolean): Promise<void> {
  for (const file of globSync('**/*.test.ts', { cwd: SRC }).filter(isWanted))
    await import(join(SRC, file));
}
