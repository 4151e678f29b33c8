import { globSync } from 'node:fs';
import { join } from 'node:path';

// All tests in `src/` run in this one process: a process for each file would take longer than the tests.
const SRC = join(import.meta.dirname, '../src');
for (const file of globSync('**/*.test.ts', { cwd: SRC })) await import(join(SRC, file));
