import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import { openPool, type Pool } from '../../src/platform/database/index.ts';
import { databaseUrl, type Cleaner } from './harness.ts';

const SOCKET_NAME = '.s.PGSQL.5432';

type Fault = 'commit is lost' | 'answer is lost' | 'answer is held' | 'connection is lost';

/** A TCP proxy in front of a database that can break. */
export interface FaultyProxy {
  /** The DATABASE_URL of the database through the proxy. */
  url: string;
  /**
   * Breaks the connection at the next COMMIT: before PostgreSQL gets it (`commit is lost`), or before its answer arrives (`answer
   * is lost`). With `answer is held`, the proxy freezes instead. With `connection is lost`, nothing passes, and neither side
   * notices.
   */
  breakNextCommit: (fault: Fault) => void;
  /** Sends FATAL to the next new connection, in one packet with ReadyForQuery. */
  endNextWhenReady: () => void;
  /** Forwards nothing, but accepts new connections, as the kernel does for a stopped process. */
  freeze: () => void;
  /** Forwards everything again, including what was held back. */
  thaw: () => void;
  /** Forwards nothing more on the existing connections, without closing them. New ones work. */
  strand: () => void;
  /**
   * Delays the next statement by which the circuit breaker looks for lost connections. When the statement has arrived, the
   * promise resolves to a function that forwards it, and then waits until its answer has been forwarded.
   */
  delayNextSearch: () => Promise<() => Promise<void>>;
  /** Gives new connections another process id than PostgreSQL's own, as a pooler does. */
  disguise: () => void;
  /** Returns the parameters that each connection so far began with. */
  parameters: () => Record<string, string>[];
  /** Resets all connections. */
  drop: () => void;
  /** Refuses new connections. */
  refuse: () => void;
  /** Accepts new connections again. */
  accept: () => Promise<void>;
  /** Works again, and resets all connections, so that PostgreSQL ends their transactions. */
  reset: () => Promise<void>;
}

interface Pair {
  client: Socket;
  server: Socket;
  /** Nothing passes any more, and neither side notices when the other one closes its end. */
  isLost: boolean;
}

/** Connects to the PostgreSQL of a URL, over its socket or TCP. */
function connectTo({ hostname, port, searchParams }: URL): Socket {
  const folder = searchParams.get('host');
  return folder === null ? connect(Number(port), hostname) : connect(join(folder, SOCKET_NAME));
}

/** Starts a proxy to the database of `db`. */
export async function startFaultyProxy(t: Cleaner, db: Pool): Promise<FaultyProxy> {
  const target = new URL(await databaseUrl(db), 'postgresql://x');
  const user = target.username || (target.searchParams.get('user') ?? '');
  const pairs = new Set<Pair>();
  let isFrozen = false;
  let shouldEndWhenReady = false;
  let isDisguised = false;
  let nextFault: Fault | undefined;
  let delaySearch: ((forwardIt: () => Promise<void>) => void) | undefined;
  const begun: Record<string, string>[] = [];

  function forward(client: Socket): void {
    const server = connectTo(target);
    const pair = { client, server, isLost: false };
    let cut: Buffer | undefined;
    pairs.add(pair);
    const end = () => pair.isLost || [client.destroy(), server.destroy(), pairs.delete(pair)];
    for (const side of [client, server]) side.on('error', end).on('close', end);
    // PostgreSQL has committed when it answers COMMIT, not when it answers earlier statements.
    server.on('data', (chunk) => {
      const keyAt = isDisguised ? chunk.indexOf(BACKEND_KEY) : -1;
      if (keyAt !== -1) chunk.writeInt32BE(NO_PROCESS, keyAt + BACKEND_KEY.length);
      const isReady = shouldEndWhenReady && chunk.includes(READY);
      if (isReady) shouldEndWhenReady = false;
      if (cut === undefined) client.write(isReady ? Buffer.concat([chunk, FATAL]) : chunk);
      // Earlier answers arrive, so that only the answer to COMMIT is lost.
      else if (chunk.includes(cut)) client.write(chunk.subarray(0, chunk.indexOf(cut)), end);
      else client.write(chunk);
    });
    client.once('data', (chunk) => void begun.push(readParameters(chunk)));
    client.on('data', (chunk) => {
      const fault = chunk.includes(COMMIT) ? nextFault : undefined;
      if (fault !== undefined) nextFault = undefined;
      if (fault === 'answer is lost') cut = COMMITTED;
      if (fault === 'answer is held') freeze();
      if (delaySearch !== undefined && chunk.includes(SEARCH)) {
        delaySearch(async () => {
          server.write(chunk);
          await once(server, 'data');
        });
        delaySearch = undefined;
      } else if (fault === 'commit is lost') end();
      else if (fault === 'connection is lost') {
        server.write(chunk.subarray(0, chunk.indexOf(COMMIT)));
        lose(pair);
      } else server.write(chunk);
    });
    if (isFrozen) pause(pair);
  }

  function freeze(): void {
    isFrozen = true;
    for (const pair of pairs) pause(pair);
  }

  const listener = createServer(forward);
  await once(listener.listen(0, '127.0.0.1'), 'listening');
  const { port } = listener.address() as AddressInfo;
  const drop = (): void => {
    for (const pair of pairs) {
      pair.isLost = false;
      pair.client.resetAndDestroy();
      pair.server.destroy();
    }
  };
  const accept = async () => {
    if (!listener.listening) await once(listener.listen(port, '127.0.0.1'), 'listening');
  };
  t.after(async () => {
    drop();
    listener.close();
  });
  return {
    url: `postgresql://${user}:${target.password}@127.0.0.1:${port}${target.pathname}`,
    parameters: () => begun,
    delayNextSearch: () => new Promise((resolve) => (delaySearch = resolve)),
    disguise: () => void (isDisguised = true),
    breakNextCommit: (fault) => void (nextFault = fault),
    endNextWhenReady: () => void (shouldEndWhenReady = true),
    freeze,
    thaw: () => {
      isFrozen = false;
      for (const { client, server } of pairs) void [client.resume(), server.resume()];
    },
    strand: () => {
      for (const pair of pairs) lose(pair);
    },
    drop,
    refuse: () => void listener.close(),
    accept,
    reset: async () => {
      isFrozen = false;
      nextFault = undefined;
      isDisguised = false;
      shouldEndWhenReady = false;
      delaySearch = undefined;
      drop();
      await accept();
    },
  };
}

function pause({ client, server }: Pair): void {
  client.pause();
  server.pause();
}

function lose(pair: Pair): void {
  pair.isLost = true;
  pause(pair);
}

/** Reads the parameters out of a StartupMessage: pairs of texts, after the length and the version of the protocol. */
function readParameters(message: Buffer): Record<string, string> {
  const pairs = message.toString('latin1', 8).matchAll(/([^\0]+)\0([^\0]*)\0/g);
  return Object.fromEntries(Array.from(pairs, ([, name = '', value = '']) => [name, value]));
}

/** A name in the statement by which the circuit breaker looks for lost connections. */
const SEARCH = Buffer.from('busyPids');
const COMMIT = Buffer.from('Q\0\0\0\u000bcommit\0', 'latin1');
const COMMITTED = Buffer.from('C\0\0\0\u000bCOMMIT\0', 'latin1');

/** ReadyForQuery, outside a transaction. */
const READY = Buffer.from('Z\0\0\0\u0005I', 'latin1');
/** BackendKeyData: a process id and a secret follow. */
const BACKEND_KEY = Buffer.from('K\0\0\0\u000c', 'latin1');
const NO_PROCESS = 1;
const FATAL = fatal('57P01', 'terminating connection due to administrator command');

/** Makes an ErrorResponse. */
function fatal(code: string, message: string): Buffer {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C${code}\0M${message}\0\0`);
  const head = Buffer.alloc(5);
  head.write('E');
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}

export interface FaultyDatabase extends Pick<FaultyProxy, 'breakNextCommit'> {
  pool: Pool;
}

/** Opens a pool on a database through a proxy that can break in COMMIT. */
export async function faultyDatabase(t: Cleaner, db: Pool): Promise<FaultyDatabase> {
  const { url, breakNextCommit } = await startFaultyProxy(t, db);
  const pool = openPool(url, () => undefined);
  t.after(() => pool.end());
  return { pool, breakNextCommit };
}
