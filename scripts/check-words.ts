/** Checks the documents for engineers against the rules of CONTRIBUTING.md that a script can check. */
import { readFileSync } from 'node:fs';
import { findPlainWordFaults } from './lint/plain-words.ts';

const DOCUMENTS = [
  'CONTRIBUTING.md',
  'docs/architecture.md',
  'docs/glossary.md',
  'docs/performance.md',
  'docs/reliability.md',
];

const faults = DOCUMENTS.flatMap((path) => {
  const text = readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
  const prose = text.replace(/```[\s\S]*?```/g, '');
  return findPlainWordFaults(prose).map((fault) => `${path}: ${fault}`);
});
for (const fault of faults) console.error(fault);
process.exitCode = faults.length === 0 ? 0 : 1;
