import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { accountFile } from '../support/accounts.ts';
import { createDatabase, databaseUrl } from '../support/harness.ts';
import { BIN, dataFolder, offplan, serving } from '../support/process.ts';

const db = await createDatabase({ after });
const environment = { DATABASE_URL: await databaseUrl(db) };

const lines = (text: string): string[] => text.split('\n').filter((line) => line !== '');

test('all faulty settings are named at once, with variables OFFPLAN_… that are no settings', async () => {
  const faulty = { PORT: '70000', OFFPLAN_WORKERS: 'many', OFFPLAN_WORKRES: '4' };
  for (const args of [['config'], ['serve'], ['accounts', 'list']]) {
    const { code, stdout, stderr } = await offplan(args, { ...environment, ...faulty });
    assert.deepEqual([code, stdout], [1, '']);
    const named = lines(stderr).map((line) => line.split(' ').slice(0, 4).join(' '));
    assert.deepEqual(named, [
      'offplan: PORT must be',
      'offplan: OFFPLAN_WORKERS must be',
      'offplan: OFFPLAN_WORKRES is not',
    ]);
  }
});

test('a variable OFFPLAN_… that is no setting is named at the start, by commands and by serve', async (t) => {
  const unknown = { ...environment, OFFPLAN_WORKRES: '4', LOG_LEVEL: 'warn' };
  const line = 'OFFPLAN_WORKRES is not a setting; the nearest one is OFFPLAN_WORKERS.';
  const listed = await offplan(['accounts', 'list', '--json'], unknown);
  assert.deepEqual([listed.code, listed.stderr], [0, `offplan: ${line}\n`]);
  const server = await serving(unknown);
  t.after(() => server.stop());
  await server.stop();
  const [warned] = lines(server.logged()).map(
    (each) => JSON.parse(each) as { level: string; msg: string },
  );
  assert.deepEqual([warned?.level, warned?.msg], ['warn', line]);
});

test('a folder in which no picture can be stored is named at the start', async (t) => {
  const advice = 'No picture can be stored; OFFPLAN_MEDIA_DIR can name another folder.';
  for (const [path, reason] of [
    [join(BIN, 'media'), 'its folder is a file'],
    [BIN, 'it is a file, not a folder'],
    // Root has the right to write there, and yet cannot.
    ['/proc/media', process.getuid?.() === 0 ? 'there is no such folder' : 'permission is denied'],
  ] as const) {
    const server = await serving({ ...environment, OFFPLAN_MEDIA_DIR: path, LOG_LEVEL: 'warn' });
    t.after(() => server.stop());
    await server.stop();
    const [warned] = lines(server.logged()).map((each) => JSON.parse(each) as { msg: string });
    assert.equal(warned?.msg, `${path} cannot be written: ${reason}. ${advice}`);
  }
});

test('load and config name an image key that nothing serves, unless MEDIA_BASE_URL is set', async (t) => {
  const data = { OFFPLAN_DATA_DIR: dataFolder(t), LOG_LEVEL: 'error' };
  const file = accountFile('pictured');
  const [project] = file.projects;
  const withKeys = (heroImage: string) =>
    JSON.stringify({
      ...file,
      projects: [
        {
          ...project,
          heroImage: { key: heroImage },
          galleryImages: [{ key: 'marram/hero.svg' }, { key: 'b/c.jpg' }],
        },
      ],
    });
  const text = (count: string, first: string) =>
    `Account "pictured" has ${count} that nothing serves, such as "${first}": set MEDIA_BASE_URL to the storage or CDN that has the pictures.\n`;
  const load = await offplan(['load', '-'], data, withKeys('a/hero.jpg'));
  assert.equal(load.code, 0, load.stderr);
  assert.equal(load.stderr, text('2 image keys', 'a/hero.jpg'));
  const served = { ...data, MEDIA_BASE_URL: 'https://cdn.example.com/media' };
  assert.equal((await offplan(['load', '-'], served, withKeys('marram/hero.svg'))).stderr, '');
  assert.equal((await offplan(['config'], served)).stderr, '');
  assert.equal((await offplan(['config'], data)).stderr, text('1 image key', 'b/c.jpg'));
  // A picture that the service stores is looked for in its own folder.
  const lost = `0196a24b-34ec-7db6-924f-03249bebad2a/${'a1'.repeat(32)}.jpg`;
  assert.equal(
    (await offplan(['load', '-'], served, withKeys(lost))).stderr,
    `Account "pictured" has 1 image key that nothing serves, such as "${lost}": copy the pictures of the account into ` +
      `${join(data.OFFPLAN_DATA_DIR, 'media')}, or send them to POST /media and use their new keys.\n`,
  );
  // Without a database there is nothing to look at, and none is made.
  const none = join(data.OFFPLAN_DATA_DIR, 'none');
  const config = await offplan(['config'], { ...data, OFFPLAN_DATA_DIR: none });
  assert.deepEqual([config.code, config.stderr, existsSync(none)], [0, '', false]);
});

test('config still prints the settings when the database does not answer, and says that it has not looked', async () => {
  const away = { DATABASE_URL: 'postgresql://me:hush@127.0.0.1:1/db' };
  const { code, stdout, stderr } = await offplan(['config'], away);
  assert.equal(code, 0);
  assert.match(stdout, /^DATABASE_URL=postgresql:\/\/me:\*+@127\.0\.0\.1:1\/db$/m);
  assert.match(stderr, /^The pictures were not checked: the database cannot be reached: [^\n]*\n$/);
});
