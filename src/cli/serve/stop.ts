import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Server } from '../../platform/http/index.ts';
import { STOP_SIGNALS } from '../../platform/signals/index.ts';

/** The process exits after this time, even when requests are in flight: a process manager would kill it after 10 s. */
export const EXIT_TIMEOUT_MS = 9_000;
/** After SIGTERM or SIGQUIT the service accepts requests for this time. Meanwhile a load balancer sees that `/readyz` fails. */
const DRAIN_MS = 3_000;
/** After the drain, the service answers 503 to requests that are still in flight after this time. */
const GIVE_UP_MS = 4_000;
/** The service closes the connections of clients that have not received the 503 after this time. */
const CUT_OFF_MS = 500;

/** The signals of an orderly stop. */
export interface StopSignals {
  /** Aborted when the service begins to stop. */
  stopping: AbortSignal;
  /** Aborted by Ctrl-C or SIGHUP, which skip the drain. */
  skippingDrain: AbortSignal;
}

/** Listens for signals to stop. Call it first, so that the process also stops in order during its start. */
export function onStopSignals(): StopSignals {
  const stopping = new AbortController();
  const skippingDrain = new AbortController();
  const stop = (signal: NodeJS.Signals): void => {
    // A process manager may send SIGTERM or SIGQUIT twice. Only Ctrl-C (SIGINT) and SIGHUP skip the drain.
    if (signal === 'SIGINT' || signal === 'SIGHUP') skippingDrain.abort();
    if (stopping.signal.aborted) return;
    stopping.abort();
    setTimeout(exitAtOnce, EXIT_TIMEOUT_MS).unref();
  };
  for (const signal of STOP_SIGNALS) process.on(signal, stop);
  return { stopping: stopping.signal, skippingDrain: skippingDrain.signal };
}

/** Exits by a SIGKILL: `process.exit` waits for the threads that read files, also while the folder of the pictures hangs. */
function exitAtOnce(): void {
  process.on('exit', () => process.kill(process.pid, 'SIGKILL'));
  process.exit();
}

/** Resolves when the signal is aborted, or at once when it already is. */
export async function waitUntilAborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}

/** Closes the server after the requests in flight. After SIGTERM or SIGQUIT it first accepts requests for `DRAIN_MS`. */
export async function drainAndClose(
  app: Server,
  { stopping, skippingDrain }: StopSignals,
  giveUp: AbortController,
): Promise<void> {
  if (stopping.aborted)
    await sleep(DRAIN_MS, undefined, { signal: skippingDrain }).catch(() => undefined);
  using _giveUp = setTimeout(() => giveUp.abort(), GIVE_UP_MS);
  using _cutOff = setTimeout(() => app.server.closeAllConnections(), GIVE_UP_MS + CUT_OFF_MS);
  await app.close();
}
