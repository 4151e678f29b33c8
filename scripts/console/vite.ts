import react from '@vitejs/plugin-react';
import { fileURLToPath } from 'node:url';
import type { InlineConfig } from 'vite';
import { addTheme, keepOneLanguage, noteStyles } from './plugins.ts';

const CONSOLE = fileURLToPath(new URL('../../console', import.meta.url));

/** Describes how Vite builds the console into a folder. `styles` gets the texts of the `<style>` elements of React Aria. */
export function describeBuild(outDir: string, styles: Set<string>): InlineConfig {
  return {
    configFile: false,
    envDir: false,
    root: CONSOLE,
    // The service puts the path of its public URL before the addresses of the page; the files name each other relatively.
    base: './',
    logLevel: 'warn',
    plugins: [react(), keepOneLanguage(), noteStyles(styles), addTheme(CONSOLE)],
    build: {
      outDir,
      emptyOutDir: true,
      // The size of each route's files is read from it.
      manifest: 'manifest.json',
      // An inlined file would need `data:` in more places of the Content-Security-Policy.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
    },
  };
}
