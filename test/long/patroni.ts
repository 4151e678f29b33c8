import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { userInfo, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import pg from 'pg';
import { freePort, untilListening } from '../support/ports.ts';
import { signalTree } from '../support/process.ts';

const PROGRAMS = ['patroni', 'etcd', '/usr/sbin/haproxy'];
const SERVERS = '/usr/lib/postgresql';
const MEMBERS = 3;

/** The reason to skip the tests of a failover; false when all programs are there. */
export const withoutPatroni: string | false = findMissing();

function findMissing(): string | false {
  const missing = PROGRAMS.filter((name) => spawnSync(name, ['--help']).error !== undefined);
  if (findServer() === undefined) missing.push(`${SERVERS}/VERSION/bin`);
  if (missing.length === 0) return false;
  return `${missing.join(', ')} missing: apt-get install patroni etcd-server haproxy postgresql`;
}

function findServer(): string | undefined {
  try {
    const versions = readdirSync(SERVERS).toSorted((a, b) => Number(a) - Number(b));
    return join(SERVERS, versions.at(-1) ?? '', 'bin');
  } catch {
    return undefined;
  }
}

/** A PostgreSQL that Patroni manages. */
export interface Member {
  name: string;
  restPort: number;
  /** Sends a signal to Patroni and to all processes of its PostgreSQL. */
  signal: (name: NodeJS.Signals) => void;
  /** Starts Patroni again after it was killed. */
  start: () => void;
}

export interface Cluster {
  /** The DATABASE_URL of the address that follows the primary. */
  url: string;
  members: Member[];
  /** Finds the member that is the primary, with a synchronous standby. */
  findLeader: () => Promise<Member | undefined>;
  /** Lists the members that run as replicas of the leader. */
  listReplicas: () => Promise<Member[]>;
  /** Makes a healthy replica the primary. */
  switchOver: () => Promise<void>;
}

/** Starts etcd, three members of PostgreSQL under Patroni with strict synchronous replication, and HAProxy before them. */
export async function startCluster(t: TestContext): Promise<Cluster> {
  const folder = mkdtempSync(join(tmpdir(), 'offplan-patroni-'));
  // PostgreSQL refuses to run as root.
  const user = findUser();
  chmodSync(folder, 0o755);
  const run = (program: string, args: string[]): ChildProcess => {
    const child = spawn(program, args, {
      ...user,
      cwd: folder,
      stdio: process.env['PATRONI_LOG'] ? 'inherit' : 'ignore',
    });
    t.after(async () => {
      signalTree(child.pid, 'SIGCONT');
      signalTree(child.pid, 'SIGKILL');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    });
    return child;
  };
  const own = (name: string): string => {
    const path = join(folder, name);
    mkdirSync(path, { mode: 0o700 });
    if (user.uid !== undefined && user.gid !== undefined) chownSync(path, user.uid, user.gid);
    return path;
  };
  t.after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));

  const [etcd, peer, front] = [await freePort(), await freePort(), await freePort()];
  const etcdUrl = `http://127.0.0.1:${etcd}`;
  const peerUrl = `http://127.0.0.1:${peer}`;
  run('etcd', [
    `--data-dir=${own('etcd')}`,
    `--listen-client-urls=${etcdUrl}`,
    `--advertise-client-urls=${etcdUrl}`,
    `--listen-peer-urls=${peerUrl}`,
    `--initial-advertise-peer-urls=${peerUrl}`,
    `--initial-cluster=default=${peerUrl}`,
  ]);
  await untilListening(etcd);
  const ports: { rest: number; postgres: number }[] = [];
  for (let n = 0; n < MEMBERS; n += 1)
    ports.push({ rest: await freePort(), postgres: await freePort() });
  const members = ports.map(({ rest, postgres }, at): Member => {
    const name = `member${at + 1}`;
    const home = own(name);
    const config = join(folder, `${name}.json`);
    // JSON is YAML, too.
    writeFileSync(config, JSON.stringify(buildConfig({ name, rest, postgres, etcd, home })));
    let child = run('patroni', [config]);
    t.after(() => signalPostmaster(home, 'SIGKILL'));
    return {
      name,
      restPort: rest,
      signal: (signal) => {
        signalTree(child.pid, signal);
        signalPostmaster(home, signal);
      },
      start: () => void (child = run('patroni', [config])),
    };
  });
  const proxy = join(folder, 'haproxy.cfg');
  writeFileSync(proxy, buildProxyConfig(front, ports));
  run('/usr/sbin/haproxy', ['-f', proxy]);

  const list = async (): Promise<PatroniMember[]> => {
    for (const { restPort } of members)
      try {
        const signal = AbortSignal.timeout(2_000);
        const response = await fetch(`http://127.0.0.1:${restPort}/cluster`, { signal });
        return ((await response.json()) as { members: PatroniMember[] }).members;
      } catch {
        // The next one answers, perhaps.
      }
    return [];
  };
  const listWith = async (roles: string[]): Promise<Member[]> => {
    const listed = await list();
    const isSynchronous = listed.some(({ role }) => role === 'sync_standby');
    return members.filter(({ name }) =>
      listed.some(
        (each) =>
          each.name === name &&
          roles.includes(each.role) &&
          isSynchronous &&
          ['running', 'streaming'].includes(each.state),
      ),
    );
  };
  return {
    url: `postgresql://postgres@127.0.0.1:${front}/offplan`,
    members,
    findLeader: async () => (await listWith(['leader']))[0],
    listReplicas: () => listWith(['sync_standby', 'replica']),
    switchOver: async () => {
      const [leader] = await listWith(['leader']);
      const response = await fetch(`http://127.0.0.1:${leader?.restPort}/switchover`, {
        method: 'POST',
        body: JSON.stringify({ leader: leader?.name }),
      });
      if (!response.ok) throw new Error(`no switchover: ${await response.text()}`);
    },
  };
}

/** Sends a signal to the PostgreSQL of a member, which is no child of Patroni. */
function signalPostmaster(home: string, signal: NodeJS.Signals): void {
  const file = join(home, 'data', 'postmaster.pid');
  if (existsSync(file)) signalTree(Number(readFileSync(file, 'utf8').split('\n')[0]), signal);
}

interface PatroniMember {
  name: string;
  role: string;
  state: string;
}

/** Finds the user of Debian's PostgreSQL when this process runs as root. */
function findUser(): { uid?: number; gid?: number } {
  if (userInfo().uid !== 0) return {};
  const id = (flag: string) =>
    Number(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout);
  return { uid: id('-u'), gid: id('-g') };
}

function buildConfig(each: {
  name: string;
  rest: number;
  postgres: number;
  etcd: number;
  home: string;
}) {
  const { name, rest, postgres, etcd, home } = each;
  const address = (port: number) => ({
    listen: `127.0.0.1:${port}`,
    connect_address: `127.0.0.1:${port}`,
  });
  return {
    scope: 'offplan',
    name,
    etcd3: { host: `127.0.0.1:${etcd}` },
    restapi: address(rest),
    bootstrap: {
      dcs: {
        ttl: 20,
        loop_wait: 2,
        retry_timeout: 5,
        synchronous_mode: true,
        synchronous_mode_strict: true,
        postgresql: { use_pg_rewind: true, parameters: { max_connections: 100 } },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }, 'data-checksums', { auth: 'trust' }],
    },
    postgresql: {
      ...address(postgres),
      data_dir: join(home, 'data'),
      bin_dir: findServer(),
      pgpass: join(home, 'pgpass'),
      authentication: {
        superuser: { username: 'postgres' },
        replication: { username: 'postgres' },
      },
      pg_hba: [
        'local all all trust',
        'host all all 127.0.0.1/32 trust',
        'host replication all 127.0.0.1/32 trust',
      ],
      parameters: { unix_socket_directories: home, shared_buffers: '64MB' },
    },
  };
}

function buildProxyConfig(front: number, ports: { rest: number; postgres: number }[]): string {
  const servers = ports.map(
    ({ rest, postgres }, at) => `  server member${at + 1} 127.0.0.1:${postgres} check port ${rest}`,
  );
  return `defaults
  mode tcp
  timeout connect 1s
  timeout client 30m
  timeout server 30m
  timeout check 2s
listen primary
  bind 127.0.0.1:${front}
  option httpchk OPTIONS /primary
  http-check expect status 200
  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
${servers.join('\n')}
`;
}

/** Makes the database, as an administrator does. */
export async function makeDatabase({ url }: Cluster): Promise<void> {
  const client = new pg.Client({ connectionString: url.replace(/offplan$/, 'postgres') });
  await client.connect();
  await client.query("create database offplan encoding 'UTF8' template template0");
  await client.end();
}
