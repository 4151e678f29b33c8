import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { createCommand } from '../support/process.ts';

const run = createCommand({});

interface Command {
  words: string;
  options: string[];
}

/** The commands with their options, as the help shows them. */
async function listCommands(...words: string[]): Promise<Command[]> {
  const { stdout } = await run(...words, '--help');
  const [head = '', list = ''] = stdout.split('\nCommands:\n');
  const find = (text: string, pattern: RegExp) =>
    [...text.matchAll(pattern)].map(([, name = '']) => name);
  const names = find(list, /^ {2}([a-z][a-z-]*)/gm).filter((name) => name !== 'help');
  const options = find(head, /^ {2}(--[a-z-]+)/gm);
  const commands = names.map((name) => listCommands(...words, name));
  return names.length === 0
    ? [{ words: words.join(' '), options }]
    : (await Promise.all(commands)).flat();
}

test('README.md lists every command with its options, and no other', async () => {
  const text = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
  const block = /```\n(offplan serve [^]*?)```/.exec(text)?.[1] ?? '';
  const listed = block.split(/^offplan /m).slice(1);
  const commands = await listCommands();
  assert.equal(listed.length, commands.length);
  for (const { words, options } of commands) {
    const entry = listed.find((each) => each.startsWith(words)) ?? '';
    const named = [...entry.matchAll(/--[a-z-]+/g)].map(([option]) => option);
    // `imports retry` has its option in the place of an argument.
    assert.deepEqual(named.toSorted(), options.toSorted(), `offplan ${words}`);
  }
});
