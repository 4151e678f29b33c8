import { readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { mock, test } from 'node:test';

const TESTS = import.meta.dirname;

/**
 * Runs the test files of this folder that fall to one of the files in `groups/`, in the process of that file. A process loads
 * and compiles the service once for all of them. Each file cleans up before the next one begins.
 */
export async function runGroup(path: string): Promise<void> {
  const groups = readdirSync(dirname(path)).toSorted();
  const files = readdirSync(TESTS).filter((name) => name.endsWith('.test.ts'));
  for (const [index, file] of files.toSorted().entries())
    if (index % groups.length === groups.indexOf(basename(path))) {
      await test(file, async () => void (await import(join(TESTS, file))));
      mock.reset();
    }
}
