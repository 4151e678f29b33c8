import { execFileSync, spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { appendFileSync, chmodSync, chownSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { startEmbedded } from '../../src/platform/postgres/index.ts';
import { dataFolder } from './process.ts';

/** The reason to skip a test that makes certificates. False when openssl is installed, and always in CI, where it must be. */
export const withoutOpenssl: string | false =
  spawnSync('openssl', ['version']).error !== undefined && process.env['CI'] === undefined
    ? 'openssl is not on the PATH'
    : false;

/** Which TCP connections a server takes: `host` all, `hostssl` those with TLS, `hostnossl` those without. */
type Access = 'host' | 'hostssl' | 'hostnossl';

/** A PostgreSQL that listens on two addresses of this machine, with a certificate for the first one. */
export interface TlsPostgres {
  named: string;
  unnamed: string;
  /** The file of the certificate of the authority that signed the server's, and of another authority. */
  authority: string;
  otherAuthority: string;
  /** Changes which connections the server takes from now on, and whether it can do TLS. */
  allow: (access: Access, hasTls?: boolean) => Promise<void>;
}

/** Starts the server, and ends it after the tests. */
export async function startTlsPostgres(t: { after: (clean: () => unknown) => void }) {
  const folder = dataFolder(t);
  const cluster = join(folder, 'postgres');
  const certificates = makeCertificates(cluster);
  const { named, unnamed } = certificates;
  appendFileSync(
    join(cluster, 'postgresql.conf'),
    `\nlisten_addresses = '${named},${unnamed}'\nssl = on\n`,
  );
  const embedded = await startEmbedded({ dataDir: folder, isDefaultDataDir: false });
  const admin = new pg.Client(embedded.connection);
  await admin.connect();
  t.after(async () => {
    await admin.end();
    await embedded.release();
  });
  async function allow(access: Access, hasTls = true): Promise<void> {
    const rules = `local all all trust\n${access} all all 127.0.0.0/8 trust\n`;
    writeFileSync(join(cluster, 'pg_hba.conf'), rules);
    await admin.query(`alter system set ssl = ${hasTls ? 'on' : 'off'}`);
    await admin.query('select pg_reload_conf()');
  }
  return { ...certificates, allow } satisfies TlsPostgres;
}

// Addresses of its own: another server of this machine may have the port.
function makeCertificates(cluster: string) {
  const network = `127.${randomInt(1, 255)}.${randomInt(255)}`;
  const [named, unnamed] = [`${network}.1`, `${network}.2`];
  const authority = signItself(cluster, 'authority');
  const otherAuthority = signItself(cluster, 'other');
  const signed =
    '-keyout server.key -out server.crt -subj /CN=server -CA authority.crt -CAkey authority.key';
  const extensions = `-addext subjectAltName=IP:${named} -addext basicConstraints=critical,CA:FALSE`;
  openssl(cluster, `${signed} ${extensions}`);
  const { uid, gid } = statSync(cluster);
  for (const name of ['server.key', 'server.crt']) chownSync(join(cluster, name), uid, gid);
  chmodSync(join(cluster, 'server.key'), 0o600);
  return { named, unnamed, authority, otherAuthority };
}

function signItself(folder: string, name: string): string {
  openssl(folder, `-keyout ${name}.key -out ${name}.crt -subj /CN=${name}`);
  return join(folder, `${name}.crt`);
}

function openssl(cwd: string, args: string): void {
  const key = '-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes';
  execFileSync('openssl', `req -x509 -days 2 ${key} ${args}`.split(' '), { cwd, stdio: 'pipe' });
}
