import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readConfig } from './config.ts';
import { ConfigError } from './values.ts';

const refusal = (environment: Record<string, string>): string => {
  try {
    readConfig({}, environment);
  } catch (error) {
    assert.ok(error instanceof ConfigError);
    return error.message;
  }
  return 'not refused';
};

test('a URL with a password that is not percent-encoded is refused, with the codes, and never repeated', () => {
  const passwords = [
    'hun/ter2',
    'hun#ter2',
    'hun?ter2',
    'hun@ter2',
    '12/hunter',
    'hun%ter2',
    '1#2',
  ];
  for (const password of [...passwords, 'hun ter2', '1?hunter2', 'a@b/hunter'])
    for (const [name, scheme] of [
      ['DATABASE_URL', 'postgresql'],
      ['REDIS_URL', 'redis'],
    ] as const) {
      const message = refusal({ [name]: `${scheme}://crm:${password}@db.internal/offplan` });
      assert.match(message, new RegExp(`^${name} must be percent-encoded: .*%40 %2F %3F %23 %25`));
      assert.ok(!message.includes(password) && !message.includes('hun'), message);
    }
  const encoded = encodeURIComponent('h/u#n?t@e%r 2:');
  const { databaseUrl } = readConfig(
    {},
    { DATABASE_URL: `postgresql://crm:${encoded}@db/offplan` },
  );
  assert.equal(decodeURIComponent(new URL(databaseUrl ?? '').password), 'h/u#n?t@e%r 2:');
});

test('a DATABASE_URL whose TLS would not be what it says is refused', () => {
  const refused: [string, RegExp][] = [
    ['sslmode=on', /a URL whose sslmode is one of disable, allow, prefer, require, verify-ca, v/],
    ['sslmode=no-verify', /a URL whose sslmode is one of/],
    ['sslmod=require', /without sslmod; of TLS it has sslmode, sslrootcert/],
    ['sslrootcert=/ca.crt', /an sslmode, such as verify-full, since it has sslrootcert/],
    ['sslmode=require&sslrootcert=system', /sslmode=verify-full, since sslrootcert=system/],
    ['sslmode=prefer&sslnegotiation=direct', /an sslmode of require, verify-ca, verify-full/],
  ];
  for (const [parameters, message] of refused)
    assert.match(refusal({ DATABASE_URL: `postgresql://crm@db/offplan?${parameters}` }), message);
});

test('a DATABASE_URL without an sslmode takes those of PGSSLMODE and PGSSLROOTCERT, as psql does', () => {
  const settings = { PGSSLMODE: 'verify-full', PGSSLROOTCERT: '/ca.crt' };
  const urlFor = (url: string, environment = {}) =>
    readConfig({}, { DATABASE_URL: url, ...environment }).databaseUrl;
  assert.equal(
    urlFor('postgresql://db/offplan', settings),
    'postgresql://db/offplan?sslmode=verify-full&sslrootcert=%2Fca.crt',
  );
  assert.match(urlFor('postgresql://db/offplan?sslmode=require', settings) ?? '', /=require&sslr/);
  assert.match(urlFor('postgresql://db/offplan?sslrootcert=system') ?? '', /sslmode=verify-full/);
  assert.match(urlFor('postgresql://db/offplan?ssl=true') ?? '', /\?sslmode=require$/);
});

test('a DATABASE_URL may have a user and no host, with the folder of a Unix socket, as for psql', () => {
  const read = (url: string) => readConfig({}, { DATABASE_URL: url }).databaseUrl;
  const query = 'offplan?host=/var/run/postgresql';
  assert.equal(
    read(`postgresql://crm:a%2Fb@/${query}`),
    `postgresql://crm:a%2Fb@localhost/${query}`,
  );
  assert.equal(read(`postgresql:///${query}`), `postgresql:///${query}`);
});
