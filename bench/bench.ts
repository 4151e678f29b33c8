import { readFileSync } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { cpus, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { startEmbedded } from '../src/platform/postgres/index.ts';
import { migrate, openPool, type Pool } from '../src/platform/database/index.ts';
import { run } from './data.ts';
import { load, type Contender, type Sample } from './measure.ts';
import { parentOf, peakMb, start, type Running } from './process.ts';

/** The seconds of a run, and the number of rounds. */
export interface Effort {
  seconds: number;
  rounds: number;
  /** Skips the largest data sets. */
  quick: boolean;
}

/** An empty, migrated database. */
interface Database {
  db: Pool;
  databaseUrl: string;
}

/** The database of a suite, and the functions that start servers on it. */
export interface Bench extends Effort, Database {
  postgresPid: number;
  folder: string;
  /** The arguments of Node.js that run `offplan` from the built package. From source, it would start slower. */
  offplan: string[];
  /** Starts `offplan serve`. */
  serve: (env?: Record<string, string>) => Promise<Running>;
  /** Creates another database, for a service that `serve` starts on it. */
  createDatabase: () => Promise<Database>;
  /** Starts one of the baselines of baselines.ts, by its name and arguments. */
  baseline: (...args: string[]) => Promise<Running>;
  say: (text: string) => void;
}

// Read the Node.js flags of bin/offplan.js. In a clone, that file would run the source instead of the built package.
const [SHEBANG = ''] = readFileSync(new URL('../bin/offplan.js', import.meta.url), 'utf8').split(
  '\n',
);
const NODE_FLAGS = SHEBANG.split(' ').filter((word) => word.startsWith('--'));
const MAIN = new URL('../dist/service/main.js', import.meta.url);
const BASELINE = fileURLToPath(new URL('baselines.ts', import.meta.url));

// Set limits that no run reaches, so that the service counts requests, as installations do.
const RATE_LIMITS = {
  OFFPLAN_RATE_LIMIT_READS: '1000000000',
  OFFPLAN_RATE_LIMIT_IMPORTS: '1000000000',
};

/** Creates a database on the PostgreSQL of DATABASE_URL, or on an embedded one, runs `work`, and drops the database. */
export async function withBench<T>(
  effort: Effort,
  say: (text: string) => void,
  work: (bench: Bench) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'offplan-bench-'));
  await chmod(folder, 0o755);
  const program = join(folder, 'offplan.mjs');
  const offplan = [...NODE_FLAGS, program];
  await writeFile(
    program,
    `import { main } from '${MAIN.href}';\nawait main(process.argv.slice(2));\n`,
  );
  const server = await serverOf(folder, say);
  const databases: (Database & { name: string })[] = [];
  const createDatabase = async (): Promise<Database> => {
    const name = `offplan_bench_${process.pid}_${databases.length}`;
    await administer(server.url, `create database ${name}`);
    const databaseUrl = withDatabase(server.url, name);
    const db = openPool(databaseUrl, () => undefined, { max: 12 });
    databases.push({ name, db, databaseUrl });
    await migrate(db);
    return { db, databaseUrl };
  };
  const started: Running[] = [];
  const keep = async (starting: Promise<Running>): Promise<Running> => {
    const running = await starting;
    started.push(running);
    return running;
  };
  try {
    const { db, databaseUrl } = await createDatabase();
    return await work({
      ...effort,
      db,
      databaseUrl,
      createDatabase,
      postgresPid: await postmaster(db),
      folder,
      offplan,
      serve: (env) =>
        keep(
          start([...offplan, 'serve', '--port', '0'], {
            DATABASE_URL: databaseUrl,
            ...RATE_LIMITS,
            ...env,
          }),
        ),
      baseline: (...args) => keep(start([BASELINE, ...args], { DATABASE_URL: databaseUrl })),
      say,
    });
  } finally {
    await Promise.all(started.map(({ stop }) => stop()));
    for (const { name, db } of databases) {
      await db.end();
      await administer(server.url, `drop database ${name} with (force)`);
    }
    await server.release();
    await rm(folder, { recursive: true, force: true });
  }
}

async function serverOf(folder: string, say: (text: string) => void) {
  const url = process.env['DATABASE_URL'];
  if (url !== undefined) return { url, release: () => Promise.resolve() };
  const dataDir = join(folder, 'data');
  const postgres = await startEmbedded({ dataDir, isDefaultDataDir: false, note: say });
  const { host, user, database } = postgres.connection;
  return {
    url: `postgresql:///${database}?host=${host}&user=${user}`,
    release: () => postgres.release(),
  };
}

function withDatabase(url: string, name: string): string {
  return url.replace(/^(\w+:\/\/[^/]*\/)[^?]*/, `$1${name}`);
}

async function administer(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(sql);
  await client.end();
}

async function postmaster(db: Pool): Promise<number> {
  const [row] = (await run(db, 'select pg_backend_pid() as pid', [])) as { pid: number }[];
  return parentOf(row?.pid ?? 0);
}

interface Request {
  connections?: number;
  headers?: Record<string, string>;
  method?: 'POST';
  body?: string;
}

/** Makes the contender that sends requests for `path` to a server as fast as it answers. */
export function contender(
  bench: Bench,
  name: string,
  { url, pid }: Running,
  path: string,
  { connections = 8, headers = {}, ...request }: Request = {},
): Contender {
  async function run(): Promise<Sample> {
    const { seconds, postgresPid } = bench;
    const sample = await load({
      ...request,
      url: `${url}${path}`,
      connections,
      headers,
      seconds,
      pid,
      postgresPid,
      idReplacement: request.body !== undefined,
    });
    return { ...sample, memoryMb: peakMb(pid) };
  }
  return { name, run };
}

export function describeMachine(): string {
  const gib = Math.round(totalmem() / 2 ** 30);
  return `Node ${process.version}, ${cpus().length} cores (${cpus()[0]?.model.trim()}), ${gib} GiB`;
}
