import { setImmediate } from 'node:timers/promises';
import type { Outcome, Submission } from './submission.ts';
import type { TakeTurn } from '../platform/queue/index.ts';

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
  /** How many submissions of an account go together at the most. */
  batchMaxOf: (accountId: string) => number;
}

/** Answers that are written before others have their turn of the event loop: those who get them all come back. */
const ANSWERED_AT_ONCE = 8;

/** How long a batch waits for as many as the last one left here. */
const GATHERING_MS = 1;

/** From so many in flight on, an account's leads go in two batches, so that Node works while PostgreSQL does. */
const TWO_BATCHES_FROM = 8;

/** An account whose leads are on their way. */
interface Line {
  waiting: Waiting[];
  /** How many wait, or are in a batch. */
  inFlight: number;
  /** How many batches run, or have their turn to come. */
  batches: number;
  /** How many make a batch that does not wait for more. */
  enough: number;
  /** Begins the batch that waits for so many, if there is one. */
  begin: (() => void) | null;
}

/**
 * Submissions of one account that arrive while its batches run wait and form the next one, so that under load they
 * share a transaction and a flush to disk. Clients that send one lead after the other come back together: waiting a
 * moment for all of them halves the batches (measured at 8 in flight: a fifth more leads a second).
 */
export function createImportQueue({ importAll, takeTurn, batchMaxOf }: QueueParts) {
  const lines = new Map<string, Line>();

  async function run(accountId: string, line: Line): Promise<void> {
    if (line.waiting.length < line.enough) await gather(line);
    const batchMax = batchMaxOf(accountId);
    const batch = take(line.waiting, batchMax);
    if (batch.length > 0) await importBatch(accountId, batch);
    // As many as were in flight, since those who are answered now may well send their next.
    const { inFlight } = line;
    line.enough = Math.min(inFlight < TWO_BATCHES_FROM ? inFlight : inFlight >> 1, batchMax);
    line.inFlight -= batch.length;
    line.batches -= 1;
    const mayComeBack = batch.length > 0 && inFlight > 1;
    if (line.begin === null && (mayComeBack || line.waiting.length > 0)) schedule(accountId, line);
    else if (line.batches === 0) lines.delete(accountId);
  }

  async function importBatch(accountId: string, batch: Waiting[]): Promise<void> {
    const submissions = batch.map(({ submission }) => submission);
    const results = await importAll(accountId, submissions).catch((error: unknown) =>
      batch.map(() => error as Error),
    );
    for (const [index, { settle }] of batch.entries()) {
      settle(results[index] ?? new Error('a submission of a batch has no result'));
      if (index % ANSWERED_AT_ONCE === ANSWERED_AT_ONCE - 1) await setImmediate();
    }
  }

  function schedule(accountId: string, line: Line): void {
    line.batches += 1;
    void takeTurn(accountId, () => run(accountId, line));
  }

  /** Imports one submission, in a batch with those that wait beside it. Never rejects. */
  function enqueue(accountId: string, submission: Submission): Promise<Outcome[] | Error> {
    return new Promise((settle) => {
      const line = lines.get(accountId) ?? newLine();
      lines.set(accountId, line);
      line.waiting.push({ submission, settle });
      line.inFlight += 1;
      const isEnough = line.waiting.length >= line.enough;
      const batchesMax = isEnough && line.inFlight >= TWO_BATCHES_FROM ? 2 : 1;
      if (isEnough && line.begin !== null) line.begin();
      else if (line.batches < batchesMax) schedule(accountId, line);
    });
  }

  /** How many of an account have no batch yet. */
  const waitingOf = (accountId: string): number => lines.get(accountId)?.waiting.length ?? 0;

  return { enqueue, waitingOf };
}

const newLine = (): Line => ({
  waiting: [],
  inFlight: 0,
  batches: 0,
  enough: 1,
  begin: null,
});

async function gather(line: Line): Promise<void> {
  await new Promise<void>((resolve) => {
    const begin = (): void => {
      clearTimeout(timer);
      line.begin = null;
      resolve();
    };
    const timer = setTimeout(begin, GATHERING_MS);
    line.begin = begin;
  });
}

function take(all: Waiting[], batchMax: number): Waiting[] {
  let weight = 0;
  const full = all.findIndex(({ submission }) => (weight += weigh(submission)) > BATCH_LENGTH_MAX);
  return all.splice(0, Math.min(batchMax, full === -1 ? batchMax : Math.max(full, 1)));
}

function weigh({ imports }: Submission): number {
  return imports.reduce((sum, { payload }) => sum + payload.length, 0);
}
