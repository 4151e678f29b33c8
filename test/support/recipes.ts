import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Cleaner } from './harness.ts';

const ROOT = join(import.meta.dirname, '../..');

/** Reads the programs of a document by their names: the code blocks whose first line has one, such as `ts receiver.ts`. */
export function readRecipes(path: string): Record<string, string> {
  const document = readFileSync(join(ROOT, path), 'utf8');
  const blocks = document.matchAll(/^```\w+ (\S+)\n([\s\S]*?)^```/gm);
  return Object.fromEntries([...blocks].map(([, name, code]) => [name, code]));
}

/** Makes a folder with these files, in which a program finds Fastify and the client. */
export function makeProgram(t: Cleaner, files: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'offplan-recipe-'));
  t.after(async () => rmSync(folder, { recursive: true }));
  const client = join(folder, 'node_modules/@offplan/client');
  mkdirSync(client, { recursive: true });
  symlinkSync(join(ROOT, 'node_modules/fastify'), join(folder, 'node_modules/fastify'));
  const source = pathToFileURL(join(ROOT, 'client/src/index.ts')).href;
  const written = {
    'package.json': '{ "type": "module" }',
    'node_modules/@offplan/client/package.json': '{ "type": "module", "exports": "./index.js" }',
    'node_modules/@offplan/client/index.js': `export * from '${source}';\n`,
    ...files,
  };
  for (const [name, text] of Object.entries(written)) writeFileSync(join(folder, name), text);
  return folder;
}
