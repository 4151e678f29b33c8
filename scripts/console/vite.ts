import react from '@vitejs/plugin-react';
import { fileURLToPath } from 'node:url';
import type { InlineConfig } from 'vite';
import { addTheme, keepOneLanguage, listScripts, noteStyles } from './plugins.ts';

const CONSOLE = fileURLToPath(new URL('../../console', import.meta.url));

/** The parts that most pages use. They load together with the frame. */
const PARTS = [
  'browser/address',
  'domain/contact-name',
  'domain/names',
  'domain/status',
  'domain/unit-names',
  'draft/dialog-draft',
  'draft/draft',
  'edit/edit',
  'form/debounce',
  'form/filter-choice',
  'grid/index',
  'list/list-foot',
  'message/notice',
  'page/card',
  'page/lazy-part',
  'page/page',
  'page/states',
  'page/tabs',
  'popup/help',
  'popup/popup',
  'time/days',
  'views/saved-views',
  'views/view-menu',
].join('|');
const FRAME = new RegExp(`console/(frame/index|parts/(${PARTS}))\\.tsx?$|/useInfiniteQuery\\.js$`);

/**
 * The modules that load together, each group in one file. A page asks for a few files in place of thirty small ones, which
 * compress worse. A module takes its imports along, unless a group above has them.
 */
const GROUPS = [
  { name: 'base', tags: ['$initial' as const] },
  { name: 'frame', test: FRAME },
  { name: 'form', test: /console\/parts\/form\/(field|form)\.tsx$/ },
  {
    name: 'sign-in',
    test: /console\/session\/(code-field|password-field|session-page|sign-in|sign-in-form)\.tsx$/,
  },
  { name: 'aria', test: /node_modules\/(react-aria|react-stately)/, minShareCount: 2 },
  {
    name: 'settings',
    test: /console\/(parts\/(dialog\/(confirm-dialog|rotate-dialog)|form\/copy-text|list\/table)|settings\/settings-page)\.tsx?$/,
  },
  {
    name: 'words',
    test: /console\/(parts\/(domain\/contact-texts|form\/filter-day|time\/wall-time)|webhooks\/queries)\.tsx?$/,
  },
  { name: 'stage', test: /console\/(contact\/unit-question|parts\/domain\/find-tags)\.tsx?$/ },
  { name: 'upload', test: /console\/parts\/(page\/progress-bar|upload\/)/ },
  { name: 'stock', test: /console\/stock\/(index|units-view)\.tsx?$/ },
  { name: 'project-edits', test: /console\/(parts\/list\/reorder|stock\/project-data)\.ts$/ },
  { name: 'batch', test: /console\/stock\/bulk\/(batch|preview-texts)\.ts$/ },
  {
    name: 'preview',
    test: /console\/stock\/bulk\/(bulk-preview|change-preview|refused-rows)\.tsx$/,
  },
  { name: 'contacts', test: /console\/contacts\/index\.ts$/ },
].map((group, index, { length }) => ({ ...group, priority: length - index }));

/** Describes how Vite builds the console into a folder. `styles` gets the texts of the `<style>` elements of React Aria. */
export function describeBuild(outDir: string, styles: Set<string>): InlineConfig {
  return {
    configFile: false,
    envDir: false,
    root: CONSOLE,
    // The service puts the path of its public URL before the addresses of the page; the files name each other relatively.
    base: './',
    // wouter imports a shim of this hook, for React 17. React 19 has the hook itself.
    resolve: { alias: { 'use-sync-external-store/shim/index.js': 'react' } },
    logLevel: 'warn',
    plugins: [
      react(),
      keepOneLanguage(),
      noteStyles(styles),
      addTheme(CONSOLE),
      listScripts(CONSOLE),
    ],
    build: {
      outDir,
      emptyOutDir: true,
      // An inlined file would need `data:` in more places of the Content-Security-Policy.
      assetsInlineLimit: 0,
      modulePreload: {
        polyfill: false,
        // The page has loaded its first file before any other.
        resolveDependencies: (_name, files) =>
          files.filter((file) => !file.startsWith('assets/index-')),
      },
      reportCompressedSize: false,
      // All styles together are smaller than the styles of one page may be, and take one request.
      cssCodeSplit: false,
      rolldownOptions: {
        output: {
          // Each file names the others, and hashes do not compress. Seven characters are the fewest that Rolldown takes.
          chunkFileNames: 'assets/[name]-[hash:7].js',
          codeSplitting: { groups: GROUPS },
        },
      },
    },
  };
}
