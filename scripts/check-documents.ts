/** Checks documents: their words, that the tests and source files which they name exist, and the line that `.ci/run` takes. */
import { globSync, readFileSync } from 'node:fs';
import { findPlainWordFaults } from './lint/plain-words.ts';

const DOCUMENTS = globSync(['*.md', 'docs/*.md', 'client/*.md', 'deploy/*.md']);

/** `.ci/run` takes this line from the README. */
const TEST_LINE = 'npm ci && npm test';

const FOLDERS = ['src', 'test', 'bench', 'scripts', 'client/src', 'console'];
const files = globSync(FOLDERS.map((folder) => `${folder}/**/*.{ts,tsx}`));

/** Lists the files that a text names, as in `stop.test.ts` or `platform/http/errors.ts`, and that do not exist. */
function listMissingFiles(text: string): string[] {
  const named = [...text.matchAll(/`([\w./-]+\.tsx?)`/g)].map(([, file = '']) => file);
  return named.filter((file) => !files.some((each) => each.endsWith(`/${file}`) || each === file));
}

const faults = DOCUMENTS.flatMap((path) => {
  const text = readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
  const prose = text.replace(/```[\s\S]*?```/g, '');
  const missing = listMissingFiles(prose).map((file) => `There is no ${file}.`);
  return [...findPlainWordFaults(prose), ...missing].map((fault) => `${path}: ${fault}`);
});
if (
  !readFileSync(new URL('../README.md', import.meta.url), 'utf8')
    .split('\n')
    .includes(TEST_LINE)
)
  faults.push(`README.md: There is no line "${TEST_LINE}".`);
for (const fault of faults) console.error(fault);
process.exitCode = faults.length === 0 ? 0 : 1;
