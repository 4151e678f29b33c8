import { existsSync, globSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { mock, test } from 'node:test';

const TESTS = import.meta.dirname;

/**
 * Runs the test files that a pattern matches in this folder one after the other, in the process of a file in `groups/` or `gate/`.
 * Each of these processes takes the next file that none has taken, and loads and compiles the service once for all of its files.
 * Each file cleans up before the next one begins.
 */
export async function runGroup(pattern: string): Promise<void> {
  for (const file of globSync(pattern, { cwd: TESTS }).toSorted())
    if (takeFile(file)) {
      await test(file, async () => void (await import(join(TESTS, file))));
      mock.reset();
    }
}

/** Whether this process is the first one that takes a file: only one of them can create the folder of its name. */
function takeFile(file: string): boolean {
  const folder = join(process.env['TEST_TAKEN_FILES'] ?? '', file.replace('/', '-'));
  try {
    mkdirSync(folder);
    return true;
  } catch (error) {
    if (existsSync(folder)) return false;
    throw error;
  }
}
