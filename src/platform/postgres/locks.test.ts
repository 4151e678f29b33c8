import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parsePid } from './locks.ts';

test('a lock file’s first line is a pid, negative in single-user mode; anything else is none', () => {
  assert.equal(parsePid('812\n/data\n'), 812);
  assert.equal(parsePid('-812\n'), 812);
  for (const text of [null, '', '\n', '0\n', 'nonsense']) assert.equal(parsePid(text), null);
});
