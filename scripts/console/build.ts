import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const DIST = join(ROOT, 'dist');
const BUILT = join(DIST, 'console');
const SOURCES = ['console/**/*', 'client/src/**/*', 'scripts/console/*', 'package-lock.json'];

/** The facts about a build that the service and the next build read. */
interface Manifest {
  /** The hashes of the `<style>` elements that a library adds, as a Content-Security-Policy names them. */
  styleHashes: string[];
  /** The files of this build. The folder also has those of the build before, for pages that are still open. */
  assets: string[];
}

await buildConsole();

/** Builds the console, unless the last build was of the same files. */
async function buildConsole(): Promise<void> {
  const stamp = hashSources();
  if (readStamp() === stamp) return;
  const startedMs = performance.now();
  const vite = await import('vite').catch(() => null);
  if (vite === null)
    return say('The console was not built: Vite is not installed (npm ci brings it).');
  process.env['NODE_ENV'] = 'production';
  const { describeBuild } = await import('./vite.ts');
  mkdirSync(DIST, { recursive: true });
  const draft = mkdtempSync(join(DIST, 'console-draft-'));
  try {
    const styles = new Set<string>();
    await vite.build(describeBuild(draft, styles));
    finish(draft, styles, stamp);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  say(`Built the console in ${((performance.now() - startedMs) / 1000).toFixed(1)} s.`);
}

function hashSources(): string {
  const hash = createHash('sha256');
  const files = globSync(SOURCES, { cwd: ROOT, withFileTypes: true }).filter((each) =>
    each.isFile(),
  );
  for (const path of files.map((each) => join(each.parentPath, each.name)).toSorted())
    hash
      .update(`${path.slice(ROOT.length)}\0`)
      .update(readFileSync(path))
      .update('\0');
  return hash.digest('hex');
}

function readStamp(): string | null {
  const path = join(BUILT, '.stamp');
  return existsSync(path) ? readFileSync(path, 'utf8') : null;
}

/** Compresses the files of a build, adds those of the build before, and replaces that build. */
function finish(draft: string, styles: Set<string>, stamp: string): void {
  const assets = readdirSync(join(draft, 'assets'));
  for (const name of assets) compress(join(draft, 'assets', name));
  const styleHashes = [...styles].map(
    (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`,
  );
  const manifest: Manifest = { styleHashes, assets };
  writeFileSync(join(draft, 'console.json'), JSON.stringify(manifest));
  writeFileSync(join(draft, '.stamp'), stamp);
  keepAssets(join(draft, 'assets'));
  replaceBuild(draft);
}

function compress(path: string): void {
  const bytes = readFileSync(path);
  const params = { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  writeFileSync(`${path}.br`, brotliCompressSync(bytes, { params }));
  writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }));
}

/** Copies the files of the build before: a page that is still open loads its further parts from the build that it came from. */
function keepAssets(target: string): void {
  const path = join(BUILT, 'console.json');
  if (!existsSync(path)) return;
  const { assets } = JSON.parse(readFileSync(path, 'utf8')) as Manifest;
  for (const name of assets.flatMap((each) => [each, `${each}.br`, `${each}.gz`])) {
    const from = join(BUILT, 'assets', name);
    // The hash in a name does not cover what Vite adds to a file last, so a new file may have the name of an old one.
    if (existsSync(from)) cpSync(from, join(target, name), { force: false });
  }
}

function replaceBuild(draft: string): void {
  // Only its owner can read the draft so far: `mkdtemp` makes it with the mode 0700.
  chmodSync(draft, 0o755);
  const old = `${draft}-old`;
  if (existsSync(BUILT)) renameSync(BUILT, old);
  renameSync(draft, BUILT);
  rmSync(old, { recursive: true, force: true });
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}
