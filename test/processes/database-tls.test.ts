import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { dataFolder, offplan } from '../support/process.ts';
import { startTlsPostgres, withoutOpenssl } from '../support/postgres-tls.ts';

const options = { skip: withoutOpenssl };
const server = withoutOpenssl ? undefined : await startTlsPostgres({ after });

/** Lists the accounts over this connection. Returns null when it works, else the one line that says why not. */
async function connect(host: string, parameters: string, settings = {}): Promise<string | null> {
  const DATABASE_URL = `postgresql://offplan:hush@${host}:5432/offplan?${parameters}`;
  const { code, stdout, stderr } = await offplan(['accounts', 'list', '--json'], {
    DATABASE_URL,
    // A home without ~/.postgresql.
    HOME: '/nonexistent',
    ...settings,
  });
  assert.ok(!`${stdout}${stderr}`.includes('hush'), stderr);
  if (code === 0) {
    // Neither Node.js nor the driver adds a warning.
    assert.deepEqual([stdout, stderr], ['[]\n', '']);
    return null;
  }
  assert.match(stderr, /^offplan: [^\n]*\n$/);
  return stderr.trim();
}

/** Checks for each list of parameters whether the connection works (null) or what its error says. */
async function expect(host: string, cases: [parameters: string, error: RegExp | null][]) {
  for (const [parameters, error] of cases) {
    const said = await connect(host, parameters);
    if (error === null) assert.equal(said, null, parameters);
    else assert.match(said ?? 'it works', error, parameters);
  }
}

test('sslmode and sslrootcert mean what they mean to libpq', options, async () => {
  const { named, unnamed, authority, otherAuthority, allow } = server ?? assert.fail();
  await allow('hostssl');
  await expect(named, [
    ['', /over TLS: no pg_hba\.conf entry .*, no encryption; see sslmode/],
    ['sslmode=disable', /no encryption/],
    ['sslmode=allow', null],
    ['sslmode=prefer', null],
    ['sslmode=require', null],
    ['ssl=true', null],
    [`sslmode=require&sslrootcert=${otherAuthority}`, /over TLS: .*certificate/],
    [`sslmode=verify-ca&sslrootcert=${authority}`, null],
    [`sslmode=verify-full&sslrootcert=${authority}`, null],
    [`sslmode=verify-full&sslrootcert=${otherAuthority}`, /over TLS: .*certificate/],
    ['sslmode=verify-full&sslrootcert=system', /over TLS: .*certificate/],
    ['sslmode=verify-full', /sslrootcert=FILE, or sslrootcert=system/],
    [`sslmode=verify-full&sslrootcert=/none.crt`, /sslrootcert a file .*\/none\.crt .*ENOENT/],
  ]);
  await expect(unnamed, [
    [`sslmode=verify-ca&sslrootcert=${authority}`, null],
    [`sslmode=verify-full&sslrootcert=${authority}`, /over TLS: .*altnames/],
  ]);
  const settings = { PGSSLMODE: 'verify-full', PGSSLROOTCERT: otherAuthority };
  assert.match((await connect(named, '', settings)) ?? '', /over TLS: .*certificate/);
});

test(
  'sslmode=prefer and allow go without TLS where the server wants it so; require does not',
  options,
  async () => {
    const { named, allow } = server ?? assert.fail();
    await allow('hostnossl');
    await expect(named, [
      ['sslmode=prefer', null],
      ['sslmode=allow', null],
      ['sslmode=require', /no pg_hba\.conf entry/],
    ]);
    await allow('host', false);
    await expect(named, [
      ['sslmode=prefer', null],
      ['sslmode=require', /over TLS: The server does not support SSL connections; see sslmode/],
    ]);
  },
);

test(
  'a file of certificates or of a key that cannot be used is named in one line',
  options,
  async () => {
    const { named, authority, allow } = server ?? assert.fail();
    await allow('hostssl');
    const folder = dataFolder({ after });
    const write = (name: string, text: string): string => {
      writeFileSync(join(folder, name), text);
      return join(folder, name);
    };
    const [empty, garbage] = [write('empty.crt', ''), write('garbage.crt', 'no certificate\n')];
    const broken = write(
      'broken.crt',
      '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n',
    );
    const key = join(folder, 'client.key');
    const make = `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -passout pass:open -keyout ${key} -out ${join(folder, 'client.crt')} -subj /CN=client`;
    execFileSync('openssl', make.split(' '), { stdio: 'pipe' });
    const client = `sslmode=require&sslcert=${join(folder, 'client.crt')}`;
    await expect(named, [
      ...[empty, garbage, broken].map((file): [string, RegExp] => [
        `sslmode=verify-full&sslrootcert=${file}`,
        /sslrootcert a file of certificates in PEM; .*\.crt has none/,
      ]),
      [
        `sslmode=verify-full&sslrootcert=${folder}`,
        /sslrootcert a file that can be read; .*EISDIR/,
      ],
      [`sslmode=require&sslcert=${garbage}&sslkey=${key}`, /sslcert a file of certificates in PEM/],
      [`${client}&sslkey=${folder}`, /sslkey a file that can be read; .*EISDIR/],
      [`${client}&sslkey=${garbage}`, /sslcert and sslkey a certificate and its own key/],
      [`${client}&sslkey=${key}`, /in sslpassword the password of the key/],
      [`${client}&sslkey=${key}&sslpassword=open`, null],
    ]);
    // The line names our settings, not the flags of Node.js.
    const system = await connect(named, 'sslmode=verify-full&sslrootcert=system');
    assert.match(
      system ?? '',
      /^offplan: the database cannot be reached over TLS: [^;]*certificate[^;]*; see sslmode/,
    );
    assert.equal(await connect(named, `sslmode=verify-full&sslrootcert=${authority}`), null);
  },
);
