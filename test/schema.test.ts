import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { dumpSchema } from '../scripts/dump-schema.ts';
import { createDatabase } from './harness.ts';

const COMMITTED = new URL('../src/platform/database/schema.sql', import.meta.url);

test('the committed schema is what the migrations make; else run scripts/dump-schema.ts', async (t) => {
  const db = await createDatabase(t);
  assert.equal(await dumpSchema(db), await readFile(COMMITTED, 'utf8'));
});
