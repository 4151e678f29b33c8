#!/usr/bin/env -S node --min-semi-space-size=4
// 4 MB for new objects, which V8 has to be told when it starts; all else that it is told is in src/cli/heap.ts.
// Plain JavaScript that an old Node can read, so that it can say what is missing.
import { existsSync } from 'node:fs';

const built = new URL('../dist/cli/main.js', import.meta.url);
const source = new URL('../src/cli/main.ts', import.meta.url);
const fromSource = existsSync(source);
const [major, minor] = process.versions.node.split('.').map(Number);
const isOld = major < 20 || (major === 20 && minor < 12);

if (fromSource ? !process.features.typescript : isOld) {
  const needed = fromSource
    ? 'Node.js 24, which `npm ci` brings: use `npm start` or `npm run -s offplan`'
    : 'Node.js 20.12 or later';
  process.stderr.write(
    `offplan: this is Node.js ${process.versions.node}; Offplan needs ${needed}.\n`,
  );
  process.exitCode = 1;
} else {
  const { main } = await import(fromSource ? source : built);
  await main(process.argv.slice(2));
}
