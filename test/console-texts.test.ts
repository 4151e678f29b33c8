import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test } from 'node:test';

const CONSOLE = fileURLToPath(new URL('../console', import.meta.url));
const files = globSync('**/*.{ts,tsx}', { cwd: CONSOLE }).map((name) => ({
  name,
  code: readFileSync(`${CONSOLE}/${name}`, 'utf8').replaceAll(/^\s*(\/\/|\/?\*).*$/gm, ''),
}));
const isTexts = ({ name }: { name: string }): boolean => name.endsWith('texts.ts');
const textFiles = files.filter(isTexts);
const others = files.filter((file) => !isTexts(file));

/** The texts of a file: what stands between quotes. */
const readTexts = (code: string): string[] =>
  [...code.matchAll(/'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`/g)].map(
    ([, single, double, template]) => single ?? double ?? template ?? '',
  );

test('the words of the console are in texts.ts, and in no component', () => {
  const found = others.flatMap(({ name, code }) => {
    const withoutErrors = code.replaceAll(/new \w*Error\([^)]*\)/g, '');
    const sentences = readTexts(withoutErrors).filter((text) => /^[A-Z][a-z’]*,? [a-z]/.test(text));
    const marked = [...withoutErrors.matchAll(/<(\w+)[^<>]*>\s*([A-Za-z][^<>{}]*?)\s*<\/\1>/g)]
      .filter(([, tag]) => name.endsWith('.tsx') && tag !== 'kbd')
      .map(([, , text = '']) => text);
    return [...sentences, ...marked].map((text) => `${name}: ${text}`);
  });
  assert.deepEqual(found, []);
});

/** The names of texts, at any depth, that the code does not mention. */
function findUnused(texts: object, code: string): string[] {
  return Object.entries(texts).flatMap(([name, value]: [string, unknown]) => {
    const mention = String.raw`(?<!\.)\??\.${name.replaceAll(/\W/g, String.raw`\$&`)}\b`;
    if (!RegExp(mention).test(code)) return [name];
    const hasOwn = typeof value === 'object' && value !== null && !Array.isArray(value);
    // The code hands on all the texts of the object, or looks one up by a name in a variable.
    const isHandedOn = RegExp(String.raw`${mention}(?!\s*\??\.)`).test(code);
    return hasOwn && !isHandedOn ? findUnused(value, code) : [];
  });
}

/** The code of a file, and of the files that import it. */
const readImporters = (file: string): string =>
  files
    .filter(
      ({ name, code }) =>
        name === file ||
        [...code.matchAll(/from '(\.[^']+)'/g)].some(
          ([, path = '']) => join(dirname(name), path) === file,
        ),
    )
    .map(({ code }) => code.replaceAll(/^import [^;]*;$/gm, ''))
    .join('\n');

for (const file of textFiles
  .map(({ name }) => name)
  .filter((name) => basename(name) === 'texts.ts'))
  test(`each text of ${file} is used`, async () => {
    const code = readImporters(file);
    const exported = Object.entries((await import(`${CONSOLE}/${file}`)) as object);
    const unused = exported.flatMap(([name, value]: [string, unknown]) => {
      const isHandedOn = RegExp(String.raw`\b${name}\b(?!\s*\??\.)`).test(code);
      return typeof value === 'object' && value !== null && !isHandedOn
        ? findUnused(value, code)
        : [];
    });
    assert.deepEqual(unused, []);
  });

/** Names of things, and the words of the API, which have a capital letter wherever they stand. */
const NAMES =
  /^(A|Z|Offplan|Excel|Windows|JPEG|PNG|WebP|AVIF|MiB|CRM|March|April|Aroha|Ngata|Contacts|Pipeline|Projects|Stock|Import|CSV|UTF|NDJSON|API|URL|JSON|ID|PDF|QR|Ctrl|Enter|Escape|Tab|Space|Shift|End|Home|Alt|F2|I|New|Contacted|Qualified|Viewing|Reserved|Under|Contract|Settled|Nurture|Lost|Available|Coming|Soon|On|Hold|Unconditional|Withdrawn)$/;

test('each text is in sentence case, without exclamation marks', () => {
  const faults = textFiles.flatMap(({ name, code }) =>
    readTexts(code.replaceAll(/^import .*$/gm, ''))
      .filter((text) => {
        const words = text
          .replaceAll(/\$\{[^}]*\}/g, '…')
          .split(/(?<=[.?:…“]) |^/)
          .flatMap((sentence) => sentence.split(/[\s,;()“”/-]+/).slice(1));
        return (
          /!|successfully/i.test(text) ||
          words.some((word) => /^[A-Z]/.test(word) && !NAMES.test(word.replace(/\W+$/, '')))
        );
      })
      .map((text) => `${name}: ${text}`),
  );
  assert.deepEqual(faults, []);
});
