/**
 * Checks that the files of the built console, and the number of packages that it needs, are within their limits. Sizes are in
 * bytes after compression with Brotli.
 *
 * A screen counts with all that the browser loads until it is usable: the entry, the frame, and the screen with what it
 * imports. A dialog, a menu or a tab that opens later is a screen of its own, with the same limit as its page.
 */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { listConsolePackages } from './packages.ts';
import type { ScriptsOf } from './plugins.ts';

/** The most script of a page, by the folder of the page. */
const SCRIPT_MAX_BYTES: Record<string, number> = {
  home: 110_000,
  contacts: 110_000,
  stock: 110_000,
  pipeline: 130_000,
  import: 130_000,
};
const SIGN_IN_MAX_BYTES = 85_000;
const OTHER_SCRIPT_MAX_BYTES = 140_000;
const STYLES_MAX_BYTES = 12_000;
const PACKAGES_MAX_COUNT = 75;

const BUILT = fileURLToPath(new URL('../../dist/console', import.meta.url));
const ENTRY = 'index.html';
/** The page that signs people in, and the one of a link that does. */
const SIGN_IN = ['session/sign-in.tsx', 'session/open-link.tsx'];
/** Every screen of a person who is signed in needs this, too. */
const FRAME = 'frame/index.ts';

const scripts = JSON.parse(readFileSync(join(BUILT, 'scripts.json'), 'utf8')) as ScriptsOf;

/** The size of all scripts that these modules load, each once. */
function addUp(modules: string[]): number {
  const files = new Set(modules.flatMap((name) => scripts[name] ?? []));
  return [...files].reduce((sum, file) => sum + sizeOf(file), 0);
}

const sizeOf = (file: string): number => statSync(join(BUILT, `${file}.br`)).size;

function checkSize(what: string, size: number, most: number): void {
  if (size <= most) return;
  console.error(`${what} takes ${size} bytes, ${size - most} more than it may.`);
  process.exitCode = 1;
}

for (const page of SIGN_IN)
  checkSize(`the script of ${page}`, addUp([ENTRY, page]), SIGN_IN_MAX_BYTES);
for (const screen of Object.keys(scripts)) {
  const [folder = ''] = screen.split('/');
  const most = SCRIPT_MAX_BYTES[folder] ?? OTHER_SCRIPT_MAX_BYTES;
  checkSize(`the script of ${screen}`, addUp([ENTRY, FRAME, screen]), most);
}
// One file has the styles of all screens.
const html = readFileSync(join(BUILT, 'index.html'), 'utf8');
const [, styles = ''] = /href="\.\/(assets\/[^"]+\.css)"/.exec(html) ?? [];
checkSize('the CSS', sizeOf(styles), STYLES_MAX_BYTES);

const packageCount = listConsolePackages().length;
if (packageCount > PACKAGES_MAX_COUNT) {
  console.error(
    `The console needs ${packageCount} packages; at most ${PACKAGES_MAX_COUNT} may be.`,
  );
  process.exitCode = 1;
}
