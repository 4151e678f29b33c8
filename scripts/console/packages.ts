import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

interface LockedPackage {
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const BUILD_PACKAGES = ['vite', '@vitejs/plugin-react'];
/** The package of a module that a file imports by name: "react" of "react/jsx-runtime". */
const IMPORTED = /from '((?:@[^/']+\/)?[^./'][^/']*)[^']*'/g;

/** Lists the packages in the lockfile that the console and its build need, those for other platforms too. */
export function listConsolePackages(): string[] {
  const lockfile = JSON.parse(readFileSync(`${ROOT}package-lock.json`, 'utf8')) as {
    packages: Record<string, LockedPackage>;
  };
  const { packages } = lockfile;
  const found = new Set<string>();
  const waiting = [...listImported(), ...BUILD_PACKAGES].map((name) => findPackage('', name));
  while (waiting.length > 0) {
    const path = waiting.pop();
    if (path === undefined || found.has(path)) continue;
    found.add(path);
    const { dependencies, optionalDependencies } = packages[path] ?? {};
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies }))
      waiting.push(findPackage(path, name));
  }
  return [...found];

  /** Finds a package as Node.js does: in the folder of the package that needs it, or in one around that. */
  function findPackage(from: string, name: string): string | undefined {
    const path = `${from === '' ? '' : `${from}/`}node_modules/${name}`;
    if (packages[path] !== undefined) return path;
    if (from === '') return undefined;
    return findPackage(from.slice(0, Math.max(from.lastIndexOf('/node_modules/'), 0)), name);
  }
}

/** Lists the packages that the files of the console import. */
function listImported(): Set<string> {
  const files = globSync(`${ROOT}console/**/*.{ts,tsx}`);
  const names = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(IMPORTED)].flatMap(([, name]) => name ?? []),
  );
  return new Set(names);
}
