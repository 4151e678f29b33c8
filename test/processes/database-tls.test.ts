import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { offplan } from '../process.ts';
import { startTlsPostgres, withoutOpenssl } from '../postgres-tls.ts';

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
