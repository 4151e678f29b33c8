import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import { openPool, type Pool } from '../src/platform/database/index.ts';
import { databaseUrl, type Cleaner } from './harness.ts';

const SOCKET_NAME = '.s.PGSQL.5432';

type Fault = 'commit is lost' | 'answer is lost' | 'answer is held';

/** A TCP line to a database, on which things go wrong. */
export interface Line {
  /** The DATABASE_URL of the database at its other end. */
  url: string;
  /**
   * Breaks the connection of the next COMMIT, or of the next statement of that name, which commits by itself: before
   * PostgreSQL gets it or before its answer arrives, or freezes then.
   */
  breakNextCommit: (fault: Fault, statement?: string) => void;
  /** Says FATAL to the next who connects, in one packet with the news that PostgreSQL is ready. */
  endNextWhenReady: () => void;
  /** Passes nothing on, and takes new connections all the same, as the kernel does for a process that is stopped. */
  freeze: () => void;
  /** Passes on what was held back, and all that comes. */
  thaw: () => void;
  /** Lets the connections that are there be silent for ever; new ones are served. */
  strand: () => void;
  /** Tells who connects from now on another process id than PostgreSQL's own, as a pooler does. */
  disguise: () => void;
  /** Breaks all connections. */
  drop: () => void;
  /** Refuses new connections. */
  refuse: () => void;
  /** Takes them again. */
  accept: () => Promise<void>;
}

interface Pair {
  client: Socket;
  server: Socket;
}

/** A line to the database of `db`. */
export async function faultyLine(t: Cleaner, db: Pool): Promise<Line> {
  const target = new URL(await databaseUrl(db), 'postgresql://x');
  const real = join(target.searchParams.get('host') ?? '', SOCKET_NAME);
  const pairs = new Set<Pair>();
  let isFrozen = false;
  let isReadyTheEnd = false;
  let isDisguised = false;
  let next: { fault: Fault; statement: string } | undefined;

  function forward(client: Socket): void {
    const server = connect(real);
    const pair = { client, server };
    let cut: Buffer | undefined;
    pairs.add(pair);
    const end = () => void [client.destroy(), server.destroy(), pairs.delete(pair)];
    for (const side of [client, server]) side.on('error', end).on('close', end);
    // PostgreSQL has committed when it says so, and not when it answers what was sent before.
    server.on('data', (chunk) => {
      const keyAt = isDisguised ? chunk.indexOf(BACKEND_KEY) : -1;
      if (keyAt !== -1) chunk.writeInt32BE(NO_PROCESS, keyAt + BACKEND_KEY.length);
      const isReady = isReadyTheEnd && chunk.includes(READY);
      if (isReady) isReadyTheEnd = false;
      if (cut === undefined) client.write(isReady ? Buffer.concat([chunk, FATAL]) : chunk);
      // What was answered before it arrives: without it more than the answer to COMMIT would be lost.
      else if (chunk.includes(cut)) client.write(chunk.subarray(0, chunk.indexOf(cut)), end);
      else client.write(chunk);
    });
    client.on('data', (chunk) => {
      const { fault, statement } = next && chunk.includes(`${next.statement}\0`) ? next : NO_FAULT;
      if (fault !== undefined) next = undefined;
      if (fault === 'answer is lost') cut = statement === COMMIT ? COMMITTED : READY;
      if (fault === 'answer is held') freeze();
      if (fault === 'commit is lost') end();
      else server.write(chunk);
    });
    if (isFrozen) hold(pair);
  }

  function freeze(): void {
    isFrozen = true;
    for (const pair of pairs) hold(pair);
  }

  const listener = createServer(forward);
  await once(listener.listen(0, '127.0.0.1'), 'listening');
  const { port } = listener.address() as AddressInfo;
  const drop = (): void => {
    for (const { client, server } of pairs) void [client.resetAndDestroy(), server.destroy()];
  };
  t.after(async () => {
    drop();
    listener.close();
  });
  return {
    url: `postgresql://offplan@127.0.0.1:${port}${target.pathname}`,
    disguise: () => void (isDisguised = true),
    breakNextCommit: (fault, statement = COMMIT) => void (next = { fault, statement }),
    endNextWhenReady: () => void (isReadyTheEnd = true),
    freeze,
    thaw: () => {
      isFrozen = false;
      for (const { client, server } of pairs) void [client.resume(), server.resume()];
    },
    strand: () => {
      for (const pair of pairs) hold(pair);
    },
    drop,
    refuse: () => void listener.close(),
    accept: async () => void (await once(listener.listen(port, '127.0.0.1'), 'listening')),
  };
}

function hold({ client, server }: Pair): void {
  client.pause();
  server.pause();
}

const COMMIT = 'commit';
const COMMITTED = Buffer.from('C\0\0\0\u000bCOMMIT\0', 'latin1');
const NO_FAULT = { fault: undefined, statement: undefined };

/** ReadyForQuery, outside a transaction. */
const READY = Buffer.from('Z\0\0\0\u0005I', 'latin1');
/** BackendKeyData, which ends with the process id and a secret. */
const BACKEND_KEY = Buffer.from('K\0\0\0\u000c', 'latin1');
const NO_PROCESS = 1;
const FATAL = fatal('57P01', 'terminating connection due to administrator command');

/** An ErrorResponse. */
function fatal(code: string, message: string): Buffer {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C${code}\0M${message}\0\0`);
  const head = Buffer.alloc(5);
  head.write('E');
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}

export interface FaultyDatabase extends Pick<Line, 'breakNextCommit'> {
  pool: Pool;
}

/** A pool on a database through a line that can break in COMMIT. */
export async function faultyDatabase(t: Cleaner, db: Pool): Promise<FaultyDatabase> {
  const { url, breakNextCommit } = await faultyLine(t, db);
  const pool = openPool(url, () => undefined);
  t.after(() => pool.end());
  return { pool, breakNextCommit };
}
