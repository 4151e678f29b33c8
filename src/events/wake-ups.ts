import { AsyncLocalStorage } from 'node:async_hooks';
import { EventEmitter } from 'node:events';
import sql from 'sql-template-tag';
import { query, type Listen, type Queryable } from '../platform/database/index.ts';
import { newId } from '../platform/text/index.ts';

const CHANNEL = 'offplan_events';
/** The shortest time between two notifications of a process: a COMMIT with NOTIFY locks the whole PostgreSQL server. */
const MERGE_MS = 50;
/** The most accounts in one notification: PostgreSQL limits its payload to less than 8,000 bytes. */
const ACCOUNTS_MAX = 200;

/**
 * Wakes the readers that wait for events, in this process and in others. A wake-up only saves time: readers also look for events at
 * intervals, because a notification can be lost.
 */
export interface WakeUps {
  /** Says that events of an account may have been committed. The caller's transaction has ended. */
  publish: (accountId: string) => void;
  /** Calls a function with each account that may have new events. */
  subscribe: (onEvents: (accountId: string) => void) => void;
  /** Waits until an account may have new events, but at most `ms`, or until the signal aborts. */
  wait: (accountId: string, ms: number, signal: AbortSignal) => Promise<void>;
  close: () => Promise<void>;
}

/** Creates the wake-ups of a process. Without `listen`, it gets none from other processes. */
export function createWakeUps(db: Queryable, listen?: Listen): WakeUps {
  const processId = newId();
  const emitter = new EventEmitter().setMaxListeners(0);
  const unpublished = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  /** Runs a function outside of the async context of the request that wrote: in traces, the woken work must not belong to it. */
  const runOutside = AsyncLocalStorage.snapshot();

  function wake(accountIds: string[]): void {
    for (const accountId of accountIds) {
      emitter.emit('events', accountId);
      emitter.emit(accountId);
    }
  }

  /** Notifies the readers of up to `ACCOUNTS_MAX` published accounts, and sets the timer for the next ones. */
  function flush(): void {
    timer = undefined;
    const accountIds = [...unpublished].slice(0, ACCOUNTS_MAX);
    if (accountIds.length === 0) return;
    timer = setTimeout(flush, MERGE_MS).unref();
    for (const accountId of accountIds) unpublished.delete(accountId);
    wake(accountIds);
    const payload = [processId, ...accountIds].join(' ');
    query(db, 'events_notify', sql`select pg_notify(${CHANNEL}, ${payload})`).catch(
      () => undefined,
    );
  }

  const listener = listen?.(CHANNEL, (payload) => {
    const [sender, ...accountIds] = payload.split(' ');
    if (sender !== processId) wake(accountIds);
  });

  return {
    publish(accountId) {
      unpublished.add(accountId);
      if (timer === undefined) runOutside(flush);
    },
    subscribe: (onEvents) => void emitter.on('events', onEvents),
    wait: (accountId, ms, signal) =>
      new Promise((resolve) => {
        function end(): void {
          clearTimeout(endTimer);
          emitter.off(accountId, end);
          signal.removeEventListener('abort', end);
          resolve();
        }
        const endTimer = setTimeout(end, signal.aborted ? 0 : ms);
        emitter.once(accountId, end);
        signal.addEventListener('abort', end, { once: true });
      }),
    async close() {
      clearTimeout(timer);
      await listener?.close();
    },
  };
}
