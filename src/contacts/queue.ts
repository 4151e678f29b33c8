import type { Lead } from './lead.ts';
import type { Outcome } from './import.ts';

interface Waiting {
  lead: Lead;
  settle: (outcome: Outcome) => void;
}

/** Characters of notes that go together; PostgreSQL reads a batch as one document. */
const BATCH_NOTES_MAX = 8 * 1024 * 1024;

type ImportLeads = (accountId: string, leads: Lead[]) => Promise<Outcome[]>;

interface QueueLimits {
  /** How many leads go together at the most. */
  batchMax: number;
  /** How many batches, of different accounts, run at once. */
  lanes: number;
}

/**
 * Leads of one account that arrive while its batch runs wait and form the next batch, so that under load
 * they share one transaction and one flush to disk. Accounts take turns for the lanes.
 */
export function createImportQueue(importLeads: ImportLeads, { batchMax, lanes }: QueueLimits) {
  // Only accounts with leads waiting are in `waiting`; those of them that are not running are in `turns`.
  const waiting = new Map<string, Waiting[]>();
  const running = new Set<string>();
  const turns: string[] = [];

  function next(): void {
    while (running.size < lanes) {
      const accountId = turns.shift();
      if (accountId === undefined) return;
      void run(accountId);
    }
  }

  async function run(accountId: string): Promise<void> {
    const batch = take(accountId);
    running.add(accountId);
    const outcomes = await importLeads(
      accountId,
      batch.map(({ lead }) => lead),
    ).catch((error: unknown) => batch.map(() => error as Error));
    running.delete(accountId);
    if (waiting.has(accountId)) turns.push(accountId);
    next();
    for (const [index, { settle }] of batch.entries())
      settle(outcomes[index] ?? new Error('a lead of a batch has no outcome'));
  }

  function take(accountId: string): Waiting[] {
    const all = waiting.get(accountId) ?? [];
    let weight = 0;
    const full = all.findIndex(({ lead }) => (weight += lead.note?.length ?? 0) > BATCH_NOTES_MAX);
    const batch = all.splice(0, Math.min(batchMax, full === -1 ? batchMax : Math.max(full, 1)));
    if (all.length === 0) waiting.delete(accountId);
    return batch;
  }

  function join(accountId: string, each: Waiting): void {
    const others = waiting.get(accountId);
    if (others !== undefined) {
      others.push(each);
      return;
    }
    waiting.set(accountId, [each]);
    if (running.has(accountId)) return;
    turns.push(accountId);
    next();
  }

  /** Imports one lead, in a batch with those that wait beside it. Never rejects. */
  return function enqueue(accountId: string, lead: Lead): Promise<Outcome> {
    return new Promise((settle) => {
      join(accountId, { lead, settle });
    });
  };
}
