import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { test } from 'node:test';
import { developerFile } from '../support/developer.ts';
import { dataFolder, offplan, serving } from '../support/process.ts';

const ACCOUNT = 'backed-up';
const FILE = JSON.stringify(developerFile(ACCOUNT));
const LEAD = { email: 'aroha@example.com', notes: 'Before the copy.', tags: ['Hot'] };

const post = (url: string, key: string, lead: object) =>
  fetch(`${url}/api/v1/contacts`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(lead),
  });

test('a copy of the data folder of the embedded PostgreSQL has everything acknowledged before: contacts, keys and the import log', async (t) => {
  const original = dataFolder(t);
  const backup = `${original}-backup`;
  t.after(() => rmSync(backup, { recursive: true, force: true }));
  const inOriginal = { OFFPLAN_DATA_DIR: original };
  const inBackup = { OFFPLAN_DATA_DIR: backup };
  const exported = async (environment: typeof inOriginal) =>
    (await offplan(['export', ACCOUNT], environment)).stdout;

  const first = await serving(inOriginal);
  t.after(() => first.stop());
  assert.equal((await offplan(['load', '-'], inOriginal, FILE)).code, 0);
  const { stdout } = await offplan(
    ['keys', 'create', ACCOUNT, '--access', 'read-write', '--name', 'site'],
    inOriginal,
  );
  const key = /offplan_\w+/.exec(stdout)?.[0] ?? '';
  assert.equal((await post(first.url, key, LEAD)).status, 201);
  assert.equal(await first.stop(), 0);

  execFileSync('cp', ['-a', original, backup]);
  const second = await serving(inOriginal);
  t.after(() => second.stop());
  assert.equal((await post(second.url, key, { email: 'later@example.com' })).status, 201);
  const later = await exported(inOriginal);
  await second.stop();

  const restored = await serving(inBackup);
  t.after(() => restored.stop());
  const before = await exported(inBackup);
  assert.match(before, /Before the copy\./);
  assert.doesNotMatch(before, /later@example\.com/);
  assert.match(later, /later@example\.com/);
  const { stdout: log } = await offplan(['imports', 'list', ACCOUNT], inBackup);
  assert.match(log, /created/);
  assert.equal((await post(restored.url, key, LEAD)).status, 200);
});
