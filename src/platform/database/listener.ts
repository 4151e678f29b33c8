import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Timeouts } from './timeouts.ts';

const RECONNECT_AFTER_MS = 1_000;
const CONNECT_TIMEOUT_MS = 5_000;
const CLOSE_TIMEOUT_MS = 1_000;

/** Listens to a channel of NOTIFY until it is closed. */
export interface Listener {
  close: () => Promise<void>;
}

/** Calls a function with the payload of each NOTIFY on a channel. */
export type Listen = (channel: string, onNotify: (payload: string) => void) => Listener;

/**
 * Listens to a channel on a connection of its own, and connects again when it is lost. Meanwhile notifications are lost, and a
 * pooler in transaction mode passes none on. So a notification may only tell the service to look earlier than it would anyway.
 */
export function openListener(
  connection: pg.ClientConfig,
  { statementTimeoutMs, lockTimeoutMs, idleTransactionTimeoutMs = 0 }: Timeouts,
  channel: string,
  onNotify: (payload: string) => void,
): Listener {
  const closing = new AbortController();
  const { signal } = closing;
  let client: pg.Client | undefined;

  async function listen(): Promise<void> {
    const opened = new pg.Client({
      ...connection,
      application_name: 'offplan',
      keepAlive: true,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      statement_timeout: statementTimeoutMs,
      lock_timeout: lockTimeoutMs,
      idle_in_transaction_session_timeout: idleTransactionTimeoutMs,
    });
    client = opened;
    const ended = new Promise<void>((resolve) => void opened.once('end', resolve));
    // Without a listener, the error of a broken connection would end the process.
    opened.on('error', () => undefined);
    opened.on('notification', ({ payload = '' }) => onNotify(payload));
    await opened.connect();
    await opened.query(`listen ${channel}`);
    await ended;
  }

  async function listenAgain(): Promise<void> {
    while (!signal.aborted) {
      await listen().catch(() => end(client));
      await sleep(RECONNECT_AFTER_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  void listenAgain();
  return {
    async close() {
      closing.abort();
      await end(client);
    },
  };
}

/** Ends a connection. It waits only a moment for a server that does not answer. */
async function end(client: pg.Client | undefined): Promise<void> {
  const ending = client?.end().catch(() => undefined);
  await Promise.race([ending, sleep(CLOSE_TIMEOUT_MS, undefined, { ref: false })]);
}
