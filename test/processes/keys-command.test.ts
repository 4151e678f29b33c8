import assert from 'node:assert/strict';
import { spawnSync, type StdioOptions } from 'node:child_process';
import { closeSync, existsSync, openSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { accountFile } from '../support/accounts.ts';
import { createDatabase, databaseUrl } from '../support/harness.ts';
import { mistyped, unknownKey } from '../support/keys.ts';
import { BIN, offplan, createCommand } from '../support/process.ts';
import { run as query } from '../support/sql.ts';

const db = await createDatabase({ after });
const environment = { DATABASE_URL: await databaseUrl(db) };
const run = createCommand(environment);

const load = (slug: string) =>
  offplan(['load', '-'], environment, JSON.stringify(accountFile(slug)));

before(async () => {
  assert.equal((await load('tui-ridge')).code, 0);
});

test('keys list shows the last four characters of each key, which --json leaves out', async () => {
  const make = ['keys', 'create', 'tui-ridge', '--access', 'read', '--name', 'four'];
  const key = (await run(...make)).stdout.trim();
  const { stdout } = await run('keys', 'list', 'tui-ridge');
  assert.match(stdout, /^ID +KEY +NAME /);
  assert.match(stdout, new RegExp(`^[-\\da-f]{36} {2}…${key.slice(-4)} +four `, 'm'));
  await query(db, 'update api_keys set last_four = null');
  assert.match((await run('keys', 'list', 'tui-ridge')).stdout, /^[-\da-f]{36} {2}– +four /m);
});

test('keys find and keys revoke take a key on stdin, and say what is wrong with it', async () => {
  const make = ['keys', 'create', 'tui-ridge', '--access', 'read', '--name', 'leaked'];
  const key = (await run(...make)).stdout;
  const find = (text: string, ...more: string[]) =>
    offplan(['keys', 'find', ...more], environment, text);
  const found = await find(key);
  assert.match(found.stdout, /^ACCOUNT .*\ntui-ridge {2}[-\da-f]{36} {2}leaked /);
  const { account, id, name, revokedAt } = JSON.parse((await find(key, '--json')).stdout);
  assert.deepEqual([account, name, revokedAt], ['tui-ridge', 'leaked', null]);
  const revoked = await offplan(['keys', 'revoke', 'tui-ridge', '-'], environment, key);
  assert.deepEqual([revoked.code, revoked.stderr], [0, `Revoked key ${id}.\n`]);
  const again = JSON.parse((await find(key, '--json')).stdout);
  assert.match(again.revokedAt, /Z$/);

  assert.equal((await load('other-ridge')).code, 0);
  const wrong = await offplan(['keys', 'revoke', 'other-ridge', '-'], environment, key);
  assert.deepEqual(
    [wrong.code, wrong.stderr],
    [1, 'offplan: the key on stdin is of account "tui-ridge", not of "other-ridge"\n'],
  );
  for (const [text, message] of [
    ['', /^offplan: the text on stdin is not an API key; a part may be missing or mistyped\n$/],
    [mistyped(key.trim()), /^offplan: the text on stdin is not an API key/],
    [unknownKey(), /^offplan: no account of this installation has this key\n$/],
  ] as const) {
    const { code, stdout, stderr } = await find(text);
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(stderr, message);
  }
  const asId = await run('keys', 'revoke', 'tui-ridge', key.trim());
  assert.match(asId.stderr, /has no key with this id; .* keys revoke tui-ridge - takes the key/);
  assert.ok(!asId.stderr.includes(key.trim()));
});

test('keys create --scopes makes a key with these scopes, and names a text that is not a scope', async () => {
  const create = (...args: string[]) =>
    run('keys', 'create', 'tui-ridge', '--name', 'crm', ...args);
  const { code, stdout } = await create('--scopes', 'events:read, contacts:read');
  assert.equal(code, 0);
  assert.match(stdout, /^offplan_\w+\n$/);
  const listed = await run('keys', 'list', 'tui-ridge');
  assert.match(listed.stdout, / crm +contacts:read events:read /);
  const found = JSON.parse((await offplan(['keys', 'find', '--json'], environment, stdout)).stdout);
  assert.deepEqual([found.access, found.scopes], [null, ['contacts:read', 'events:read']]);
  for (const [args, message] of [
    [[], /^offplan: Give the key --access read, --access read-write or --scopes; try --help\n$/],
    [['--scopes', ' '], /^offplan: Give the key --access read/],
    [
      ['--scopes', 'contacts'],
      /^offplan: There is no scope "contacts". The scopes are: stock:read, /,
    ],
    [['--scopes', 'stock:read', '--access', 'read'], /cannot be used with option '--access/],
  ] as const) {
    const wrong = await create(...args);
    assert.deepEqual([wrong.code, wrong.stdout], [2, ''], args.join(' '));
    assert.match(wrong.stderr, message);
  }
});

const noFullDevice = existsSync('/dev/full') ? false : 'this system has no /dev/full';

test(
  'a key or a link that cannot be printed is named, with how to get another one',
  { skip: noFullDevice },
  () => {
    const createUnseen = (...args: string[]): string => {
      const full = openSync('/dev/full', 'w');
      const env = { ...process.env, ...environment };
      const stdio: StdioOptions = ['ignore', full, 'pipe'];
      const { stderr, status } = spawnSync(BIN, args, { env, stdio, encoding: 'utf8' });
      closeSync(full);
      assert.equal(status, 1, stderr);
      return stderr;
    };
    const key = ['keys', 'create', 'tui-ridge', '--access', 'read', '--name', 'unseen'];
    assert.match(
      createUnseen(...key),
      /no space is left\. Nobody has seen the key: offplan keys revoke tui-ridge [-\da-f]{36}, and make another$/m,
    );
    const link = ['users', 'invite', 'tui-ridge', 'hoani@tuiridge.example', '--role', 'owner'];
    assert.match(
      createUnseen(...link),
      /no space is left\. Nobody has seen the link: offplan users reset tui-ridge hoani@tuiridge\.example prints another$/m,
    );
  },
);
