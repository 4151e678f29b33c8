import type { Outcome, Submission } from './submission.ts';
import type { TakeTurn } from './turns.ts';

interface Waiting {
  submission: Submission;
  settle: (result: Outcome[] | Error) => void;
}

/** Characters that go together; PostgreSQL reads a batch as one document. */
const BATCH_LENGTH_MAX = 8 * 1024 * 1024;

type ImportAll = (accountId: string, submissions: Submission[]) => Promise<(Outcome[] | Error)[]>;

interface QueueParts {
  importAll: ImportAll;
  takeTurn: TakeTurn;
  /** How many submissions go together at the most. */
  batchMax: number;
}

/**
 * Submissions of one account that arrive while its batch runs wait and form the next batch, so that under load
 * they share one transaction and one flush to disk.
 */
export function createImportQueue({ importAll, takeTurn, batchMax }: QueueParts) {
  // An account with a batch that runs, or that has its turn to come, has a list here.
  const waiting = new Map<string, Waiting[]>();

  async function run(accountId: string): Promise<void> {
    const batch = take(waiting.get(accountId) ?? [], batchMax);
    const results = await importAll(
      accountId,
      batch.map(({ submission }) => submission),
    ).catch((error: unknown) => batch.map(() => error as Error));
    for (const [index, { settle }] of batch.entries())
      settle(results[index] ?? new Error('a submission of a batch has no result'));
    if (waiting.get(accountId)?.length === 0) waiting.delete(accountId);
    else schedule(accountId);
  }

  function schedule(accountId: string): void {
    void takeTurn(accountId, () => run(accountId));
  }

  /** Imports one submission, in a batch with those that wait beside it. Never rejects. */
  return function enqueue(accountId: string, submission: Submission): Promise<Outcome[] | Error> {
    return new Promise((settle) => {
      const others = waiting.get(accountId);
      const each = { submission, settle };
      if (others === undefined) {
        waiting.set(accountId, [each]);
        schedule(accountId);
      } else others.push(each);
    });
  };
}

function take(all: Waiting[], batchMax: number): Waiting[] {
  let weight = 0;
  const full = all.findIndex(({ submission }) => (weight += weigh(submission)) > BATCH_LENGTH_MAX);
  return all.splice(0, Math.min(batchMax, full === -1 ? batchMax : Math.max(full, 1)));
}

function weigh({ imports }: Submission): number {
  return imports.reduce((sum, { payload }) => sum + payload.length, 0);
}
