import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { request, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { developerFile, LIVE, UNIT } from '../support/developer.ts';
import { build, databaseUrl } from '../support/harness.ts';
import {
  dataFolder,
  offplan as runWithInput,
  serving,
  createCommand,
  type Ended,
} from '../support/process.ts';

const service = await build({ after });
const folder = dataFolder({ after });
const environment = { DATABASE_URL: await databaseUrl(service.db), LOG_LEVEL: 'trace' };
const offplan = createCommand(environment);

const codes = (from: number, to: number): string =>
  String.fromCharCode(...Array.from({ length: to - from + 1 }, (_, n) => from + n));

/** Every character that a terminal obeys, but for U+0000, which nothing stores. */
const CONTROLS = codes(0x01, 0x1f) + codes(0x7f, 0x9f);
const BIDI = '\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069';
/** A text of a stranger that would clear the screen, and then show a line of its own. */
const EVIL = `evil${BIDI}\u001b[2J\u009b31m\nKept nothing.\r${CONTROLS}`;
/** The same in a name of a file, of a query parameter and of a header's value. */
const EVIL_NAME = `evil${BIDI}${CONTROLS.replaceAll('/', '')}`;
const EVIL_HEADER = `evil${codes(0x80, 0xff)}`;

const RAW = /(?![\n\t])[\p{Cc}\p{Bidi_Control}]/u;

/** The commands that ran on data of the stranger, by their words. */
const tried = new Set<string>();

/** Runs a command, and checks that a terminal would obey nothing in its output. */
async function run(...args: string[]): Promise<Ended> {
  if (!args.includes('--help'))
    tried.add(args.slice(0, 1).join(' ')).add(args.slice(0, 2).join(' '));
  const ended = await offplan(...args);
  const output = ended.stdout + ended.stderr;
  assert.doesNotMatch(output, RAW, args.join(' '));
  // The payload is the end of what `imports show` prints, and keeps its lines.
  assert.doesNotMatch(output.split('\npayload\n')[0] ?? '', /^Kept nothing/m, args.join(' '));
  return ended;
}

/** The same for a command whose output has the text of the stranger. */
async function runShowing(...args: string[]): Promise<Ended> {
  const ended = await run(...args);
  assert.match(ended.stdout + ended.stderr, /evil.*\\u202e/, args.join(' '));
  return ended;
}

const SLUG = 'developer';
const EMAIL = 'aroha@example.com';
const KEEP = '0196a000-0000-7000-8000-000000000401';
const TWIN = '0196a000-0000-7000-8000-000000000402';

function evilAccountFile(): Record<string, unknown> {
  const { account, users, projects, ...file } = developerFile(SLUG) as {
    account: { organization: object };
    users: object[];
    projects: object[];
  };
  return {
    ...file,
    account: { slug: SLUG, organization: { ...account.organization, companyName: EVIL } },
    users: users.map((user) => ({ ...user, name: EVIL })),
    projects: projects.map((project) => ({ ...project, name: EVIL })),
    contacts: [KEEP, TWIN].map((id) => ({
      id,
      email: EMAIL,
      name: EVIL,
      notes: `${id} ${EVIL}`,
      stage: 'New',
      tags: [`evil ${BIDI}`],
      activities: [{ type: 'note', body: EVIL, occurredAt: '2026-03-01T00:00:00.000Z' }],
    })),
  };
}

async function writeTo(name: string, content: string): Promise<string> {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

const accountFile = await writeTo('account.json', JSON.stringify(evilAccountFile()));
await run('load', accountFile);
const key = (
  await run('keys', 'create', SLUG, '--access', 'read-write', '--name', `evil${BIDI}`)
).stdout.trim();

/** Sends a request of a stranger through a socket, and waits for its answer. */
async function send(url: string, path: string, body?: unknown): Promise<number | undefined> {
  const { port } = new URL(url);
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    'user-agent': EVIL_HEADER,
    'idempotency-key': EVIL_HEADER,
    'x-forwarded-for': EVIL_HEADER,
    traceparent: EVIL_HEADER,
    'x-evil': EVIL_HEADER,
  };
  const { 'idempotency-key': _named, ...unnamed } = headers;
  for (const each of [headers, unnamed]) {
    const method = body === undefined ? 'GET' : 'POST';
    const sent = request({ port, path, method, headers: each, agent: false });
    sent.end(body === undefined ? undefined : JSON.stringify(body));
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    response.resume();
    await once(response, 'end');
    if (each === unnamed) return response.statusCode;
  }
  return undefined;
}

const evilLead = (email: string): object => ({
  email,
  name: EVIL,
  notes: EVIL,
  tag: `evil${BIDI}`,
  source: `evil ${EVIL}`,
  companyName: EVIL,
  [EVIL]: EVIL,
});

test('the log of the service shows nothing of a stranger raw, whatever the level', async (t) => {
  const server = await serving({ ...environment, TRUST_PROXY: '127.0.0.1' });
  t.after(() => server.child.kill('SIGKILL'));
  let log = '';
  server.child.stderr?.on('data', (chunk: Buffer) => (log += chunk.toString()));
  const query = `${encodeURIComponent(EVIL)}=${encodeURIComponent(EVIL)}`;
  const contacts = '/api/v1/contacts';
  assert.equal(await send(server.url, `${contacts}?${query}`, evilLead('mele@example.com')), 201);
  for (const [path, body] of [
    [contacts, evilLead(EVIL)],
    [contacts, { ...evilLead('rewi@example.com'), buyerType: EVIL }],
    [contacts, { ...evilLead('rewi@example.com'), projectId: EVIL }],
    [contacts, { ...evilLead('rewi@example.com'), projectId: LIVE, unitId: UNIT, budget: [EVIL] }],
    [`${contacts}?dry-run${query}`, evilLead('rewi@example.com')],
    [`${contacts}/batch`, { contacts: [evilLead(EVIL), evilLead(EMAIL), EVIL] }],
    [`${contacts}/batch`, EVIL],
    [`/api/v1/stocklist?updated_since=${encodeURIComponent(EVIL)}`, undefined],
    [`/api/v1/projects/${encodeURIComponent(EVIL)}`, undefined],
    [`/${encodeURIComponent(EVIL)}`, undefined],
  ] as const)
    await send(server.url, path, body);
  assert.equal(await server.stop(), 0);
  assert.match(log, /"msg":"request"/);
  assert.doesNotMatch(log + server.printed(), RAW);
});

test('no command shows a text of a stranger raw: texts, tables, JSON and errors', async () => {
  const csv = `Email,First name,Buyer type,${EVIL_NAME.replace(/[\n\r",]/g, '')}\n`;
  const rows = ['hana@example.com', `evil${BIDI}`, EMAIL].map(
    (email) => `"${email}","${EVIL_NAME}","${EVIL}",x\n`,
  );
  const files = [
    await writeTo(`${EVIL_NAME.slice(0, 60)}.csv`, csv + rows.join('')),
    await writeTo('evil.ndjson', `${JSON.stringify(evilLead(EVIL))}\n{"${BIDI}\n`),
    await writeTo('headers.csv', `${EVIL_NAME},x\n1,2\n`),
  ];
  for (const file of files)
    for (const flags of [['--dry-run'], ['--map', `${EVIL}=email`], ['--map', `email=${EVIL}`], []])
      await run('import', SLUG, file, ...flags);

  await runShowing('imports', 'list', SLUG);
  const listed = await runShowing('imports', 'list', SLUG, '--json', '--open');
  const records = JSON.parse(listed.stdout) as { id: string; payload: string }[];
  assert.ok(records.length > 0);
  for (const { id } of records) {
    await run('imports', 'show', SLUG, id);
    await run('imports', 'show', SLUG, id, '--json');
  }
  await run('imports', 'retry', SLUG, '--open');
  await run('imports', 'retry', SLUG, '--open', '--json');

  await runShowing('contacts', 'duplicates', SLUG);
  const duplicates = await runShowing('contacts', 'duplicates', SLUG, '--json');
  assert.equal(JSON.parse(duplicates.stdout)[0].contacts[0].name, EVIL);
  for (const flags of [['--dry-run'], ['--dry-run', '--json'], []])
    await runShowing('contacts', 'merge', SLUG, KEEP, TWIN, ...flags);

  await runShowing('accounts', 'list');
  const accounts = await runShowing('accounts', 'list', '--json');
  assert.equal(JSON.parse(accounts.stdout)[0].companyName, EVIL);
  await runShowing('keys', 'list', SLUG);
  await runShowing('keys', 'list', SLUG, '--json');
  const exported = await runShowing('export', SLUG);
  assert.equal(JSON.parse(exported.stdout).projects[0].name, EVIL);

  // Loads that change, remove and refuse rows whose names are of the stranger.
  const file = evilAccountFile() as { users: { name: string }[]; projects: { name: string }[] };
  for (const each of [...file.users, ...file.projects]) each.name += ' again';
  const changed = await writeTo('changed.json', JSON.stringify(file));
  for (const flags of [['--dry-run'], ['--dry-run', '--prune', '--replace']])
    await runShowing('load', changed, ...flags);
  assert.equal((await run('load', changed)).code, 0);
  const stale = await run('load', await writeTo('stale.json', exported.stdout));
  assert.match(stale.stderr, /has changed since/);

  const { runId } =
    (JSON.parse(listed.stdout) as { runId?: string }[]).find((each) => each.runId) ?? {};
  assert.ok(runId);
  for (const flags of [['--dry-run'], ['--json'], []])
    assert.equal((await run('imports', 'undo', SLUG, runId, ...flags)).code, 0);
  const backup = join(folder, `${EVIL_NAME.slice(0, 60)}.gz`);
  assert.equal((await run('backup', backup)).code, 0);
  await runShowing('restore', backup);
  const named = ['--name', EVIL, '--email', EVIL, '--location', EVIL, '--website', EVIL];
  await run('accounts', 'create', 'evil', ...named, '--time-zone', EVIL);
  await run('accounts', 'create', 'evil', ...named, '--owner', EVIL);
  await run('accounts', 'rename', SLUG, SLUG);
  await runShowing('users', 'list', SLUG);
  await runShowing('users', 'list', SLUG, '--json');
  for (const words of [
    ['invite', SLUG, EVIL, '--role', 'agent'],
    ['invite', SLUG, 'mele@example.com', '--role', EVIL],
    ['invite', SLUG, 'mele@example.com', '--role', 'agent', '--name', EVIL],
    ['reset', SLUG, EVIL],
    ['deactivate', SLUG, EVIL],
    ['activate', SLUG, EVIL],
  ])
    await run('users', ...words);
  // These read stdin, which a process of their own has. The account stays, since another slug is entered.
  for (const [words, input] of [
    [['accounts', 'delete', SLUG], EVIL],
    [['keys', 'find'], key],
  ] as const) {
    tried.add(words.slice(0, 2).join(' '));
    const { stdout, stderr } = await runWithInput([...words], environment, input);
    assert.match(stdout + stderr, /evil.*\\u202e/, words.join(' '));
    assert.doesNotMatch(stdout + stderr, RAW, words.join(' '));
  }
  const { id } =
    (JSON.parse((await run('keys', 'list', SLUG, '--json')).stdout) as { id: string }[])[0] ?? {};
  await run('keys', 'revoke', SLUG, id ?? '');
  for (const command of ['config', 'migrate', 'distribute', 'role-settings', 'doctor'])
    await run(command);
  // A new command must be tried here, too. The log of `serve` has a test of its own.
  const untried = (await listCommands())
    .map((words) => words.join(' '))
    .filter((words) => words !== 'serve' && !tried.has(words));
  assert.deepEqual(untried, []);
});

test('no error of an account file shows a text of the file raw', async () => {
  const file = evilAccountFile();
  const faulty = {
    ...file,
    [EVIL]: EVIL,
    account: { ...(file['account'] as object), [EVIL]: EVIL },
    projects: [{ slug: EVIL, status: EVIL, [EVIL]: EVIL, relatedProjects: [EVIL] }],
    contacts: [{ email: EVIL, assignedAccountUserId: EVIL, tags: [EVIL.repeat(9)] }],
  };
  for (const content of [JSON.stringify(faulty), `{"${EVIL}`, EVIL, `"${EVIL}"`])
    assert.equal((await run('load', await writeTo('faulty.json', content))).code, 1);
});

/** The commands of the service, each by its words. */
async function listCommands(...words: string[]): Promise<string[][]> {
  const { stdout } = await run(...words, '--help');
  const [, list = ''] = stdout.split('\nCommands:\n');
  const names = [...list.matchAll(/^ {2}(\w[\w-]*)/gm)].map(([, name = '']) => name);
  const commands = names
    .filter((name) => name !== 'help')
    .map((name) => listCommands(...words, name));
  return names.length === 0 ? [words] : (await Promise.all(commands)).flat();
}

test('no error of a command shows an argument raw', async () => {
  const commands = await listCommands();
  assert.ok(commands.length >= 14, commands.join());
  const path = join(folder, 'none', EVIL_NAME);
  for (const words of commands)
    for (const args of [
      [],
      [path],
      [EVIL],
      [SLUG, path],
      [SLUG, EVIL],
      [SLUG, EVIL, EVIL],
      [`--${EVIL}`],
    ])
      // `serve` alone would run on; `backup` would write this file into the working folder.
      if (
        !(words[0] === 'serve' && args.length === 0) &&
        !(words[0] === 'backup' && args[0] === EVIL)
      )
        await run(...words, ...args);
  for (const _time of ['written', 'refused']) await run('backup', join(folder, EVIL_NAME));
  await runShowing(EVIL);
});
