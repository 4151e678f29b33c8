import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
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

/** Names of things, and the words of the API, which have a capital letter wherever they stand. */
const NAMES =
  /^(Offplan|Excel|Windows|MB|MiB|NZD|CRM|March|April|Ngata|Aroha|Stock|People|Contacts|G|C|N|CSV|UTF|NDJSON|API|URL|JSON|ID|PDF|JPEG|PNG|WebP|AVIF|QR|Ctrl|Enter|Escape|Tab|Space|Shift|End|Home|Alt|F2|I|New|Contacted|Qualified|Viewing|Reserved|Under|Contract|Settled|Nurture|Lost|Available|Coming|Soon|On|Hold|Unconditional|Withdrawn)$/;

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
