import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { spawn, spawnSync, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  cpSync,
  mkdirSync,
  existsSync,
  openSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import { text as streamText } from 'node:stream/consumers';
import pg from 'pg';
import { startEmbedded } from '../../src/platform/postgres/index.ts';
import { accountFile } from '../support/accounts.ts';
import { createDatabase, databaseUrl } from '../support/harness.ts';
import {
  BIN,
  BIN_OF_CLONE,
  dataFolder,
  inReverse,
  offplan,
  postgresPids,
  runCommand,
  serving,
  servingProgram,
  createCommand,
} from '../support/process.ts';
import { until } from '../support/until.ts';

const cleaner = inReverse({ after });
const folder = dataFolder(cleaner);
const environment = { OFFPLAN_DATA_DIR: folder, LOG_LEVEL: 'error' };
// Most commands here find PostgreSQL running, so that this file does not wait for fifty starts.
const hold = await startEmbedded({ dataDir: folder, isDefaultDataDir: false });
cleaner.after(() => hold.release());
const run = createCommand(environment);

const loaded = await offplan(['load', '-'], environment, JSON.stringify(accountFile('tui-ridge')));
assert.equal(loaded.code, 0, loaded.stderr);
assert.match(loaded.stdout, /^Account "tui-ridge" created\.\n {2}organization: created\n/);

const lines = (text: string): string[] => text.split('\n').filter((line) => line !== '');

test('--help lists the commands, and every command has a help of its own, on stdout', async () => {
  const overview = await run('--help');
  assert.deepEqual([overview.code, overview.stderr], [0, '']);
  const groups = ['accounts', 'contacts', 'imports', 'keys'];
  const commands = [
    'serve',
    'migrate',
    'config',
    'backup',
    'restore',
    'load',
    'export',
    'import',
    ...groups,
  ];
  for (const command of commands) assert.match(overview.stdout, new RegExp(`^  ${command} `, 'm'));
  for (const command of ['serve', 'import', 'keys', 'keys create']) {
    const { code, stdout, stderr } = await run(...command.split(' '), '--help');
    assert.deepEqual([code, stderr], [0, ''], command);
    assert.ok(stdout.startsWith(`Usage: offplan ${command} `), stdout);
  }
});

test('offplan alone, and each group of commands alone, print their help', async () => {
  for (const group of ['', 'accounts', 'contacts', 'imports', 'keys']) {
    const words = group === '' ? [] : [group];
    const [alone, help] = [await run(...words), await run(...words, '--help')];
    assert.deepEqual(alone, { code: 0, stdout: help.stdout, stderr: '' }, group);
  }
});

test('offplan help keys create prints the help of keys create', async () => {
  for (const words of [['keys', 'create'], ['keys'], ['serve'], []]) {
    const help = await run(...words, '--help');
    assert.deepEqual(await run('help', ...words), help, words.join(' '));
  }
});

test('the help loads neither the web server nor the driver of PostgreSQL', async () => {
  const script = `
    const { main } = await import(${JSON.stringify(new URL('../../src/cli/main.ts', import.meta.url))});
    await main(['--help']);
    const { createRequire } = await import('node:module');
    const { cache } = createRequire(${JSON.stringify(import.meta.url)});
    console.error(Object.keys(cache).filter((path) => /fastify|[/]pg[/]|typebox|prom-client/.test(path)));`;
  const args = ['--input-type=module', '--eval', script];
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  assert.deepEqual([status, stderr], [0, '[]\n']);
});

test('wrong usage exits 2 with one line that names the word that is wrong, and what is near it', async () => {
  const key = 'keys create tui-ridge --access read --name';
  const wrong: [args: string | string[], message: RegExp][] = [
    ['fly', /^unknown command 'fly'; try --help$/],
    ['kesy list', /^unknown command 'kesy' \(Did you mean keys\?\); try --help$/],
    ['help fly', /^unknown command 'fly'; try --help$/],
    ['keys help fly', /^unknown command 'fly'; try --help$/],
    ['keys lsit', /^unknown command 'lsit' \(Did you mean list\?\); try --help$/],
    ['export', /^missing required argument 'account'; try --help$/],
    ['export a extra', /^too many arguments for 'export'.*; try --help$/],
    ['export tui-ridge --json', /^unknown option '--json'; try --help$/],
    ['contacts merge tui-ridge 1', /^missing required argument 'duplicate-id'; try --help$/],
    ['imports retry tui-ridge', /^name the imports by their IDs, or .* --open; try --help$/],
    ['serve --prot 1', /^unknown option '--prot' \(Did you mean --port\?\); try --help$/],
    ['serve --port', /^option '--port <n>' argument missing; try --help$/],
    ['serve --port abc', /^--port must be a whole number from 0 to 65535, not "abc"\.$/],
    ['serve --host 999.1.1.1', /^--host must be an IP address/],
    ['import tui-ridge x.csv --format xls', /'xls' is invalid\. Allowed choices are csv, tsv/],
    ['import tui-ridge x.csv --from-line 0', /It must be the number of a line, from 1/],
    [
      'accounts create rimu --name Rimu --location Nelson',
      /^give the new account --email, --website; try --help$/,
    ],
    ['keys create tui-ridge', /^required option '--name <name>' not specified; try --help$/],
    ['keys create tui-ridge --access write --name x', /Allowed choices are read, read-write/],
    [[...key.split(' '), 'two\nlines'], /in at most 100 characters on one line/],
    [`${key} ${'x'.repeat(101)}`, /in at most 100 characters on one line/],
    [`${key} x --expires soon`, /It must be an ISO 8601 date/],
    [`${key} x --expires 2027-02-30`, /It must be an ISO 8601 date/],
    [`${key} x --expires 2020-01-01`, /It must be in the future/],
  ];
  for (const [args, message] of wrong) {
    const words = typeof args === 'string' ? args.split(' ').filter(Boolean) : args;
    const { code, stdout, stderr } = await run(...words);
    assert.deepEqual([code, stdout], [2, ''], words.join(' '));
    assert.equal(lines(stderr).length, 1, stderr);
    assert.match(stderr.replace(/^offplan: (.*)\n$/, '$1'), message);
  }
  const { stdout } = await run('keys', 'list', 'tui-ridge', '--json');
  assert.equal(stdout, '[]\n');
});

test('a command for an unknown account prints one line on stderr and nothing on stdout, and exits with 1', async (t) => {
  // A new data folder has no accounts at all.
  const first = await runCommand(['export', 'nobody'], { OFFPLAN_DATA_DIR: dataFolder(t) });
  assert.deepEqual([first.code, first.stdout, lines(first.stderr).length], [1, '', 1]);
  const commands = [
    ['export', 'nobody'],
    ['keys', 'create', 'nobody', '--access', 'read', '--name', 'x'],
    ['keys', 'list', 'nobody'],
    ['keys', 'list', 'nobody', '--json'],
    ['keys', 'revoke', 'nobody', '0196a000-0000-7000-8000-000000000001'],
  ];
  for (const args of commands) {
    const { code, stdout, stderr } = await run(...args);
    assert.equal(code, 1, args.join(' '));
    assert.equal(stdout, '');
    assert.match(stderr, /^offplan: there is no account "nobody"[^\n]*\n$/);
  }
});

test('keys create prints only the key; keys list shows everything but the key; keys revoke ends it', async () => {
  const created = await run(
    'keys',
    'create',
    'tui-ridge',
    '--access',
    'read',
    '--name',
    'portal',
    '--expires',
    '2999-01-01',
  );
  assert.match(created.stdout, /^offplan_[0-9A-Za-z]{49}\n$/);
  const listed = await run('keys', 'list', 'tui-ridge', '--json');
  const keys = JSON.parse(listed.stdout) as Record<string, unknown>[];
  const key = keys.find(({ name }) => name === 'portal');
  assert.deepEqual(Object.keys(key ?? {}), [
    'id',
    'name',
    'access',
    'createdAt',
    'lastUsedAt',
    'expiresAt',
    'revokedAt',
  ]);
  assert.equal(key?.['access'], 'read');
  assert.equal(key['expiresAt'], '2999-01-01T00:00:00.000Z');
  assert.equal(key['lastUsedAt'], null);
  assert.ok(!listed.stdout.includes(created.stdout.trim()));
  const revoked = await run('keys', 'revoke', 'tui-ridge', String(key['id']));
  assert.equal(revoked.code, 0);
  const again = JSON.parse(
    (await run('keys', 'list', 'tui-ridge', '--json')).stdout,
  ) as typeof keys;
  assert.match(String(again.find(({ name }) => name === 'portal')?.['revokedAt']), /^\d{4}-.*Z$/);
  const unknown = await run('keys', 'revoke', 'tui-ridge', '0196a000-0000-7000-8000-00000000ffff');
  assert.equal(unknown.code, 1);
  assert.equal(lines(unknown.stderr).length, 1);
});

test('accounts list --json prints one array', async () => {
  const { stdout } = await run('accounts', 'list', '--json');
  const accounts = JSON.parse(stdout) as { slug: string }[];
  assert.deepEqual(
    accounts.map(({ slug }) => slug),
    ['tui-ridge'],
  );
});

test('accounts list says on stderr that there is no account, and how to make one', async (t) => {
  const fresh = { OFFPLAN_DATA_DIR: dataFolder(t) };
  const { code, stdout, stderr } = await runCommand(['accounts', 'list'], fresh);
  assert.deepEqual([code, stdout], [0, '']);
  assert.equal(stderr, 'There is no account yet; offplan accounts create makes one.\n');
  const inJson = await runCommand(['accounts', 'list', '--json'], fresh);
  assert.deepEqual([inJson.stdout, inJson.stderr], ['[]\n', '']);
});

test('load refuses a file with faults: it prints a line with a JSON pointer for each fault, and changes nothing', async () => {
  const before = (await run('export', 'tui-ridge')).stdout;
  const file = accountFile('tui-ridge');
  const bad = {
    ...file,
    projects: [{ slug: 'x', latitude: 91, units: [{}] }],
    users: [{ email: 'nobody' }],
  };
  const { code, stdout, stderr } = await runCommand(
    ['load', '-'],
    environment,
    JSON.stringify(bad),
  );
  assert.equal(code, 1);
  assert.equal(stdout, '');
  for (const pointer of ['/projects/0/latitude', '/projects/0/units/0', '/users/0/email'])
    assert.match(stderr, new RegExp(`^offplan: ${pointer}\\S*: `, 'm'));
  assert.equal((await run('export', 'tui-ridge')).stdout, before);
});

test('load prints one line for a file that does not exist or is not JSON', async () => {
  const missing = await run('load', '/nonexistent.json');
  assert.deepEqual([missing.code, lines(missing.stderr).length], [1, 1]);
  for (const [text, fault] of [
    ['{"format": ', 'The file ends too early: line 1, column 12.'],
    ['{"format": x', 'The file is not valid JSON: line 1, column 12.'],
    [' ', 'The file is empty; it must be a JSON object.'],
    ['[]', 'The file must be an object.'],
  ]) {
    const { code, stdout, stderr } = await runCommand(['load', '-'], environment, text);
    assert.deepEqual([code, stdout], [1, '']);
    assert.deepEqual(lines(stderr).slice(1), [`offplan: ${fault}`]);
  }
});

test('a file that is not UTF-8 is refused, since reading it would change what it says', async () => {
  const file = join(folder, 'latin1.json');
  const text = JSON.stringify({
    ...accountFile('latin'),
    contacts: [{ email: 'r@example.com', name: 'Renée' }],
  });
  writeFileSync(file, text, 'latin1');
  const { code, stdout, stderr } = await run('load', file);
  assert.deepEqual([code, stdout], [1, '']);
  assert.match(stderr, /^offplan: [^\n]*not in UTF-8[^\n]*\n$/);
  assert.equal((await run('export', 'latin')).code, 1);
});

test('a command prints no error when the reader of its stdout closes the pipe', async () => {
  const child = spawn(BIN, ['export', 'tui-ridge'], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stdout.destroy();
  assert.equal(await streamText(child.stderr), '');
});

test('--version and -v print the release', async () => {
  for (const flag of ['--version', '-v']) {
    const { code, stdout } = await run(flag);
    assert.equal(code, 0);
    assert.match(stdout, /^\d+\.\d+\.\d+\n$/);
  }
});

test('a clone without node_modules asks for npm ci in one line', (t) => {
  const clone = dataFolder(t);
  cpSync(BIN, join(clone, 'bin/offplan.js'));
  cpSync(new URL('../../src/cli', import.meta.url), join(clone, 'src/cli'), { recursive: true });
  writeFileSync(join(clone, 'package.json'), '{"type":"module"}');
  const args = [join(clone, 'bin/offplan.js'), 'serve'];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  assert.deepEqual([status, stdout], [1, '']);
  assert.equal(stderr, 'offplan: nothing is installed here yet: run "npm ci" first.\n');
});

test('a command in a folder that was removed prints one line that says so', () => {
  const script = 'cd "$1" && rmdir "$1" && exec "$2" accounts list';
  const removed = join(folder, 'removed');
  mkdirSync(removed);
  const { status, stdout, stderr } = spawnSync('sh', ['-c', script, 'sh', removed, BIN], {
    encoding: 'utf8',
    env: { ...process.env, ...environment },
  });
  assert.deepEqual([status, stdout], [1, '']);
  assert.equal(stderr, 'offplan: the working folder was removed; change to another one with cd.\n');
});

test('an older Node.js gets one line that says how to get the version that Offplan needs', (t) => {
  const folder = dataFolder(t);
  const old = join(folder, 'old.mjs');
  const versions = `Object.defineProperty(process, 'versions', { value: { node: '24.6.0' } });`;
  writeFileSync(old, versions);
  const copyTo = (name: string): string => {
    const file = join(folder, name, 'bin/offplan.js');
    cpSync(BIN, file);
    writeFileSync(join(folder, name, 'package.json'), '{"type":"module"}');
    return file;
  };
  const installed = copyTo('installed');
  const withoutNode = copyTo('without-node');
  for (const path of ['src/cli/main.ts', 'node_modules/fastify/index.js']) {
    mkdirSync(join(folder, 'without-node', path, '..'), { recursive: true });
    writeFileSync(join(folder, 'without-node', path), '');
  }
  const line = 'offplan: this is Node.js 24.6.0; Offplan needs Node.js 24.7 or later';
  for (const [file, advice] of [
    [installed, ': install it.'],
    [BIN_OF_CLONE, ', which `npm start` and `npm run -s offplan` use.'],
    [
      withoutNode,
      ': install it, or run `npm ci` without `--omit=dev`, which brings it along for `npm start`.',
    ],
  ] as const) {
    const args = ['--import', old, file, 'serve'];
    const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    assert.deepEqual([status, stderr], [1, `${line}${advice}\n`]);
  }
});

test('config prints the settings with secrets masked', async () => {
  const secret = {
    ...environment,
    DATABASE_URL: 'postgresql://me:hush@127.0.0.1:1/db?sslmode=require&sslpassword=hush',
    PORT: '4000',
  };
  const { code, stdout } = await runCommand(['config'], secret);
  assert.equal(code, 0);
  assert.match(stdout, /^PORT=4000$/m);
  assert.match(stdout, /^PUBLIC_URL=http:\/\/127\.0\.0\.1:4000$/m);
  assert.ok(!stdout.includes('hush'), stdout);
});

test('a command prints one line for a setting that cannot be used, which says what would be right', async () => {
  for (const [name, value] of [
    ['PORT', '70000'],
    ['LOG_LEVEL', 'loud'],
    ['HOST', '999.1.1.1'],
    ['PUBLIC_URL', 'crm.example'],
    ['DATABASE_URL', 'mysql://me:hush@x/y'],
  ] as const) {
    const { code, stderr } = await runCommand(['config'], { ...environment, [name]: value });
    assert.equal(code, 1, name);
    assert.match(stderr, new RegExp(`^offplan: ${name} must be [^\\n]*\\n$`));
    assert.ok(!stderr.includes('hush'));
  }
});

test('offplan names a URL setting that cannot be used, with an example', async () => {
  for (const [name, example] of [
    ['PUBLIC_URL', 'https://crm.example.com'],
    ['MEDIA_BASE_URL', 'https://cdn.example.com/media'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'http://collector:4318'],
  ] as const) {
    const { stderr } = await runCommand(['config'], { ...environment, [name]: 'here' });
    assert.equal(stderr, `offplan: ${name} must be an http or https URL such as ${example}.\n`);
  }
});

test('a command prints one line, with the path and the setting, for a data folder within a file', async (t) => {
  const file = join(dataFolder(t), 'data');
  writeFileSync(file, '');
  const environment = { OFFPLAN_DATA_DIR: join(file, 'deep', 'er') };
  const { code, stderr } = await runCommand(['accounts', 'list'], environment);
  assert.equal(code, 1);
  assert.match(stderr, /^offplan: .* cannot enter .*data.*: name a folder .*OFFPLAN_DATA_DIR.*\n$/);
});

test('a command prints one line and exits with 1 when it cannot reach the database', async () => {
  const { code, stdout, stderr } = await runCommand(['accounts', 'list'], {
    DATABASE_URL: 'postgresql://me:hush@127.0.0.1:1/db',
  });
  assert.deepEqual([code, stdout, lines(stderr).length], [1, '', 1]);
  assert.ok(!stderr.includes('hush'));
});

test('on an external database the commands refuse until offplan migrate has run', async (t) => {
  const db = await createDatabase(t, 'template1');
  const external = { DATABASE_URL: await databaseUrl(db), LOG_LEVEL: 'error' };
  for (const args of [
    ['accounts', 'list'],
    ['serve', '--port', '0'],
    ['load', '-'],
  ]) {
    const { code, stdout, stderr } = await runCommand(args, external, '{}');
    assert.equal(code, 1, args.join(' '));
    assert.equal(stdout, '');
    assert.match(stderr, /^offplan: [^\n]*offplan migrate[^\n]*\n$/);
  }
  assert.equal((await runCommand(['migrate'], external)).code, 0);
  const listed = await runCommand(['accounts', 'list', '--json'], external);
  assert.deepEqual(JSON.parse(listed.stdout), []);
});

test('a database that is not in UTF-8 is refused before anything is stored in it', async (t) => {
  const db = await createDatabase(t, "template0 encoding 'LATIN1' locale_provider libc locale 'C'");
  const external = { DATABASE_URL: await databaseUrl(db), LOG_LEVEL: 'error' };
  for (const args of [['migrate'], ['accounts', 'list'], ['serve', '--port', '0']]) {
    const { code, stderr } = await runCommand(args, external);
    assert.equal(code, 1);
    assert.match(stderr, /^offplan: The database is encoded in LATIN1[^\n]*\n$/);
  }
});

test('commands work while the server runs, and SIGTERM leaves no process behind', async () => {
  await hold.release();
  const server = await serving(environment);
  const pids = postgresPids(folder);
  const { stdout: key } = await run(
    'keys',
    'create',
    'tui-ridge',
    '--access',
    'read',
    '--name',
    'live',
  );
  const get = () =>
    fetch(`${server.url}/api/v1/stocklist`, { headers: { authorization: `Bearer ${key.trim()}` } });
  assert.equal((await get()).status, 200);
  const listed = JSON.parse((await run('keys', 'list', 'tui-ridge', '--json')).stdout) as {
    id: string;
    name: string;
    lastUsedAt: string | null;
  }[];
  const live = listed.find(({ name }) => name === 'live');
  assert.notEqual(live?.lastUsedAt, null);
  await run('keys', 'revoke', 'tui-ridge', String(live?.id));
  await until(async () => (await get()).status === 401);
  assert.equal(await server.stop('SIGTERM'), 0);
  await until(() => pids.every((pid) => !existsSync(`/proc/${pid}`)));
});

test('serve prints the address where it listens, and the public URL', async (t) => {
  const printed = async (settings: Record<string, string>) => {
    const server = await serving({ ...environment, ...settings });
    t.after(() => server.stop());
    const { port } = new URL(server.url);
    assert.equal((await fetch(`http://127.0.0.1:${port}/livez`)).status, 200);
    const lines = server.printed().replaceAll(port, 'PORT');
    // The accounts of these tests have no owner.
    return lines.replace(/^Nobody can sign in.*\n/m, '');
  };
  const listening = (host: string, consoleUrl = `http://${host}:PORT/`) =>
    `Offplan is listening on http://${host}:PORT (console: ${consoleUrl}, reference: http://${host}:PORT/docs)\n`;
  assert.equal(await printed({}), listening('127.0.0.1'));
  assert.equal(
    await printed({ PUBLIC_URL: 'http://crm.example.com/offplan/' }),
    `${listening('127.0.0.1', 'http://crm.example.com/offplan/')}Its public URL is http://crm.example.com/offplan\n`,
  );
  assert.equal(
    await printed({ PUBLIC_URL: 'https://crm.example.com', HOST: '0.0.0.0' }),
    `${listening('localhost', 'https://crm.example.com/')}Its public URL is https://crm.example.com\n`,
  );
});

test('serve prints one line when its port is in use, and the running server goes on', async () => {
  const server = await serving(environment);
  const { port } = new URL(server.url);
  const { code, stderr } = await runCommand(['serve', '--port', port], environment);
  assert.equal(code, 1);
  assert.match(stderr, new RegExp(`^offplan: port ${port} on 127.0.0.1 is in use[^\\n]*\\n$`));
  assert.equal((await fetch(`${server.url}/readyz`)).status, 200);
  assert.equal(await server.stop('SIGINT'), 0);
});

/** The ports on which a process listens. */
function listPorts(pid: number): number[] {
  const inodes = new Set(
    readdirSync(`/proc/${pid}/fd`).map((fd) => readlinkSync(`/proc/${pid}/fd/${fd}`)),
  );
  const LISTENS = '0A';
  return readFileSync(`/proc/${pid}/net/tcp`, 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , , state, ...rest]) => state === LISTENS && inodes.has(`socket:[${rest[5]}]`))
    .map(([, address = '']) => Number.parseInt(address.split(':')[1] ?? '', 16));
}

for (const workers of ['1', '2'])
  test(`serve --port 0 holds the port that it found until it listens, with OFFPLAN_WORKERS=${workers}`, async (t) => {
    if (!existsSync('/proc/self')) return t.skip('this system has no /proc');
    // A database that accepts a connection and does not answer makes the start wait.
    const database = createServer();
    await once(database.listen(0, '127.0.0.1'), 'listening');
    t.after(() => database.close());
    const { port } = database.address() as AddressInfo;
    const env = {
      ...process.env,
      DATABASE_URL: `postgres://127.0.0.1:${port}/offplan`,
      OFFPLAN_WORKERS: workers,
    };
    const child = spawn(BIN, ['serve', '--port', '0'], { env, stdio: 'ignore' });
    t.after(() => child.kill('SIGKILL'));
    const [socket] = (await once(database, 'connection')) as [Socket];
    t.after(() => socket.destroy());
    const [held] = listPorts(child.pid ?? 0);
    const other = createServer();
    t.after(() => other.close());
    await assert.rejects(once(other.listen(held, '127.0.0.1'), 'listening'), {
      code: 'EADDRINUSE',
    });
  });

const START_LINK = /^http:\/\/127\.0\.0\.1:\d+\/a\/kowhai-lane\/start#(offplan_link_\w+)$/m;

test('the first start with --demo prints keys, a link for the browser and calls that work when pasted; a later one how to make a key', async (t) => {
  const fresh = { OFFPLAN_DATA_DIR: dataFolder(t), LOG_LEVEL: 'error' };
  const first = await serving(fresh, '--demo');
  await until(() => START_LINK.test(first.printed()));
  const calls = first
    .printed()
    .split('\n')
    .filter((line) => line.startsWith('curl '));
  assert.equal(calls.length, 4);
  const statuses = [];
  for (const call of calls) statuses.push((await paste(call)).status);
  assert.deepEqual(statuses, [200, 200, 201, 200]);
  assert.match(first.printed(), /Read key +offplan_\w{49}\n +Read-write key +offplan_\w{49}\n/);
  await first.stop();
  // A clone names its command in another way.
  const second = await servingProgram(BIN_OF_CLONE, fresh, '--demo');
  await until(() => START_LINK.test(second.printed()));
  assert.doesNotMatch(second.printed(), /offplan_(?!link_)\w/);
  const accept = (output: string) =>
    fetch(`${second.url}/api/v1/links/accept`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token: START_LINK.exec(output)?.[1] }),
    });
  // The link of the start before is out.
  assert.equal((await accept(first.printed())).status, 404);
  const answer = await accept(second.printed());
  const { actor, role } = (await answer.json()) as { actor: { name: string }; role: string };
  assert.deepEqual([actor.name, role], ['Hana Parata', 'owner']);
  assert.equal((await accept(second.printed())).status, 404);
  assert.match(second.printed(), /npm run -s offplan -- keys create kowhai-lane/);
  await second.stop();
});

// Parses the line as a shell and curl would, without needing either.
function paste(call: string): Promise<Response> {
  const words = [...call.matchAll(/'([^']*)'|(\S+)/g)].map(
    ([, quoted, plain]) => quoted ?? plain ?? '',
  );
  const values = (flag: string): string[] => words.filter((_, index) => words[index - 1] === flag);
  const headers = values('-H').map(
    (line): [string, string] => line.split(': ') as [string, string],
  );
  const [body] = values('-d');
  return fetch(words.at(-1) ?? '', {
    headers,
    ...(body !== undefined && { method: 'POST', body }),
  });
}

test('the demo account is in the account-file format that export gives', async (t) => {
  const fresh = { OFFPLAN_DATA_DIR: dataFolder(t), LOG_LEVEL: 'error' };
  const file = new URL('../../demo/account.json', import.meta.url);
  const text = readFileSync(file, 'utf8');
  assert.equal((await runCommand(['load', '-'], fresh, text)).code, 0);
  const { stdout } = await runCommand(['export', 'kowhai-lane'], fresh);
  assert.deepEqual(JSON.parse(stdout), JSON.parse(text));
});

test('Ctrl-C in the middle of a load leaves no process behind, and nothing of the file', async (t) => {
  const fresh = { OFFPLAN_DATA_DIR: dataFolder(t), LOG_LEVEL: 'error' };
  assert.equal(
    (await runCommand(['load', '-'], fresh, JSON.stringify(accountFile('tui-ridge')))).code,
    0,
  );
  const held = await startEmbedded({ dataDir: fresh.OFFPLAN_DATA_DIR, isDefaultDataDir: false });
  const db = new pg.Client(held.connection);
  await db.connect();
  // A trigger sleeps when the tags of the contacts are written, so that the load is still in progress at the Ctrl-C.
  await db.query(`create function linger() returns trigger language plpgsql as
    $$ begin perform pg_sleep(600); return null; end $$`);
  await db.query('create trigger linger before insert on contact_tags execute function linger()');
  const child = spawn(BIN, ['load', '-'], {
    env: { ...process.env, ...fresh },
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  const contacts = [{ email: 'aroha@example.com', tags: ['a'] }];
  child.stdin.end(JSON.stringify({ ...accountFile('tui-ridge'), contacts }));
  await until(async () => {
    const sleeping = `select from pg_stat_activity where wait_event = 'PgSleep'`;
    return (await db.query(sleeping)).rowCount === 1;
  });
  await db.end();
  await held.release();
  const pids = postgresPids(fresh.OFFPLAN_DATA_DIR);
  const ended = once(child, 'exit');
  child.kill('SIGINT');
  assert.equal(await streamText(child.stderr), 'Stopped; nothing was loaded. Load it again.\n');
  assert.deepEqual(await ended, [130, null]);
  for (const pid of pids) assert.ok(!existsSync(`/proc/${pid}`), `process ${pid} is still there`);
  const { stdout } = await runCommand(['export', 'tui-ridge'], fresh);
  assert.deepEqual((JSON.parse(stdout) as { contacts: [] }).contacts, []);
});

const noFullDevice = existsSync('/dev/full') ? false : 'this system has no /dev/full';

test(
  'a command whose output cannot be written says so, and ends with 1: also its help and its release',
  { skip: noFullDevice },
  () => {
    const env = { ...process.env, ...environment };
    for (const args of [
      '--help',
      '--version',
      'keys',
      'help keys create',
      'config',
      'accounts list',
    ]) {
      const full = openSync('/dev/full', 'w');
      const stdio: StdioOptions = ['ignore', full, 'pipe'];
      const { stderr, status } = spawnSync(BIN, args.split(' '), { env, stdio, encoding: 'utf8' });
      closeSync(full);
      const expected = 'offplan: stdout cannot be written: no space is left\n';
      assert.deepEqual([stderr, status], [expected, 1], args);
    }
  },
);

test('Ctrl-C ends a command at once while a server accepts its connection with sslmode=prefer and hangs', async (t) => {
  const sockets: Socket[] = [];
  const hanging = createServer((socket) => void sockets.push(socket)).listen(0, '127.0.0.1');
  t.after(() => {
    hanging.close();
    for (const socket of sockets) socket.destroy();
  });
  await once(hanging, 'listening');
  const { port } = hanging.address() as AddressInfo;
  const DATABASE_URL = `postgresql://offplan@127.0.0.1:${port}/offplan?sslmode=prefer`;
  const file = join(dataFolder(t), 'x.backup');
  for (const [args, said] of [
    [['accounts', 'list'], ''],
    [['backup', file], 'Stopped; no backup was written.\n'],
  ] as const) {
    const before = sockets.length;
    const child = spawn(BIN, args, { env: { ...process.env, DATABASE_URL } });
    t.after(() => void child.kill('SIGKILL'));
    const [stderr, ended] = [streamText(child.stderr), once(child, 'exit')];
    await until(() => sockets.length > before);
    child.kill('SIGINT');
    assert.deepEqual([await stderr, (await ended)[0]], [said, 130]);
    // It has not tried to connect without TLS, which would hang as well.
    assert.equal(sockets.length, before + 1);
  }
});

test(
  'a log that cannot be written neither ends the service nor keeps it from stopping',
  { skip: noFullDevice },
  async () => {
    const full = openSync('/dev/full', 'w');
    const child = spawn(BIN, ['serve', '--port', '0'], {
      env: { ...process.env, ...environment, LOG_LEVEL: 'info' },
      stdio: ['ignore', 'pipe', full],
    });
    closeSync(full);
    const ended = once(child, 'exit');
    let printed = '';
    child.stdout?.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    const url = (): string | undefined => /listening on (http:\S+)/.exec(printed)?.[1];
    await until(() => url() !== undefined);
    for (let n = 0; n < 3; n += 1) assert.equal((await fetch(`${url()}/livez`)).status, 200);
    child.kill('SIGTERM');
    assert.deepEqual(await ended, [0, null]);
  },
);
