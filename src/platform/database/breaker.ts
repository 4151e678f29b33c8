import type { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import pg from 'pg';

/** A connection of the pool. */
interface Watched {
  /** How many bytes the driver had sent when PostgreSQL had answered all of them. */
  answeredBytes: number;
  readBytes: number;
  /** For how many ticks a statement has waited without a byte from PostgreSQL. */
  silentTicks: number;
}

const TICKS_BEFORE_PROBE = 2;
const TICKS_BEFORE_OPEN = 4;

/**
 * A circuit breaker for a pool. When a statement waits, it probes PostgreSQL on a new connection. When neither the probe
 * nor another connection gets an answer, it opens: it destroys all connections, and probes until PostgreSQL answers.
 * It counts ticks instead of time, so that a process that was paused does not take its own pause for silence.
 */
export class Breaker {
  /** While open, the pool rejects work at once. */
  isOpen = false;
  /** Set this after a failure to connect, to start a probe. */
  isProbeWanted = false;
  readonly #config: pg.ClientConfig;
  readonly #clients = new Map<pg.Client, Watched>();
  readonly #timer: NodeJS.Timeout;
  #probe: pg.Client | undefined;
  #probeTicks = 0;

  /** Opens after PostgreSQL has sent nothing for at most `silenceMs`. */
  constructor(pool: pg.Pool, config: pg.ClientConfig, silenceMs: number) {
    this.#config = { ...config, connectionTimeoutMillis: silenceMs };
    pool.on('connect', (client) => this.#watch(client));
    pool.on('remove', (client) => this.#clients.delete(client));
    const tickMs = silenceMs / (TICKS_BEFORE_PROBE + TICKS_BEFORE_OPEN);
    this.#timer = setInterval(() => this.#tick(), tickMs).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
    if (this.#probe !== undefined) this.#destroy([this.#probe]);
  }

  #watch(client: pg.Client): void {
    const watched = { answeredBytes: NaN, readBytes: NaN, silentTicks: 0 };
    this.#clients.set(client, watched);
    client.on('drain', () => (watched.answeredBytes = socketOf(client).bytesWritten));
  }

  #tick(): void {
    const isHeard = [...this.#clients].map(countSilence).includes(true);
    if (this.#probe === undefined) {
      if (this.isOpen || this.isProbeWanted || this.#findSilent().length > 0) void this.#runProbe();
      return;
    }
    this.#probeTicks = isHeard ? 0 : this.#probeTicks + 1;
    if (this.#probeTicks < TICKS_BEFORE_OPEN) return;
    this.isOpen = true;
    this.#destroy([...this.#clients.keys(), this.#probe]);
  }

  async #runProbe(): Promise<void> {
    const probe = (this.#probe = new pg.Client(this.#config));
    this.#probeTicks = 0;
    this.isProbeWanted = false;
    // Without a listener a connection that breaks would end the process.
    probe.on('error', () => undefined);
    try {
      await probe.connect();
      this.#destroy(await this.#findLost(probe, this.#findSilent()));
      this.isOpen = false;
    } catch {
      // A refusal is an answer as well: the next request gets the same one.
      if (this.#probeTicks < TICKS_BEFORE_OPEN) this.isOpen = false;
    } finally {
      this.#probe = undefined;
      this.#destroy([probe]);
    }
  }

  #findSilent(): pg.Client[] {
    const silent = [...this.#clients].filter(([, each]) => each.silentTicks >= TICKS_BEFORE_PROBE);
    return silent.map(([client]) => client);
  }

  /** Finds connections on which each side waits for the other: a statement or its answer was lost. */
  async #findLost(probe: pg.Client, silent: pg.Client[]): Promise<pg.Client[]> {
    const { rows } = await probe.query<{ own: number; working: number[] }>(
      `select pg_backend_pid() as own, array(
        select pid from pg_stat_activity where pid = any($1) and state not like 'idle%') as working`,
      [silent.map(pidOf)],
    );
    const [{ own, working } = { own: 0, working: [] }] = rows;
    // Behind a pooler the driver knows only ids that the pooler has made.
    if (own !== pidOf(probe)) return [];
    // Node reads the answers that have arrived meanwhile.
    await nextTurn();
    return silent.filter((client) => {
      const { bytesRead, writableLength } = socketOf(client);
      const isStillSilent = this.#clients.get(client)?.readBytes === bytesRead;
      return isStillSilent && writableLength === 0 && !working.includes(pidOf(client));
    });
  }

  #destroy(clients: pg.Client[]): void {
    for (const client of clients) {
      this.#clients.delete(client);
      socketOf(client).destroy();
    }
  }
}

/** Counts a tick of a connection. Returns whether bytes have arrived since the last tick. */
function countSilence([client, watched]: [pg.Client, Watched]): boolean {
  const { bytesRead, bytesWritten } = socketOf(client);
  const isHeard = bytesRead !== watched.readBytes;
  const isWaiting = bytesWritten !== watched.answeredBytes;
  watched.readBytes = bytesRead;
  watched.silentTicks = isWaiting && !isHeard ? watched.silentTicks + 1 : 0;
  return isHeard;
}

function socketOf({ connection }: pg.Client): Socket {
  return connection.stream as Socket;
}

function pidOf(client: pg.Client): number {
  return (client as unknown as { processID: number }).processID;
}
