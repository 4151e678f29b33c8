import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { after, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { uuidv7 } from 'uuidv7';
import { issueKey } from '../src/keys/index.ts';
import { memoryOf } from '../src/keys/memory.ts';
import { formatKey, hashKey } from '../src/keys/keys.ts';
import { findAccountBySlug } from '../src/accounts/index.ts';
import { insertKey, listKeys, markKeyRevoked } from '../src/keys/store.ts';
import type { Access } from '../src/access/index.ts';
import { developersOf } from './developer.ts';
import { build, type Answer } from './harness.ts';
import { assertProblem } from './problem.ts';
import { KEY_REMEMBERED_MS } from './requests.ts';

const service = await build({ after });
const { db } = service;
const developer = await developersOf(service)();
const accountId = (await findAccountBySlug(db, developer.slug)) ?? '';

const STOCKLIST = '/api/v1/stocklist';
const CONTACTS = '/api/v1/contacts';

const issue = (access: Access, expiresAt: Date | null = null): Promise<string> =>
  issueKey(db, accountId, { name: 'Website', access, expiresAt });

const get = (authorization?: string): Promise<Answer> =>
  service.send({
    url: STOCKLIST,
    headers: authorization === undefined ? {} : { authorization },
  });

const statusOf = async (key: string): Promise<number> => (await get(`Bearer ${key}`)).status;

/** The stored row of a key, found by its hash. */
async function rowOf(key: string) {
  const { rows } = await db.query<{ id: string }>({
    name: '',
    text: 'select id from api_keys where account_id = $1 and key_sha256 = $2',
    values: [accountId, hashKey(key)],
  });
  const found = (await listKeys(db, accountId)).find(({ id }) => id === rows[0]?.id);
  assert.ok(found);
  return found;
}

async function setLastUsed(key: string, at: Date): Promise<void> {
  await db.query({
    name: '',
    text: 'update api_keys set last_used_at = $1 where account_id = $2 and key_sha256 = $3',
    values: [at, accountId, hashKey(key)],
  });
}

function assertRefused(answer: Answer, code: 'missing_api_key' | 'invalid_api_key'): void {
  assertProblem(answer, code, STOCKLIST);
  const error = code === 'invalid_api_key' ? ', error="invalid_token"' : '';
  assert.equal(answer.headers['www-authenticate'], `Bearer realm="offplan"${error}`);
}

describe('a request without a key', () => {
  for (const header of [
    undefined,
    '',
    'Bearer',
    'Bearer ',
    'Basic dXNlcjpwYXNz',
    'Token x',
    'Bearerx',
  ])
    test(`is a 401 missing_api_key, and is told no more than the scheme: ${header}`, async () => {
      assertRefused(await get(header), 'missing_api_key');
    });

  test('stays one when the key is somewhere else', async () => {
    const key = await issue('read');
    for (const headers of [{ 'x-api-key': key }, { cookie: `key=${key}` }, { authorization: key }])
      assertRefused(await service.send({ url: STOCKLIST, headers }), 'missing_api_key');
    const inQuery = await service.send({ url: `${STOCKLIST}?access_token=${key}&api_key=${key}` });
    assertRefused(inQuery, 'missing_api_key');
  });
});

describe('a key that is not valid', () => {
  const texts: [string, (key: string) => string][] = [
    ['no key at all', () => 'x'],
    ['the prefix alone', () => 'offplan_'],
    ['mistyped', (key) => key.slice(0, -1) + (key.endsWith('x') ? 'y' : 'x')],
    ['in another case', (key) => key.toUpperCase()],
    ['cut off', (key) => key.slice(0, -1)],
    ['with something behind it', (key) => `${key} x`],
    ['never made', () => formatKey(accountId, randomBytes(16))],
    ['of no account', () => formatKey(uuidv7(), randomBytes(16))],
    ['very long', (key) => key.repeat(100)],
  ];
  for (const [what, of] of texts)
    test(`is a 401 invalid_api_key: ${what}`, async () => {
      const key = await issue('read');
      assertRefused(await get(`Bearer ${of(key)}`), 'invalid_api_key');
      assert.equal(await statusOf(key), 200);
    });

  test('reads the same whether it is unknown, mistyped, expired or revoked', async () => {
    const revoked = await issue('read');
    await markKeyRevoked(db, accountId, (await rowOf(revoked)).id, new Date());
    const expired = await issue('read', new Date(Date.now() - 1));
    const unknown = formatKey(accountId, randomBytes(16));
    const texts = new Set<string>();
    for (const key of [revoked, expired, unknown, 'x']) {
      const answer = await get(`Bearer ${key}`);
      assertRefused(answer, 'invalid_api_key');
      texts.add(answer.text.replace(answer.body.requestId, ''));
    }
    assert.equal(texts.size, 1);
  });

  test('is not valid for another account whose key has its hash', async () => {
    const other = await developersOf(service)();
    const otherId = (await findAccountBySlug(db, other.slug)) ?? '';
    const key = formatKey(accountId, randomBytes(16));
    await storeKey(otherId, key);
    assertRefused(await get(`Bearer ${key}`), 'invalid_api_key');
  });
});

const storeKey = (ofAccount: string, key: string): Promise<void> =>
  insertKey(db, ofAccount, {
    id: uuidv7(),
    name: 'Website',
    access: 'read',
    keySha256: hashKey(key),
    createdAt: new Date(),
    expiresAt: null,
  });

test('the name of the scheme is read in any case, and spaces around the key do not count', async () => {
  const key = await issue('read');
  for (const scheme of ['Bearer', 'bearer', 'BEARER', 'bEaReR'])
    assert.equal((await get(`${scheme} ${key}`)).status, 200, scheme);
  assert.equal((await get(`Bearer   ${key}  `)).status, 200);
});

test('a read key reads, and a read-write key reads and writes', async () => {
  for (const access of ['read', 'read-write'] as const) {
    const key = await issue(access);
    assert.equal((await service.send({ url: STOCKLIST, key })).status, 200);
    const project = await service.send({ url: '/api/v1/projects/harbourlight', key });
    assert.equal(project.status, 200);
  }
});

test('a read key that writes is a 403 that names the scope, and nothing is written', async () => {
  const key = await issue('read');
  const before = await developer.exported();
  const payload = { email: 'aroha@example.com', tag: 'Never' };
  const answer = await service.send({ method: 'POST', url: CONTACTS, key, payload });
  assertProblem(answer, 'insufficient_access', CONTACTS);
  assert.equal(
    answer.headers['www-authenticate'],
    'Bearer realm="offplan", error="insufficient_scope"',
  );
  assert.deepEqual(await developer.exported(), before);
});

test('a key that is made right after it was tried works at once', async () => {
  const key = formatKey(accountId, randomBytes(16));
  assert.equal(await statusOf(key), 401);
  await storeKey(accountId, key);
  assert.equal(await statusOf(key), 200);
});

test('a key that expires works until then and no longer', async () => {
  const key = await issue('read', new Date(Date.now() + 3_600_000));
  assert.equal(await statusOf(key), 200);
  await db.query({
    name: '',
    text: 'update api_keys set expires_at = $1 where account_id = $2 and key_sha256 = $3',
    values: [new Date(Date.now() - 1), accountId, hashKey(key)],
  });
  await sleep(260);
  assert.equal(await statusOf(key), 401);
});

test('a key that another process revokes stops within 250 ms, however busy it is', async () => {
  const key = await issue('read');
  assert.equal(await statusOf(key), 200);
  const { id } = await rowOf(key);
  assert.equal(await markKeyRevoked(db, accountId, id, new Date()), true);
  const revokedMs = performance.now();
  let [status, askedMs] = [200, revokedMs];
  // It ends with the first refusal: a busy loop of them would meet the limit of failures from an address.
  while (status === 200) {
    askedMs = performance.now();
    status = await statusOf(key);
    assert.ok(status === 401 || askedMs <= revokedMs + 250, `${askedMs - revokedMs} ms later`);
  }
  // And stays refused.
  for (let n = 0; n < 10; n += 1) {
    assert.equal(await statusOf(key), 401);
    await sleep(25);
  }
});

test('revoking a key leaves the others, and a key revoked twice keeps its first time', async () => {
  const [key, other] = [await issue('read'), await issue('read')];
  const { id } = await rowOf(key);
  const first = new Date('2026-01-02T03:04:05.678Z');
  await markKeyRevoked(db, accountId, id, first);
  await markKeyRevoked(db, accountId, id, new Date());
  assert.deepEqual((await rowOf(key)).revokedAt, first);
  assert.equal(await statusOf(key), 401);
  assert.equal(await statusOf(other), 200);
  assert.equal(await markKeyRevoked(db, uuidv7(), (await rowOf(other)).id, new Date()), false);
});

describe('the last-used time', () => {
  for (const [what, agoMs] of [
    ['never used', null],
    ['used an hour ago', 3_600_000],
    ['used a minute ago', 60_000],
  ] as const)
    test(`is true to a minute once the key is used: ${what}`, async () => {
      const key = await issue('read');
      if (agoMs !== null) await setLastUsed(key, new Date(Date.now() - agoMs));
      const askedMs = Date.now();
      assert.equal(await statusOf(key), 200);
      let lastUsedAt: Date | null = null;
      // It is noted beside the answer, not before it.
      for (let tries = 0; tries < 1_000 && !(lastUsedAt && +lastUsedAt >= askedMs); tries += 1) {
        await sleep(10);
        ({ lastUsedAt } = await rowOf(key));
      }
      assert.ok(lastUsedAt && +lastUsedAt >= askedMs && +lastUsedAt <= Date.now());
    });

  test('of a key that nobody has used is empty, and a refused try is no use', async () => {
    const key = await issue('read', new Date(Date.now() - 1));
    assert.equal(await statusOf(key), 401);
    await sleep(50);
    assert.equal((await rowOf(key)).lastUsedAt, null);
  });
});

test('a hundred requests with one key at once are all let in', async () => {
  const key = await issue('read');
  const statuses = await Promise.all(Array.from({ length: 100 }, () => statusOf(key)));
  assert.deepEqual(new Set(statuses), new Set([200]));
});

/** The bytes of a key between the account's id and the checksum. */
function secretOf(key: string): Buffer {
  const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  let number = 0n;
  for (const digit of key.slice('offplan_'.length))
    number = number * 62n + BigInt(digits.indexOf(digit));
  return Buffer.from(number.toString(16).padStart(72, '0'), 'hex').subarray(16, 32);
}

test('a key has 128 random bits: each is set in about half of the keys', async () => {
  const secrets = (await Promise.all(Array.from({ length: 400 }, () => issue('read')))).map(
    secretOf,
  );
  for (let bit = 0; bit < 128; bit += 1) {
    const set = secrets.filter((secret) => ((secret[bit >> 3] ?? 0) >> (bit & 7)) & 1).length;
    // Six standard deviations from the half.
    assert.ok(set > 140 && set < 260, `bit ${bit} is set in ${set} of 400`);
  }
});

test('of a key only its SHA-256 is stored, wherever one looks', async () => {
  const key = await issue('read-write');
  assert.equal(await statusOf(key), 200);
  const { rows: tables } = await db.query<{ name: string }>({
    name: '',
    text: `select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`,
    values: [],
  });
  let stored = '';
  for (const { name } of tables) {
    const text = `select coalesce(string_agg(t::text, ' '), '') as text from ${name} t`;
    const { rows } = await db.query<{ text: string }>({ name: '', text, values: [] });
    stored += rows[0]?.text;
  }
  assert.ok(stored.includes(createHash('sha256').update(key).digest('hex')));
  assert.ok(!stored.includes(key.slice('offplan_'.length)));
  // The secret by itself: what is behind the account's id, in any writing.
  const secret = secretOf(key);
  for (const part of [
    key.slice(-20),
    Buffer.from(key).toString('hex').slice(-40),
    secret.toString('hex'),
    secret.toString('base64'),
  ])
    assert.ok(!stored.includes(part));
});

test('a key that is used once is remembered no longer than until the next one is looked up', async (t) => {
  const service = await build(t);
  const { slug } = await developersOf(service)();
  for (let n = 0; n < 5; n += 1) {
    const key = await service.key(slug, 'read');
    assert.equal((await service.send({ url: '/api/v1/stocklist', key })).status, 200);
    assert.equal(memoryOf(service.db).remembered.size, 1);
    await sleep(KEY_REMEMBERED_MS);
  }
});
