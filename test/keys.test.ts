import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { uuidv7 } from 'uuidv7';
import { issueKey, listKeys, revokeKey } from '../src/keys/index.ts';
import type { Access } from '../src/access/index.ts';
import { accountIdOf } from './support/accounts.ts';
import { LOOK_UP_CACHED_MS, passTime } from './support/clock.ts';
import { developersOf } from './support/developer.ts';
import { build, type Answer } from './support/harness.ts';
import { keyIdOf, mistyped, storedHash, storeKey, unknownKey, updateKey } from './support/keys.ts';
import { assertProblem } from './support/problem.ts';
import { KEY_LOOK_UP, statementsOf } from './support/statements.ts';
import { until } from './support/until.ts';

const service = await build({ after });
const { db } = service;
const developer = await developersOf(service)();
const accountId = await accountIdOf(db, developer);

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

/** A key as operators see it. */
async function rowOf(key: string) {
  const id = await keyIdOf(db, key);
  const found = (await listKeys(db, accountId)).find((each) => each.id === id);
  assert.ok(found);
  return found;
}

/** Revokes a key as another process would: this one's cache stays. */
async function revokeElsewhere(key: string): Promise<void> {
  assert.equal(await revokeKey(db, accountId, await keyIdOf(db, key)), true);
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
    test(`is a 401 missing_api_key whose challenge names only the scheme: ${header}`, async () => {
      assertRefused(await get(header), 'missing_api_key');
    });

  test('is a 401 also when the key is in another header or in the query', async () => {
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
    ['mistyped', mistyped],
    ['in another case', (key) => key.toUpperCase()],
    ['cut off', (key) => key.slice(0, -1)],
    ['with something behind it', (key) => `${key} x`],
    ['never made', () => unknownKey(accountId)],
    ['of no account', () => unknownKey()],
    ['very long', (key) => key.repeat(100)],
  ];
  for (const [what, of] of texts)
    test(`is a 401 invalid_api_key: ${what}`, async () => {
      const key = await issue('read');
      assertRefused(await get(`Bearer ${of(key)}`), 'invalid_api_key');
      assert.equal(await statusOf(key), 200);
    });

  test('gives the same answer whether it is unknown, mistyped, expired or revoked', async () => {
    const revoked = await issue('read');
    await revokeElsewhere(revoked);
    const expired = await issue('read', new Date(Date.now() - 1));
    const unknown = unknownKey(accountId);
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
    const otherId = await accountIdOf(db, other);
    const key = unknownKey(accountId);
    await storeKey(db, otherId, key);
    assertRefused(await get(`Bearer ${key}`), 'invalid_api_key');
  });
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
  const key = unknownKey(accountId);
  assert.equal(await statusOf(key), 401);
  await storeKey(db, accountId, key);
  assert.equal(await statusOf(key), 200);
});

test('a key that expires works until then and no longer', async () => {
  const key = await issue('read', new Date(Date.now() + 3_600_000));
  assert.equal(await statusOf(key), 200);
  await updateKey(db, key, 'expires_at', new Date(Date.now() - 1));
  passTime(LOOK_UP_CACHED_MS);
  assert.equal(await statusOf(key), 401);
});

test('a key that expires while it is in use is refused from that moment, not when the cache forgets it', async (t) => {
  const expiresMs = Date.now() + 3_600_000;
  const key = await issue('read', new Date(expiresMs));
  const clock = t.mock.method(Date, 'now', () => expiresMs - 1);
  assert.equal(await statusOf(key), 200);
  clock.mock.mockImplementation(() => expiresMs);
  assertRefused(await get(`Bearer ${key}`), 'invalid_api_key');
});

test('a key that another process revokes is refused 250 ms later, however busy it is', async () => {
  const key = await issue('read');
  assert.equal(await statusOf(key), 200);
  await revokeElsewhere(key);
  for (let n = 0; n < 5; n += 1) {
    await statusOf(key);
    passTime(LOOK_UP_CACHED_MS / 5);
  }
  for (let n = 0; n < 5; n += 1) assert.equal(await statusOf(key), 401);
});

test('revoking a key leaves the others, and a key revoked twice keeps its first time', async () => {
  const [key, other] = [await issue('read'), await issue('read')];
  await revokeElsewhere(key);
  const { id, revokedAt } = await rowOf(key);
  await revokeElsewhere(key);
  assert.ok(revokedAt);
  assert.deepEqual((await rowOf(key)).revokedAt, revokedAt);
  assert.equal(await statusOf(key), 401);
  assert.equal(await statusOf(other), 200);
  assert.equal(await revokeKey(db, uuidv7(), id), false);
});

describe('the last-used time', () => {
  for (const [what, agoMs] of [
    ['never used', null],
    ['used an hour ago', 3_600_000],
    ['used a minute ago', 60_000],
  ] as const)
    test(`is set when the key is used: ${what}`, async () => {
      const key = await issue('read');
      if (agoMs !== null) await updateKey(db, key, 'last_used_at', new Date(Date.now() - agoMs));
      const askedMs = Date.now();
      assert.equal(await statusOf(key), 200);
      const lastUsedMs = async () => (await rowOf(key)).lastUsedAt?.getTime() ?? 0;
      // The answer does not wait for the time to be stored.
      await until(async () => (await lastUsedMs()) >= askedMs);
      assert.ok((await lastUsedMs()) <= Date.now());
    });

  test('is empty for a key that was only refused', async () => {
    const [expired, valid] = [await issue('read', new Date(Date.now() - 1)), await issue('read')];
    assert.equal(await statusOf(expired), 401);
    assert.equal(await statusOf(valid), 200);
    // Only the later use of the other key is stored.
    await until(async () => (await rowOf(valid)).lastUsedAt !== null);
    assert.equal((await rowOf(expired)).lastUsedAt, null);
  });
});

test('a hundred requests at once with a new key are answered after one look-up', async () => {
  const key = await issue('read');
  let statuses: number[] = [];
  const statements = await statementsOf(async () => {
    statuses = await Promise.all(Array.from({ length: 100 }, () => statusOf(key)));
  });
  assert.deepEqual(new Set(statuses), new Set([200]));
  assert.equal(statements.filter((name) => name === KEY_LOOK_UP).length, 1);
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
  const secrets = (await Promise.all(Array.from({ length: 100 }, () => issue('read')))).map(
    secretOf,
  );
  for (let bit = 0; bit < 128; bit += 1) {
    const set = secrets.filter((secret) => ((secret[bit >> 3] ?? 0) >> (bit & 7)) & 1).length;
    // Six standard deviations from the half.
    assert.ok(set > 20 && set < 80, `bit ${bit} is set in ${set} of 100`);
  }
});

test('no table holds more of a key than its SHA-256 and its last four characters', async () => {
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
  assert.ok(stored.includes(storedHash(key).toString('hex')));
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
