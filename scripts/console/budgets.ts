/** Checks that the files of the built console are as small as they promise to be. Sizes are in bytes of Brotli. */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The most that a browser loads until a screen is usable. A screen is named by the folder of its own file. */
const SCRIPT_MAX_BYTES: Record<string, number> = {
  'sign-in': 85_000,
  home: 110_000,
  contacts: 110_000,
  stock: 110_000,
  pipeline: 130_000,
  import: 130_000,
};
const OTHER_SCRIPT_MAX_BYTES = 140_000;
const STYLES_MAX_BYTES = 12_000;

const BUILT = fileURLToPath(new URL('../../dist/console', import.meta.url));
const ENTRY = 'index.html';

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

const sizeOf = (file: string): number => statSync(join(BUILT, `${file}.br`)).size;
const addUp = (files: Iterable<string>): number =>
  [...new Set(files)].reduce((sum, file) => sum + sizeOf(file), 0);

function checkSize(what: string, size: number, most: number): void {
  if (size <= most) return;
  console.error(`${what} takes ${size} bytes, ${size - most} more than it may.`);
  process.exitCode = 1;
}

const screens = Object.keys(chunks).filter((name) => chunks[name]?.isDynamicEntry === true);
for (const screen of [ENTRY, ...screens]) {
  const loaded = [...follow([ENTRY, screen])].flatMap((name) => chunks[name]?.file ?? []);
  const [folder = ''] = screen.split('/');
  const most = SCRIPT_MAX_BYTES[folder] ?? OTHER_SCRIPT_MAX_BYTES;
  checkSize(`the script of ${screen}`, addUp(loaded), most);
}
checkSize('the CSS', addUp(Object.values(chunks).flatMap(({ css = [] }) => css)), STYLES_MAX_BYTES);
