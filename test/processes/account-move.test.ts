import assert from 'node:assert/strict';
import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import { SCOPES } from '../../src/access/index.ts';
import { issueKey } from '../../src/keys/index.ts';
import { loadAccount } from '../../src/portability/index.ts';
import { accountIdOf } from '../support/accounts.ts';
import { developerFile, LIVE, OTHER_LIVE, UNIT, USER } from '../support/developer.ts';
import { createDatabase, databaseUrl } from '../support/harness.ts';
import { hashPassword } from '../support/internals.ts';
import { PASSWORD } from '../support/people.ts';
import { drawFile } from '../support/pictures.ts';
import { createCommand, dataFolder, offplan, serving, type Ended } from '../support/process.ts';
import { startReceiver, type Receiver } from '../support/receiver.ts';
import { run } from '../support/sql.ts';
import { until } from '../support/until.ts';

const SLUG = 'moving';
const EMAIL = 'hana@developer.example';
const [SECRET_KEY = '', OTHER_KEY = ''] = [7, 8].map((byte) =>
  Buffer.alloc(32, byte).toString('base64'),
);
const cleanups: (() => unknown)[] = [];
/** Runs at the end of the file, also when it was added in `before`. */
const cleaner = { after: (clean: () => unknown) => void cleanups.push(clean) };
after(async () => {
  for (const clean of cleanups.toReversed()) await clean();
});
const folder = dataFolder(cleaner);
const FILE = join(folder, 'moving.backup');

type Database = Awaited<ReturnType<typeof createDatabase>>;

/** An installation: a database, a folder of pictures, and the commands on them. */
interface Installation {
  db: Database;
  mediaDir: string;
  environment: Record<string, string>;
  command: (...args: string[]) => Promise<Ended>;
}

let installations = 0;

async function install(secretKey = SECRET_KEY): Promise<Installation> {
  const db = await createDatabase(cleaner);
  const mediaDir = join(folder, `media-${(installations += 1)}`);
  const environment = {
    DATABASE_URL: await databaseUrl(db),
    OFFPLAN_MEDIA_DIR: mediaDir,
    OFFPLAN_SECRET_KEY: secretKey,
    OFFPLAN_WEBHOOK_ALLOW_PRIVATE: 'true',
    LOG_LEVEL: 'error',
  };
  return { db, mediaDir, environment, command: createCommand(environment) };
}

async function serve({ environment }: Installation) {
  const { url, stop } = await serving(environment);
  const send = async (path: string, body?: object | Buffer, headers: object = {}) => {
    const response = await fetch(`${url}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': Buffer.isBuffer(body) ? 'image/jpeg' : 'application/json',
        ...headers,
      },
      ...(body !== undefined && { body: Buffer.isBuffer(body) ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const { status } = response;
    // eslint-disable-next-line typescript/no-explicit-any
    const json = (): any => JSON.parse(text);
    return { status, json, cookie: response.headers.get('set-cookie') };
  };
  return { url, send, stop };
}

let first: Installation;
let accountId = '';
let key = '';
let picture = '';
let receiver: Receiver;

/** Rows that no request of this test makes, in tables of which each row must move, too. */
const ROWS = [
  `insert into contact_files (account_id, id, name, media_format, status, created_at, actor_type, actor_id)
    values ($1, $2, 'leads.csv', 'csv', 'ready', now(), 'user', $2)`,
  `insert into contact_file_chunks values ($1, $2, 0, '\\x656d61696c0a')`,
  `insert into contact_file_refusals values ($1, $2, 2, 'invalid_email', 'It is no email.', E'a\\tb\\n\\\\.\\n')`,
  `insert into merged_contacts select $1, $2, id from contacts where account_id = $1 limit 1`,
  `insert into recovery_codes values ($1, $2, '\\x01')`,
  `insert into second_steps values ($1, $2, null, '\\x02', 1)`,
  `insert into related_projects values ($1, $3, $4, 0)`,
  `insert into removed_projects values ($1, $2, 'gone', now())`,
];

async function fill(): Promise<void> {
  await loadAccount(first.db, developerFile(SLUG));
  await loadAccount(first.db, developerFile('staying', [{ email: 'staying@example.com' }]));
  accountId = await accountIdOf(first.db, { slug: SLUG });
  key = await issueKey(first.db, accountId, { name: 'site', scopes: SCOPES });
  const hash = await hashPassword(PASSWORD, '');
  await run(first.db, 'update users set password = $1 where account_id = $2', [hash, accountId]);
  const { send, stop } = await serve(first);
  const sent = { 'idempotency-key': 'lead-1' };
  const lead = { email: 'lead@example.com', notes: 'Tāmaki\t"\\."\n\\.\n', tags: ['Hot'] };
  const links = { projectId: LIVE, unitId: UNIT };
  assert.equal((await send('/api/v1/contacts', { ...lead, ...links }, sent)).status, 201);
  assert.equal((await send('/api/v1/contacts', { email: 'no email' })).status, 400);
  await send('/api/v1/webhooks', { url: receiver.url, types: ['contact.created'] });
  await send('/api/v1/contacts', { email: 'hooked@example.com' });
  await until(() => receiver.received.length === 1);
  await until(async () => (await count(first.db, 'webhook_deliveries')) === 1);
  const uploaded = await send('/api/v1/media', await drawFile('image/jpeg', 400, 300));
  ({ key: picture } = uploaded.json());
  await send('/api/v1/views', {
    resource: 'contacts',
    name: 'New',
    filter: { stage: ['New'] },
    shared: true,
  });
  assert.equal((await signIn(send)).status, 200);
  await stop();
  await first.command('users', 'invite', SLUG, 'new@developer.example', '--role', 'agent');
  const ids = [accountId, USER, LIVE, OTHER_LIVE];
  for (const text of ROWS)
    await run(
      first.db,
      text.replaceAll(/\$(\d)/g, (_, number) => `'${ids[Number(number) - 1]}'`),
    );
}

const signIn = (send: Awaited<ReturnType<typeof serve>>['send']) =>
  send('/api/v1/sign-in', { account: SLUG, email: EMAIL, password: PASSWORD });

async function count(db: Database, table: string): Promise<number> {
  const { rows } = await run(db, `select count(*)::int as count from ${table}`);
  return Number(rows[0]?.['count']);
}

/** The rows of each table that has an account's rows, as PostgreSQL writes them. */
async function readRows(db: Database, of: string): Promise<Record<string, unknown[]>> {
  const tables = await run(
    db,
    `select table_name as name from information_schema.columns
      where table_schema = 'public' and column_name = 'account_id' order by table_name`,
  );
  const rowsOf: Record<string, unknown[]> = {};
  for (const { name } of tables.rows as { name: string }[]) {
    const { rows } = await run(
      db,
      `select t::text as row from ${name} t where account_id = $1 order by t::text`,
      [of],
    );
    rowsOf[name] = rows;
  }
  return rowsOf;
}

before(async () => {
  receiver = await startReceiver(cleaner);
  first = await install();
  await fill();
  const { code, stdout, stderr } = await first.command('backup', FILE, '--account', SLUG);
  assert.deepEqual([code, stderr], [0, '']);
  assert.match(stdout, /^Backed up \d+ tables with \d+ rows and 2 picture files in .*\.\n$/);
});

test('backup --account and restore move every row of every table of an account, and no row of another', async () => {
  const second = await install();
  const { code, stdout, stderr } = await second.command('restore', FILE);
  assert.deepEqual([code, stderr], [0, '']);
  assert.match(stdout, /^Restored account "moving": \d+ tables with \d+ rows and 2 picture files/);
  const [saved, restored] = [
    await readRows(first.db, accountId),
    await readRows(second.db, accountId),
  ];
  // A new table needs a row in this test, so that its rows are seen to move.
  for (const [table, rows] of Object.entries(saved))
    assert.notDeepEqual(rows, [], `the account has no row in ${table}`);
  assert.deepEqual(restored, saved);
  for (const table of Object.keys(saved))
    assert.equal(await count(second.db, table), saved[table]?.length, table);
  const list = ({ mediaDir }: Installation) => readdirSync(join(mediaDir, accountId));
  assert.deepEqual(list(second), list(first));
});

test('in the installation that an account moved to, its key works, a person signs in, a picture is served, and events and webhooks go on', async () => {
  const second = await install();
  await loadAccount(second.db, developerFile('neighbour', [{ email: 'n@example.com' }]));
  const neighbourId = await accountIdOf(second.db, { slug: 'neighbour' });
  const neighbour = await readRows(second.db, neighbourId);
  const { send, url, stop } = await serve(second);
  cleaner.after(() => stop('SIGKILL'));
  assert.equal((await send('/api/v1/contacts')).status, 401);
  assert.equal((await second.command('restore', FILE)).code, 0);
  // The service runs on, and had looked for the key before.
  await until(async () => (await send('/api/v1/contacts')).status === 200);
  assert.deepEqual(await readRows(second.db, neighbourId), neighbour);
  const { status, cookie } = await signIn(send);
  assert.deepEqual([status, cookie === null], [200, false]);
  const served = await fetch(`${url}/media/${picture}`);
  const placed = readFileSync(join(first.mediaDir, picture));
  assert.deepEqual(Buffer.from(await served.arrayBuffer()), placed);

  const { data, cursor } = (await send('/api/v1/events')).json();
  assert.ok(data.length > 0);
  receiver.received.length = 0;
  await send('/api/v1/contacts', { email: 'after@example.com' });
  const later = (await send(`/api/v1/events?after=${cursor}`)).json();
  assert.equal(later.data[0].sequence, data.at(-1).sequence + 1);
  await until(() => receiver.received.length === 1);
  assert.match(String(receiver.received[0]?.headers['webhook-signature']), /^v1,/);
  // An answer that was kept for its Idempotency-Key is given again.
  const again = await send(
    '/api/v1/contacts',
    {
      email: 'lead@example.com',
      notes: 'Tāmaki\t"\\."\n\\.\n',
      tags: ['Hot'],
      projectId: LIVE,
      unitId: UNIT,
    },
    { 'idempotency-key': 'lead-1' },
  );
  assert.equal(again.status, 201);
});

test('restore of an account refuses one that is there, another schema version and a broken file, and leaves no row and no picture', async () => {
  const second = await install();
  await loadAccount(second.db, developerFile('staying'));
  const before = await count(second.db, 'accounts');
  const saved = gunzipSync(readFileSync(FILE)).toString();
  const refuses = async (text: string | Buffer, reason: RegExp) => {
    const file = join(folder, 'refused.backup');
    writeFileSync(file, typeof text === 'string' ? gzipSync(text) : text);
    const { code, stderr } = await second.command('restore', file);
    assert.equal(code, 1);
    assert.match(stderr, reason);
    assert.equal(await count(second.db, 'accounts'), before);
    for (const [table, rows] of Object.entries(await readRows(second.db, accountId)))
      assert.deepEqual(rows, [], table);
    const files = existsSync(second.mediaDir)
      ? readdirSync(second.mediaDir, { recursive: true, withFileTypes: true })
      : [];
    assert.deepEqual(
      files.filter((entry) => entry.isFile()),
      [],
    );
  };
  await refuses(
    saved.replace('-- {"tables"', '-- {"picture":"../x.jpg","bytes":1,"sha256":""}\n-- {"tables"'),
    /it is damaged: the picture \.\.\/x\.jpg is not/,
  );
  await refuses(saved.replace('lead@example.com', 'leaf@example.com'), /it is damaged/);
  await refuses(saved.slice(0, saved.indexOf('-- {"tables"')), /it was cut off/);
  await refuses(readFileSync(FILE).subarray(0, -4), /it was cut off or damaged/);
  await refuses(saved.replace('"pictures":2', '"pictures":3'), /pictures are missing/);
  await refuses(saved.replace(/^-- \/9j\/..../m, '-- /9j/AAAA'), /picture \w+\S* is not the one/);
  await refuses(
    saved.replace(/,\{"name":"\w+\.sql","sha256":"\w+"\}\]/, ']'),
    /schema version \d+, and the database has \d+: restore it into an empty database with release \S+ of Offplan, upgrade that/,
  );
  // Nobody gets a key into another account with a file of their own.
  const other = await accountIdOf(second.db, { slug: 'staying' });
  const header = saved.indexOf('\n');
  const forged = saved.slice(0, header).replace(accountId, other) + saved.slice(header);
  await refuses(forged, /already there: the table \w+ has rows of it/);
  const neither = '01000000-0000-7000-8000-000000000001';
  const strange = saved.slice(0, header).replace(accountId, neither) + saved.slice(header);
  await refuses(strange, /it is damaged: accounts has rows of another account/);

  assert.equal((await second.command('restore', FILE)).code, 0);
  const isThere =
    /the account is already there: the table accounts has rows of it; delete the account first with offplan accounts delete\n$/;
  assert.match((await second.command('restore', FILE)).stderr, isThere);
  assert.equal((await second.command('accounts', 'rename', SLUG, 'moved')).code, 0);
  assert.match((await second.command('restore', FILE)).stderr, isThere);
  assert.equal((await second.command('accounts', 'rename', 'staying', SLUG)).code, 0);
  const taken = await second.command('restore', FILE);
  assert.match(taken.stderr, /: an account "moving" is already there; give that one another slug/);
});

test(
  'pictures that root restores belong to the user of the folder, as whom the service runs',
  { skip: process.geteuid?.() === 0 ? false : 'only root can give files to another user' },
  async () => {
    const second = await install();
    mkdirSync(second.mediaDir);
    chownSync(second.mediaDir, 12_345, 12_345);
    assert.equal((await second.command('restore', FILE)).code, 0);
    const names = readdirSync(second.mediaDir, { recursive: true, encoding: 'utf8' });
    assert.ok(names.length > 2, names.join());
    for (const name of names) assert.equal(statSync(join(second.mediaDir, name)).uid, 12_345, name);
  },
);

test(
  'restore of an account stores nothing, and says where its pictures cannot be stored and why',
  // Below /proc, the command would never end.
  { timeout: 60_000 },
  async () => {
    const second = await install();
    for (const [mediaDir, code] of [
      [FILE, 'ENOTDIR'],
      ['/proc/media', 'ENOENT'],
    ] as const) {
      const environment = { ...second.environment, OFFPLAN_MEDIA_DIR: mediaDir };
      const refused = await offplan(['restore', FILE], environment);
      assert.equal(refused.code, 1);
      const reason = `its pictures cannot be stored in ${mediaDir} (${code}): `;
      assert.ok(refused.stderr.startsWith(`offplan: ${FILE} was not restored: ${reason}`));
      assert.equal(await count(second.db, 'accounts'), 0);
    }
  },
);

test('backup --account names an account that is not there; restore warns of another OFFPLAN_SECRET_KEY', async () => {
  const file = join(folder, 'nobody.backup');
  const { code, stderr } = await first.command('backup', file, '--account', 'nobody');
  assert.equal(code, 1);
  assert.match(stderr, /^offplan: the backup was not written: there is no account "nobody"; /);
  assert.equal(readdirSync(folder).includes('nobody.backup'), false);
  const second = await install(OTHER_KEY);
  const restored = await second.command('restore', FILE);
  assert.equal(restored.code, 0);
  assert.match(
    restored.stderr,
    /^Warning: this installation does not have the OFFPLAN_SECRET_KEY of the backup\./,
  );
});
