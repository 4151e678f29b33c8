import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { dataFolder, offplan, serving } from '../support/process.ts';

test('the first start on the embedded PostgreSQL makes a key that only its user can read, and later ones keep it', async (t) => {
  const folder = dataFolder(t);
  const environment = { OFFPLAN_DATA_DIR: folder, LOG_LEVEL: 'error' };
  const path = join(folder, 'secret.key');
  const keys: string[] = [];
  for (let start = 0; start < 2; start += 1) {
    const { stop } = await serving(environment);
    await stop();
    keys.push(readFileSync(path, 'utf8'));
  }
  assert.match(keys[0] ?? '', /^[A-Za-z0-9+/]{43}=\n$/);
  assert.equal(keys[0], keys[1]);
  assert.equal(statSync(path).mode & 0o777, 0o600);
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.startsWith('secret.key')),
    ['secret.key'],
  );
  const refuse = async (pattern: RegExp) => {
    const { code, stderr } = await offplan(['serve', '--port', '0'], environment);
    assert.equal(code, 1);
    assert.match(stderr, pattern);
  };
  writeFileSync(path, 'damaged\n');
  await refuse(/^offplan: \S+secret\.key must hold 32 bytes in base64[^\n]*\n$/);
  rmSync(path);
  mkdirSync(path);
  await refuse(/^offplan: \S+secret\.key cannot be read: it is a folder\n$/);
});
