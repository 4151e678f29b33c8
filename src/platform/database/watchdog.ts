import type { Socket } from 'node:net';
import { setImmediate as turnOver } from 'node:timers/promises';
import pg from 'pg';
import { UnavailableError } from './errors.ts';

interface Watched {
  pool: pg.Pool;
  /** How the pool connects. */
  config: pg.ClientConfig;
  /** How many connections the pool has at the most. */
  max: number;
  /** For how long PostgreSQL may be silent before it counts as away. */
  silenceMs: number;
  /** For how long whoever asks may get nothing at all. */
  patienceMs: number;
  /** Whether no transaction may be left open: on a connection that has nothing to do, something was lost. */
  isNeverIdle: boolean;
}

export interface Watchdog {
  /** A rejection while no connection is to be had, so that nobody waits for one in vain. */
  refusal: () => Promise<never> | undefined;
  stop: () => void;
}

/** So many looks fill the time that silence may last. */
const LOOKS = 6;
const LOOKS_BEFORE_ASKING = 2;
const LOOKS_BEFORE_AWAY = LOOKS - 1;
const LOOKS_BEFORE_FULL = LOOKS - 2;
/** From so many times its interval on, a look is late. */
const LATE = 1.3;

/** What was read from a connection in use, since when it is silent, and how many looks there were since it was asked about. */
interface Seen {
  bytesRead: number;
  silentFromMs: number;
  silentLooks: number;
}

type InUse = Map<pg.PoolClient, Seen | null>;

/**
 * Tells a PostgreSQL that is away (frozen, cut off) from one that takes its time over a statement, by looking at the
 * sockets now and then, which costs the statements nothing. When nothing arrives any more, a new connection is tried:
 * while that has no answer either, PostgreSQL is away, and the connections in use are ended. When it has, only those
 * are ended on which PostgreSQL says that it has nothing to do: what we sent there has not arrived, or its answer not.
 */
export function watch(watched: Watched): Watchdog {
  const { pool, config, max, silenceMs, patienceMs, isNeverIdle } = watched;
  const inUse: InUse = new Map();
  let heard = false;
  let silentLooks = 0;
  let fullLooks = 0;
  let isAway = false;
  let asking: pg.Client | undefined;

  // Of each connection, what had been sent when all of it was answered.
  const answered = new WeakMap<pg.PoolClient, number>();
  pool.on('connect', (client) =>
    client.on('drain', () => answered.set(client, socketOf(client).bytesWritten)),
  );
  // Who works between two statements of a transaction, or rests, is silent for a reason.
  const isAsking = (client: pg.PoolClient): boolean =>
    socketOf(client).bytesWritten !== answered.get(client);

  pool.on('acquire', (client) => {
    inUse.set(client, null);
    fullLooks = 0;
  });
  pool.on('release', (error: Error | undefined, client) => {
    inUse.delete(client);
    if (error === undefined) heard = true;
  });

  const isFull = (): boolean => pool.idleCount === 0 && pool.totalCount >= max;

  let lookedMs = performance.now();

  function look(): void {
    const sinceMs = performance.now() - lookedMs;
    lookedMs += sinceMs;
    // Who comes late was kept waiting for the processor, and PostgreSQL may be, too: that is no silence.
    const isLate = sinceMs > (silenceMs / LOOKS) * LATE;
    if (lookAt(inUse, isAsking) || isLate) heard = true;
    // Behind a pooler nothing else tells.
    if (isNeverIdle && !isLate) end(silentFromBefore(inUse, lookedMs - patienceMs));
    silentLooks = heard || inUse.size === 0 ? 0 : silentLooks + 1;
    heard = false;
    if (!isFull()) fullLooks = 0;
    else if (pool.waitingCount > 0) fullLooks += 1;
    if (asking !== undefined && silentLooks >= LOOKS_BEFORE_AWAY) {
      isAway = true;
      end([...inUse.keys()]);
    }
    if (asking === undefined && (isAway || silentOf(inUse).length > 0)) void ask();
  }

  async function ask(): Promise<void> {
    const client = new pg.Client(config);
    asking = client;
    const suspects = silentOf(inUse);
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      end([client]);
    }, silenceMs);
    // Without a listener a connection that breaks would end the process.
    client.on('error', () => undefined);
    try {
      await client.connect();
      isAway = false;
      if (isNeverIdle) end(await withoutWork(client, suspects));
    } catch {
      // A refusal is an answer, too: whoever connects next is told of it.
      if (!isLate) isAway = false;
    } finally {
      clearTimeout(timer);
      asking = undefined;
      end([client]);
    }
    if (isAway) return;
    silentLooks = 0;
    for (const { seen } of suspects) seen.silentLooks = 0;
  }

  const timer = setInterval(look, silenceMs / LOOKS).unref();

  return {
    refusal: () => {
      if (isAway) return Promise.reject(new UnavailableError('the database does not answer'));
      if (fullLooks >= LOOKS_BEFORE_FULL && isFull())
        return Promise.reject(new UnavailableError('all database connections are in use'));
      return undefined;
    },
    stop: () => {
      clearInterval(timer);
      if (asking !== undefined) end([asking]);
    },
  };
}

/** Whether anything has arrived on them since the last look. */
function lookAt(inUse: InUse, isAsking: (client: pg.PoolClient) => boolean): boolean {
  let heard = false;
  for (const [client, seen] of inUse) {
    const { bytesRead } = socketOf(client);
    if (seen !== null && seen.bytesRead === bytesRead && isAsking(client)) {
      seen.silentLooks += 1;
    } else {
      if (seen !== null && seen.bytesRead !== bytesRead) heard = true;
      inUse.set(client, { bytesRead, silentFromMs: performance.now(), silentLooks: 0 });
    }
  }
  return heard;
}

interface Suspect {
  client: pg.PoolClient;
  seen: Seen;
}

function silentOf(inUse: InUse): Suspect[] {
  return [...inUse].flatMap(([client, seen]) =>
    seen !== null && seen.silentLooks >= LOOKS_BEFORE_ASKING ? [{ client, seen }] : [],
  );
}

function silentFromBefore(inUse: InUse, beforeMs: number): pg.PoolClient[] {
  return [...inUse].flatMap(([client, seen]) =>
    seen !== null && seen.silentFromMs < beforeMs ? [client] : [],
  );
}

/** Of connections that are silent, and stay so, those on which PostgreSQL does nothing or which it does not have. */
async function withoutWork(client: pg.Client, suspects: Suspect[]): Promise<pg.PoolClient[]> {
  const { rows } = await client.query<{ own: number; atWork: number[] }>(
    `select pg_backend_pid() as own, array(
      select pid from pg_stat_activity where pid = any($1) and state not like 'idle%'
    ) as "atWork"`,
    [suspects.map((each) => pidOf(each.client))],
  );
  const [{ own, atWork } = { own: 0, atWork: [] }] = rows;
  // Behind a pooler the ids are the pooler's, and say nothing.
  if (own !== pidOf(client)) return [];
  // What has arrived by now is read first.
  await turnOver();
  return suspects
    .filter((each) => socketOf(each.client).bytesRead === each.seen.bytesRead)
    .map((each) => each.client)
    .filter((each) => !atWork.includes(pidOf(each)));
}

function socketOf({ connection }: pg.Client): Socket {
  return connection.stream as Socket;
}

function pidOf(client: pg.Client): number {
  return (client as unknown as { processID: number }).processID;
}

function end(clients: pg.Client[]): void {
  for (const client of clients) socketOf(client).destroy();
}
