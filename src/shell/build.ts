import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ROOT } from '../platform/config/index.ts';

/** The folder of the built console. */
export const BUILD_FOLDER = fileURLToPath(new URL('dist/console', ROOT));

/** The one page of the console, and what its headers say of it. */
export interface Shell {
  html: string;
  etag: string;
  /** The hashes of the `<style>` elements that React Aria adds, as a Content-Security-Policy names them. */
  styleHashes: string[];
}

/** Reads the shell of the built console for this public URL. Returns null when the console is not built. */
export function readShell(publicUrl: string): Shell | null {
  const base = new URL(publicUrl).pathname.replace(/\/$/, '');
  try {
    const built = readFileSync(join(BUILD_FOLDER, 'index.html'), 'utf8');
    const html = built.replaceAll('"./assets/', `"${base}/assets/`);
    const about = JSON.parse(readFileSync(join(BUILD_FOLDER, 'console.json'), 'utf8')) as Shell;
    const hash = createHash('sha256').update(html).digest('base64url').slice(0, 22);
    return { html, etag: `"${hash}"`, styleHashes: about.styleHashes };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
