#!/usr/bin/env node
// Plain JavaScript without an import of the service, so that an old Node.js can run it and name the version it needs.
import { existsSync } from 'node:fs';
import module from 'node:module';
import { fileURLToPath } from 'node:url';

// By default, SIGUSR1 makes Node.js open its debugger to every user of the machine.
process.on('SIGUSR1', () => undefined);

// Threads for files, compression and passwords. With the four that are usual, four reads of a network folder that hangs would hold
// up all others. Node.js reads the number when it needs the first thread.
process.env.UV_THREADPOOL_SIZE ??= '32';

const built = new URL('../dist/service/main.js', import.meta.url);
const source = new URL('../src/cli/main.ts', import.meta.url);
const isClone = existsSync(source);
const fault = (isClone && findMissingPackages()) || findOldNode() || findRemovedFolder();

if (fault) {
  process.stderr.write(`offplan: ${fault}\n`);
  process.exitCode = 1;
} else {
  // Keep the compiled files of a clone: a command then starts in half the time. Without write access, Node.js keeps none.
  if (isClone)
    module.enableCompileCache(fileURLToPath(new URL('../node_modules/.cache', import.meta.url)));
  const { main } = await import(isClone ? source : built);
  await main(process.argv.slice(2));
}

function findMissingPackages() {
  if (existsSync(new URL('../node_modules', import.meta.url))) return null;
  return 'nothing is installed here yet: run "npm ci" first.';
}

function findOldNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > 24 || (major === 24 && minor >= 7)) return null;
  return `this is Node.js ${process.versions.node}; Offplan needs Node.js 24.7 or later${findAdvice()}`;
}

function findRemovedFolder() {
  try {
    process.cwd();
    return null;
  } catch {
    return 'the working folder was removed; change to another one with cd.';
  }
}

function findAdvice() {
  if (!isClone) return ': install it.';
  if (existsSync(new URL('../node_modules/.bin/node', import.meta.url)))
    return ', which `npm start` and `npm run -s offplan` use.';
  return ': install it, or run `npm ci` without `--omit=dev`, which brings it along for `npm start`.';
}
