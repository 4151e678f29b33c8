import type { Socket } from 'node:net';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import pg from 'pg';

/** The counters of one connection of the pool. */
interface WatchedConnection {
  /** The number of bytes that the driver had sent when PostgreSQL had last answered every statement. */
  answeredBytes: number;
  /** How many bytes had arrived at the last tick. */
  readBytes: number;
  /** For how many ticks a statement has waited while PostgreSQL sent no byte. */
  silentTicks: number;
}

const TICKS_BEFORE_PROBE = 2;
const TICKS_BEFORE_OPEN = 4;

/**
 * Creates a circuit breaker for a pool. When a statement waits, the breaker probes PostgreSQL on a new connection. When no
 * connection receives a byte for `silenceMs`, it opens: it destroys all connections, the pool rejects work, and it probes until
 * PostgreSQL answers. When a new connection times out meanwhile, it opens at once. It counts ticks of its timer instead of time,
 * so that a pause of this process does not count as silence of PostgreSQL.
 */
export function createBreaker(pool: pg.Pool, config: pg.ClientConfig, silenceMs: number) {
  const timer = setInterval(tick, silenceMs / (TICKS_BEFORE_PROBE + TICKS_BEFORE_OPEN)).unref();
  // The pool sets `isProbeWanted` when it cannot connect.
  const breaker = { isOpen: false, isProbeWanted: false, openWhenSilent, stop };
  const clients = new Map<pg.Client, WatchedConnection>();
  let probeClient: pg.Client | undefined;
  let probeTicks = 0;
  // The number of ticks for which no connection of the pool has received a byte.
  let silentTicks = 0;

  pool.on('connect', (client) => {
    const watched = { answeredBytes: NaN, readBytes: NaN, silentTicks: 0 };
    clients.set(client, watched);
    client.on('drain', () => (watched.answeredBytes = getSocket(client).bytesWritten));
  });
  pool.on('remove', (client) => clients.delete(client));

  function stop(): void {
    clearInterval(timer);
  }

  /** Opens when a new connection has timed out, unless another one has received bytes in the meantime. */
  function openWhenSilent(): void {
    if (silentTicks >= TICKS_BEFORE_OPEN) breaker.isOpen = true;
  }

  function tick(): void {
    const hasReceivedBytes = [...clients].map(updateSilence).includes(true);
    silentTicks = hasReceivedBytes ? 0 : silentTicks + 1;
    if (probeClient === undefined) {
      if (breaker.isOpen || breaker.isProbeWanted || [...clients].some(isSilent)) void runProbe();
      return;
    }
    probeTicks = hasReceivedBytes ? 0 : probeTicks + 1;
    if (probeTicks < TICKS_BEFORE_OPEN) return;
    breaker.isOpen = true;
    destroyConnections([...clients.keys(), probeClient]);
  }

  async function runProbe(): Promise<void> {
    const client = (probeClient = new pg.Client({ ...config, connectionTimeoutMillis: silenceMs }));
    probeTicks = 0;
    breaker.isProbeWanted = false;
    // Without a listener, the error of a broken connection would end the process. `unref` lets the process exit during a probe.
    client.on('error', () => undefined);
    getSocket(client).unref();
    try {
      await client.connect();
      const silent = [...clients].filter(isSilent).map(([each]) => each);
      destroyConnections(await findLostConnections(client, silent));
      breaker.isOpen = false;
    } catch {
      // A refused connection is an answer as well: the next request gets the same refusal.
      if (probeTicks < TICKS_BEFORE_OPEN) breaker.isOpen = false;
    } finally {
      probeClient = undefined;
      destroyConnections([client]);
    }
  }

  function destroyConnections(connections: pg.Client[]): void {
    for (const client of connections) {
      clients.delete(client);
      getSocket(client).destroy();
    }
  }

  return breaker;
}

/** Updates the counters of a connection at a tick. Returns whether bytes have arrived since the last tick. */
function updateSilence([client, watched]: [pg.Client, WatchedConnection]): boolean {
  const { bytesRead, bytesWritten } = getSocket(client);
  const hasReceivedBytes = bytesRead !== watched.readBytes;
  const isWaiting = bytesWritten !== watched.answeredBytes;
  watched.readBytes = bytesRead;
  watched.silentTicks = isWaiting && !hasReceivedBytes ? watched.silentTicks + 1 : 0;
  return hasReceivedBytes;
}

/** Whether a statement has waited for at least two ticks, and no byte has arrived since the last tick. */
const isSilent = ([client, { silentTicks, readBytes }]: [pg.Client, WatchedConnection]) =>
  silentTicks >= TICKS_BEFORE_PROBE && getSocket(client).bytesRead === readBytes;

/** Finds the connections that lost a statement or its answer: the driver waits, and PostgreSQL is idle. */
async function findLostConnections(
  probe: pg.Client,
  silentConnections: pg.Client[],
): Promise<pg.Client[]> {
  // A connection on which bytes pass during the probe works.
  const bytesBefore = silentConnections.map(countBytes);
  const { rows } = await probe.query<{ probePid: number; busyPids: number[] }>(
    `select pg_backend_pid() as "probePid", array(
      select pid from pg_stat_activity where pid = any($1) and state not like 'idle%') as "busyPids"`,
    [silentConnections.map(getPid)],
  );
  const [{ probePid, busyPids } = { probePid: 0, busyPids: [] }] = rows;
  // A connection pooler gives the driver process ids that PostgreSQL does not know.
  if (probePid !== getPid(probe)) return [];
  // Let Node read the answers that have arrived meanwhile.
  await yieldToEventLoop();
  return silentConnections.filter(
    (client, index) =>
      countBytes(client) === bytesBefore[index] &&
      getSocket(client).writableLength === 0 &&
      !busyPids.includes(getPid(client)),
  );
}

/** The bytes that the driver has read and written on a connection. */
function countBytes(client: pg.Client): number {
  const { bytesRead, bytesWritten } = getSocket(client);
  return bytesRead + bytesWritten;
}

const getSocket = ({ connection }: pg.Client) => connection.stream as Socket;
const getPid = (client: pg.Client) => (client as unknown as { processID: number }).processID;
