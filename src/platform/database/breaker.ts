import type { Socket } from 'node:net';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import pg from 'pg';

/** A connection of the pool. */
interface WatchedConnection {
  /** How many bytes the driver had sent when PostgreSQL had answered all of them. */
  answeredBytes: number;
  readBytes: number;
  /** For how many ticks a statement has waited without a byte from PostgreSQL. */
  silentTicks: number;
}

const TICKS_BEFORE_PROBE = 2;
const TICKS_BEFORE_OPEN = 4;

/**
 * Makes a circuit breaker for a pool. When a statement waits, it probes PostgreSQL on a new connection. When neither the
 * probe nor another connection gets an answer for `silenceMs` in all, it opens: it destroys all connections, and probes
 * until PostgreSQL answers. While it is open, the pool rejects work. It counts ticks instead of time, so that a process
 * that was paused does not count its own pause as silence of PostgreSQL.
 */
export function createBreaker(pool: pg.Pool, config: pg.ClientConfig, silenceMs: number) {
  const timer = setInterval(tick, silenceMs / (TICKS_BEFORE_PROBE + TICKS_BEFORE_OPEN)).unref();
  // The pool asks for a probe after it failed to connect.
  const breaker = { isOpen: false, isProbeWanted: false, stop: () => clearInterval(timer) };
  const clients = new Map<pg.Client, WatchedConnection>();
  let probe: pg.Client | undefined;
  let probeTicks = 0;

  pool.on('connect', (client) => {
    const watched = { answeredBytes: NaN, readBytes: NaN, silentTicks: 0 };
    clients.set(client, watched);
    client.on('drain', () => (watched.answeredBytes = socketOf(client).bytesWritten));
  });
  pool.on('remove', (client) => clients.delete(client));

  function tick(): void {
    const hasReceivedBytes = [...clients].map(countSilence).includes(true);
    if (probe === undefined) {
      if (breaker.isOpen || breaker.isProbeWanted || [...clients].some(isSilent)) void runProbe();
      return;
    }
    probeTicks = hasReceivedBytes ? 0 : probeTicks + 1;
    if (probeTicks < TICKS_BEFORE_OPEN) return;
    breaker.isOpen = true;
    destroy([...clients.keys(), probe]);
  }

  async function runProbe(): Promise<void> {
    const current = (probe = new pg.Client({ ...config, connectionTimeoutMillis: silenceMs }));
    probeTicks = 0;
    breaker.isProbeWanted = false;
    // Without a listener a connection that breaks would end the process. A probe does not keep the process running.
    current.on('error', () => undefined);
    socketOf(current).unref();
    try {
      await current.connect();
      destroy(await findLost(current, [...clients].filter(isSilent)));
      breaker.isOpen = false;
    } catch {
      // A refusal is an answer as well: the next request gets the same one.
      if (probeTicks < TICKS_BEFORE_OPEN) breaker.isOpen = false;
    } finally {
      probe = undefined;
      destroy([current]);
    }
  }

  function destroy(clientsToClose: pg.Client[]): void {
    for (const client of clientsToClose) {
      clients.delete(client);
      socketOf(client).destroy();
    }
  }

  return breaker;
}

/** Counts a tick of a connection. Returns whether bytes have arrived since the last tick. */
function countSilence([client, watched]: [pg.Client, WatchedConnection]): boolean {
  const { bytesRead, bytesWritten } = socketOf(client);
  const hasReceivedBytes = bytesRead !== watched.readBytes;
  const isWaiting = bytesWritten !== watched.answeredBytes;
  watched.readBytes = bytesRead;
  watched.silentTicks = isWaiting && !hasReceivedBytes ? watched.silentTicks + 1 : 0;
  return hasReceivedBytes;
}

const isSilent = ([, { silentTicks }]: [pg.Client, WatchedConnection]) =>
  silentTicks >= TICKS_BEFORE_PROBE;

/** Finds connections on which each side waits for the other: a statement or its answer was lost. */
async function findLost(
  probe: pg.Client,
  silent: [pg.Client, WatchedConnection][],
): Promise<pg.Client[]> {
  const { rows } = await probe.query<{ own: number; working: number[] }>(
    `select pg_backend_pid() as own, array(
      select pid from pg_stat_activity where pid = any($1) and state not like 'idle%') as working`,
    [silent.map(([client]) => pidOf(client))],
  );
  const [{ own, working } = { own: 0, working: [] }] = rows;
  // Behind a pooler the driver knows only ids that the pooler has made.
  if (own !== pidOf(probe)) return [];
  // Node reads the answers that have arrived meanwhile.
  await yieldToEventLoop();
  const lost = silent.filter(([client, { readBytes }]) => {
    const { bytesRead, writableLength } = socketOf(client);
    return bytesRead === readBytes && writableLength === 0 && !working.includes(pidOf(client));
  });
  return lost.map(([client]) => client);
}

const socketOf = ({ connection }: pg.Client) => connection.stream as Socket;
const pidOf = (client: pg.Client) => (client as unknown as { processID: number }).processID;
