import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { textArray } from '../src/platform/database/index.ts';
import { createDatabase } from './harness.ts';
import { run } from './instances.ts';
import { NAUGHTY_STRINGS } from './naughty-strings.ts';

const db = await createDatabase({ after });

for (const [what, texts] of [
  ['none', []],
  ['empty and missing ones', ['', null, 'null', '']],
  ['one of 1 MB', ['ā'.repeat(512 * 1024)]],
  ['what arrays as text would have to escape', ['"', '\\', '{}', ',', ' ']],
  ['naughty strings', NAUGHTY_STRINGS],
] as const)
  test(`PostgreSQL reads texts as they are: ${what}`, async () => {
    const { rows } = await run(db, 'select $1::text[] as texts', [textArray([...texts])]);
    assert.deepEqual(rows, [{ texts }]);
  });
