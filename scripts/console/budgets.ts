/** Checks that the files of the built console are as small as they promise to be. Sizes are in bytes of Brotli. */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The most that a browser loads until a screen is usable. A screen is named by the folder of its own file. */
const SCRIPT_MAX_BYTES: Record<string, number> = {
  home: 110_000,
  contacts: 110_000,
  // Its own parts are 17 kB; what every page needs has grown to 95 kB.
  stock: 114_000,
  pipeline: 130_000,
  import: 130_000,
};
const SIGN_IN_MAX_BYTES = 85_000;
const OTHER_SCRIPT_MAX_BYTES = 140_000;
const STYLES_MAX_BYTES = 12_000;

const BUILT = fileURLToPath(new URL('../../dist/console', import.meta.url));
/** Signing in needs this alone. */
const ENTRY = 'index.html';
/** Every screen of a person who is signed in needs this, too. */
const FRAME = 'frame/index.ts';

interface Chunk {
  file: string;
  isDynamicEntry?: boolean;
  imports?: string[];
  css?: string[];
}

const chunks = JSON.parse(readFileSync(join(BUILT, 'manifest.json'), 'utf8')) as Record<
  string,
  Chunk
>;

/** The chunks that the browser loads for these, with all that they import. */
function follow(names: string[], seen = new Set<string>()): Set<string> {
  for (const name of names) {
    if (seen.has(name)) continue;
    seen.add(name);
    follow(chunks[name]?.imports ?? [], seen);
  }
  return seen;
}

const addScripts = (names: string[]): number =>
  addUp([...follow(names)].flatMap((name) => chunks[name]?.file ?? []));

const addStyles = (names: string[]): number =>
  addUp([...follow(names)].flatMap((name) => chunks[name]?.css ?? []));

const sizeOf = (file: string): number => statSync(join(BUILT, `${file}.br`)).size;
const addUp = (files: Iterable<string>): number =>
  [...new Set(files)].reduce((sum, file) => sum + sizeOf(file), 0);

function checkSize(what: string, size: number, most: number): void {
  if (size <= most) return;
  console.error(`${what} takes ${size} bytes, ${size - most} more than it may.`);
  process.exitCode = 1;
}

const screens = Object.keys(chunks).filter((name) => chunks[name]?.isDynamicEntry === true);
checkSize('the script of signing in', addScripts([ENTRY]), SIGN_IN_MAX_BYTES);
for (const screen of screens) {
  // A dialog is loaded when it opens: the screen has been usable before.
  const [, folder = ''] = /^(\w+)\/index\.ts$/.exec(screen) ?? [];
  const most = SCRIPT_MAX_BYTES[folder] ?? OTHER_SCRIPT_MAX_BYTES;
  checkSize(`the script of ${screen}`, addScripts([ENTRY, FRAME, screen]), most);
  checkSize(`the CSS of ${screen}`, addStyles([ENTRY, FRAME, screen]), STYLES_MAX_BYTES);
}
