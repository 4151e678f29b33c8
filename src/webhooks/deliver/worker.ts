import { isUnavailable } from '../../platform/database/index.ts';
import { createWorker, runWithLease, type Worker } from '../../platform/jobs/index.ts';
import { newId } from '../../platform/text/index.ts';
import { listWaiting, renewLease, takeLease, type LeasedWebhook } from './store.ts';
import { runTurn, type TurnOptions } from './turn.ts';

/** The most turns that a process runs at once. A turn mostly waits for its endpoint. */
const TURNS_MAX = 100;
/** The most turns of one account, so that its slow endpoints leave turns for other accounts. */
const TURNS_MAX_PER_ACCOUNT = 20;
/** The most waiting webhooks that one query finds. It finds several, because other processes may lease some of them first. */
const CANDIDATES_MAX = 20;
/** How often a process polls for events that other processes have written. */
const POLL_EVERY_MS = 200;
/** How long a stopping process waits for the requests in flight. */
const STOP_AFTER_MS = 2_000;

interface WorkerOptions extends TurnOptions {
  leaseMs: number;
}

/**
 * Creates the worker that sends the events of all webhooks. Every process has one. The lease gives each webhook to one process at
 * a time.
 */
export function createWebhookWorker(options: WorkerOptions): Worker {
  const { db, leaseMs, onError } = options;
  const turns = new Map<string, number>();

  function report(error: unknown): void {
    if (!isUnavailable(error)) onError(error);
  }

  function countTurn(accountId: string, change: number): void {
    const count = (turns.get(accountId) ?? 0) + change;
    if (count === 0) turns.delete(accountId);
    else turns.set(accountId, count);
  }

  async function claim(accountIds: string[] | null): Promise<LeasedWebhook | undefined> {
    const now = new Date();
    const until = new Date(now.getTime() + leaseMs);
    const full = [...turns].filter(([, count]) => count >= TURNS_MAX_PER_ACCOUNT);
    const except = full.map(([accountId]) => accountId);
    const selection = { now, accountIds, except, limit: CANDIDATES_MAX };
    for (const waiting of await listWaiting(db, selection)) {
      const leased = await takeLease(db, { ...waiting, token: newId() }, { now, until });
      if (leased === undefined) continue;
      countTurn(leased.accountId, 1);
      return leased;
    }
    return undefined;
  }

  async function run(webhook: LeasedWebhook, stopping: AbortSignal): Promise<void> {
    const givingUp = new AbortController();
    const giveUp = () => void setTimeout(() => givingUp.abort(), STOP_AFTER_MS).unref();
    stopping.addEventListener('abort', giveUp, { once: true });
    const renew = (until: Date) => renewLease(db, webhook, until);
    try {
      await runWithLease({ leaseMs, renew, onError }, (leaseLost) =>
        runTurn(options, webhook, { stopping, leaseLost, givingUp: givingUp.signal }),
      );
    } catch (error) {
      // The lease expires, and then a later turn goes on.
      report(error);
    } finally {
      stopping.removeEventListener('abort', giveUp);
      countTurn(webhook.accountId, -1);
    }
  }

  return createWorker({ slots: TURNS_MAX, everyMs: POLL_EVERY_MS, claim, run, onError: report });
}
