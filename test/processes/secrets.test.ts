import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, before, test } from 'node:test';
import { accountFile } from '../support/accounts.ts';
import { keyEndpointsOf, type Endpoint } from '../support/endpoints.ts';
import { createDatabase, databaseUrl } from '../support/harness.ts';
import { storedHash } from '../support/keys.ts';
import { offplan, serving, createCommand, type Ended } from '../support/process.ts';
import { run as query } from '../support/sql.ts';

/*
 * Only `keys create` shows an API key, and once. These tests run the service as it is installed, with the log level trace,
 * use keys in every endpoint and every command, and search all output for them.
 */

const db = await createDatabase({ after });
const environment = { DATABASE_URL: await databaseUrl(db), LOG_LEVEL: 'trace' };
const run = createCommand(environment);
const command = (line: string): Promise<Ended> => run(...line.split(' '));

const ACCOUNT = 'tui-ridge';
/** The output of each command, by its text. */
const outputs = new Map<string, string>();
const keys: string[] = [];

function assertNoKey(): void {
  for (const [what, text] of outputs)
    for (const key of keys) {
      const hash = storedHash(key);
      const forms = [
        key.slice(8, 28),
        key.slice(-28),
        hash.toString('hex'),
        hash.toString('base64'),
      ];
      for (const form of forms) assert.ok(!text.includes(form), `${what} tells a key`);
    }
}

async function make(access: string): Promise<string> {
  const { stdout, stderr, code } = await command(
    `keys create ${ACCOUNT} --access ${access} --name Website`,
  );
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^offplan_[0-9A-Za-z]{49}\n$/);
  outputs.set('keys create', stderr);
  keys.push(stdout.trim());
  return stdout.trim();
}

before(async () => {
  const load = () => offplan(['load', '-'], environment, JSON.stringify(accountFile(ACCOUNT)));
  const { code, stderr } = await load();
  assert.equal(code, 0, stderr);
  await Promise.all([make('read'), make('read-write')]);
  // Once more, now that there are keys.
  const again = await load();
  outputs.set('load', again.stdout + again.stderr);
});

/** Sends a malformed request with a key in it. */
async function sendGarbage(url: string, key: string): Promise<string> {
  const { hostname: host, port } = new URL(url);
  const socket = connect({ host, port: Number(port) });
  let reply = '';
  socket.on('data', (chunk: Buffer) => (reply += chunk.toString()));
  socket.write(`GET /livez HTTP/1.1\r\nAuthorization: Bearer ${key}\r\n${key}\r\n\r\n`);
  await once(socket, 'close');
  return reply;
}

async function send(url: string, { request }: Endpoint, key: string, more = {}): Promise<string> {
  const { method = 'GET', url: path, payload } = request();
  const answer = await fetch(new URL(path, url), {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(payload && { body: JSON.stringify(payload) }),
    ...more,
  });
  const headers = JSON.stringify([...answer.headers]);
  return `${answer.status} ${headers} ${await answer.text()}`;
}

test('no line of the log at the level trace and no answer contains a key', async () => {
  const { url, child, stop, printed } = await serving(environment);
  let log = '';
  child.stderr?.on('data', (chunk: Buffer) => (log += chunk.toString()));
  const endpoints = keyEndpointsOf(await (await fetch(`${url}/api/v1/openapi.json`)).json());
  assert.ok(endpoints.length > 0);
  const mistyped = `${keys[0]?.slice(0, -1)}!`;
  const statuses = new Set<string>();
  const answer = (text: string) => {
    statuses.add(text.slice(0, 3));
    outputs.set('an answer', `${outputs.get('an answer') ?? ''}${text}\n`);
  };
  for (const endpoint of endpoints)
    for (const key of [...keys, mistyped]) {
      answer(await send(url, endpoint, key));
      answer(await send(url, endpoint, key, { method: 'DELETE', body: null }));
      if (endpoint.writes) answer(await send(url, endpoint, key, { body: `{"email":"${key}` }));
    }
  for (const key of keys) {
    answer((await sendGarbage(url, key)).replace('HTTP/1.1 ', ''));
    // A problem names the path that its client sent, to that client alone.
    await fetch(`${url}/api/v1/projects/${key}?key=${key}`);
  }
  // An error of ours, with its stack.
  await query(db, 'alter table projects rename to gone');
  for (const endpoint of endpoints) for (const key of keys) answer(await send(url, endpoint, key));
  await query(db, 'alter table gone rename to projects');
  assert.equal(await stop(), 0);
  outputs.set('the log', log);
  outputs.set('serve', printed());
  for (const status of ['200', '201', '400', '401', '403', '405', '500'])
    assert.ok(statuses.has(status), `no answer was a ${status}`);
  assert.ok(log.includes('"stack"') && log.includes('"route":"/api/v1/projects/:slug"'));
  assertNoKey();
});

const GROUPS = ['accounts', 'contacts', 'imports', 'keys', 'users'];

/** The names of all commands, by the help of `offplan` and of its groups. */
async function listCommands(): Promise<string[]> {
  const namesIn = async (line: string): Promise<string[]> => {
    const { stdout } = await command(line);
    const names = [...stdout.matchAll(/^ {2}([a-z]+) .*\S$/gm)].map(([, name]) => name ?? '');
    return names.filter((name) => name !== 'help');
  };
  const groups = await Promise.all(
    GROUPS.map(async (group) =>
      (await namesIn(`${group} --help`)).map((name) => `${group} ${name}`),
    ),
  );
  const single = (await namesIn('--help')).filter((name) => !GROUPS.includes(name));
  return [...single, ...groups.flat()];
}

test('no command prints a key, except keys create', async () => {
  const idOf = async (line: string) => {
    const { stdout } = await command(`${line} ${ACCOUNT} --json`);
    outputs.set(`${line} --json`, stdout);
    return (JSON.parse(stdout) as { id: string }[])[0]?.id ?? '';
  };
  const [keyId, importId] = await Promise.all([idOf('keys list'), idOf('imports list')]);
  const lines = [
    'config',
    'migrate',
    'distribute',
    'role-settings',
    'doctor',
    'accounts list',
    `export ${ACCOUNT}`,
    `import ${ACCOUNT} -`,
    `contacts duplicates ${ACCOUNT}`,
    `contacts merge ${ACCOUNT} ${importId} ${importId}`,
    `imports show ${ACCOUNT} ${importId}`,
    `imports retry ${ACCOUNT} --open`,
    `keys list ${ACCOUNT}`,
    `keys revoke ${ACCOUNT} ${keyId}`,
    // A user may pass the key where its id belongs.
    `keys revoke ${ACCOUNT} ${keys[0]}`,
    'backup -',
    'restore /nonexistent',
    'keys find',
    'accounts create rimu --name Rimu --email a@rimu.example --location Nelson --website https://rimu.example',
    `accounts rename ${ACCOUNT} ${ACCOUNT}`,
    `accounts delete ${ACCOUNT}`,
    `imports undo ${ACCOUNT} ${importId}`,
    `users list ${ACCOUNT}`,
    `users invite ${ACCOUNT} hana@example.com --role agent`,
    `users reset ${ACCOUNT} hana@example.com`,
    `users deactivate ${ACCOUNT} hana@example.com`,
    `users activate ${ACCOUNT} hana@example.com`,
  ];
  const tried = async (line = lines.shift()): Promise<void> => {
    if (line === undefined) return;
    const input = line === 'keys find' ? keys[0] : 'email\nhana@example.com\n';
    const { stdout, stderr } = / -$|find$/.test(line)
      ? await offplan(line.split(' '), environment, input)
      : await command(line);
    outputs.set(line.replace(keys[0] ?? '', 'KEY'), `${stdout}\n${stderr}`);
    return tried();
  };
  const [commands] = await Promise.all([listCommands(), tried(), tried()]);
  assert.ok(commands.length > 10);
  // The others were run above.
  for (const name of commands.filter((each) => !['serve', 'load'].includes(each)))
    assert.ok(
      [...outputs.keys()].some((line) => line.startsWith(name)),
      `${name} was not tried`,
    );
  assertNoKey();
});
