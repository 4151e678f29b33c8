#!/usr/bin/env -S node --min-semi-space-size=4
// 4 MB for new objects, which V8 has to be told when it starts; all else that it is told is in src/cli/heap.ts.
// Plain JavaScript that an old Node can read, so that it can say what is missing.
import { existsSync } from 'node:fs';

const built = new URL('../dist/cli/main.js', import.meta.url);
const source = new URL('../src/cli/main.ts', import.meta.url);
const fromSource = existsSync(source);
const fault = fromSource ? faultOfClone() : faultOfPackage();

if (fault === null) {
  const { main } = await import(fromSource ? source : built);
  await main(process.argv.slice(2));
} else {
  process.stderr.write(`offplan: ${fault}\n`);
  process.exitCode = 1;
}

function faultOfClone() {
  if (!existsSync(new URL('../node_modules', import.meta.url)))
    return 'nothing is installed here yet: run "npm ci" first.';
  if (process.features.typescript) return null;
  return needs('Node.js 24, which `npm ci` brought: use `npm start` or `npm run -s offplan`');
}

function faultOfPackage() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  const isOld = major < 20 || (major === 20 && minor < 12);
  return isOld ? needs('Node.js 20.12 or later') : null;
}

function needs(what) {
  return `this is Node.js ${process.versions.node}; Offplan needs ${what}.`;
}
