import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Plugin, Rolldown } from 'vite';

const LANGUAGE_FILE = /\/(?!en-US)[a-z]{2}-[A-Z]{2}\.m?js$/;
const NO_TEXTS = 'virtual:no-texts';

/**
 * Leaves out all texts of React Aria that are not English. For a language without texts, React Aria uses the English ones.
 */
export function keepOneLanguage(): Plugin {
  return {
    name: 'keep-one-language',
    enforce: 'pre',
    resolveId: { filter: { id: LANGUAGE_FILE }, handler: () => NO_TEXTS },
    load: { filter: { id: /^virtual:no-texts$/ }, handler: () => 'export default undefined;' },
  };
}

/** Notes the text of each `<style>` that React Aria adds to the page: the Content-Security-Policy names their hashes. */
export function noteStyles(styles: Set<string>): Plugin {
  return {
    name: 'note-styles',
    enforce: 'pre',
    transform: {
      filter: { id: /\/node_modules\/react-(aria|stately)/, code: '.textContent = `' },
      handler(code) {
        const found = code.matchAll(/\.textContent = `([^`]*)`(\.trim\(\))?/g);
        for (const [, text = '', trim] of found) {
          const filled = fillIn(text, code);
          styles.add(trim === undefined ? filled : filled.trim());
        }
      },
    },
  };
}

/** Fills the constants of a module in a template of the same module. */
function fillIn(template: string, code: string): string {
  return template.replaceAll(/\$\{([^}]+)\}/g, (_, name: string) => {
    const [, value] = code.split(`const ${name} = `)[1]?.split("'") ?? [];
    if (value === undefined) throw new Error(`the <style> of React Aria has no constant ${name}`);
    return value;
  });
}

/** Puts the script of the theme before all others. The script is not a module, so that it runs before the first paint. */
export function addTheme(folder: string): Plugin {
  const source = readFileSync(join(folder, 'theme.js'), 'utf8');
  const hash = createHash('sha256').update(source).digest('base64url').slice(0, 8);
  const fileName = `assets/theme-${hash}.js`;
  return {
    name: 'add-theme',
    generateBundle() {
      this.emitFile({ type: 'asset', fileName, source });
    },
    transformIndexHtml: () => [
      { tag: 'script', attrs: { src: `./${fileName}` }, injectTo: 'head-prepend' },
    ],
  };
}

/** The files of a module that is loaded by itself: its own and those that they import. */
export type ScriptsOf = Record<string, string[]>;

/** Lists the scripts of each module that the page or an `import()` loads, for the check of their sizes. */
export function listScripts(folder: string): Plugin {
  return {
    name: 'list-scripts',
    generateBundle(_, bundle) {
      const scripts: ScriptsOf = {};
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk') continue;
        for (const id of chunk.moduleIds) {
          const info = this.getModuleInfo(id);
          if (info?.isEntry !== true && !info?.dynamicImporters.length) continue;
          scripts[relative(folder, id)] = [...followImports(chunk.fileName, bundle)];
        }
      }
      this.emitFile({ type: 'asset', fileName: 'scripts.json', source: JSON.stringify(scripts) });
    },
  };
}

function followImports(
  file: string,
  bundle: Rolldown.OutputBundle,
  seen = new Set<string>(),
): Set<string> {
  const chunk = bundle[file];
  if (chunk?.type !== 'chunk' || seen.has(file)) return seen;
  seen.add(file);
  for (const imported of chunk.imports) followImports(imported, bundle, seen);
  return seen;
}
