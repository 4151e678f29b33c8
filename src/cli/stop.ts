import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Server } from '../platform/http/index.ts';

/** The process exits after this time, whatever still runs: a process manager would kill it after 10 seconds. */
export const EXIT_TIMEOUT_MS = 9_000;
/** After SIGTERM the service accepts requests for this time, so that a load balancer sees `/readyz` and sends no more. */
const DRAIN_MS = 3_000;
/** After the drain, requests in flight have this time. Then they get a 503. */
const GIVE_UP_MS = 4_000;
/** Clients have this time to receive the 503. Then their connections are closed. */
const CUT_OFF_MS = 500;
const CLOSE_IDLE_MS = 100;

export interface Stop {
  /** Aborted when the service begins to stop. */
  stopping: AbortSignal;
  /** Aborted by Ctrl-C, which skips the drain. */
  hurrying: AbortSignal;
}

/** Listens for signals to stop. Call it first, so that a stop during the start is in order as well. */
export function onStopSignals(): Stop {
  const stopping = new AbortController();
  const hurrying = new AbortController();
  const stop = (signal: NodeJS.Signals): void => {
    // A process manager may send SIGTERM twice, which does not mean a hurry.
    if (signal !== 'SIGTERM') hurrying.abort();
    if (stopping.signal.aborted) return;
    stopping.abort();
    setTimeout(() => process.exit(), EXIT_TIMEOUT_MS).unref();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
  return { stopping: stopping.signal, hurrying: hurrying.signal };
}

export async function waitUntilAborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}

/** Answers the requests in flight and closes the server. At a stop it accepts requests for the time of the drain before. */
export async function drainAndClose(
  app: Server,
  { stopping, hurrying }: Stop,
  giveUp: AbortController,
): Promise<void> {
  if (stopping.aborted)
    await sleep(DRAIN_MS, undefined, { signal: hurrying }).catch(() => undefined);
  using _giveUp = setTimeout(() => giveUp.abort(), GIVE_UP_MS);
  using _cutOff = setTimeout(() => app.server.closeAllConnections(), GIVE_UP_MS + CUT_OFF_MS);
  // An answer that began before the stop keeps its connection alive. `app.close` would wait for it.
  using _closeIdle = setInterval(() => app.server.closeIdleConnections(), CLOSE_IDLE_MS);
  await app.close();
}
