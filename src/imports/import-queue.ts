import { isUnavailable, type FindPool } from '../platform/database/index.ts';
import { Problem } from '../platform/http/index.ts';
import { createBatcher, createFairQueue } from '../platform/queue/index.ts';
import { IMPORT_ASKED, IMPORTS } from '../platform/telemetry/index.ts';
import { importAll } from './import-all.ts';
import type { Import, Imported, Origin, Outcome, Result, Submission } from './submission.ts';

/** Transactions of imports that run at once. */
const SLOTS = { slots: 4, slotsPerAccount: 2 };
/**
 * The most single leads that share a transaction, and the most characters of their payloads, which PostgreSQL reads as one
 * document.
 */
const BATCH = { maxItems: 200, maxWeight: 1024 * 1024 };

/** The way in which the work of a request gets a slot of its account. */
export interface SlotUse {
  run: <T>(accountId: string, work: () => Promise<T>) => Promise<T>;
  /** Imports a submission. Throws when it was refused as a whole, or could not be stored. */
  submit: (accountId: string, submission: Submission) => Promise<Imported>;
}

export interface ImportQueue {
  /** Waits for the next slot. Submissions that wait share a transaction. */
  inNextSlot: SlotUse;
  /** Works in the slot that the request has already. */
  inOwnSlot: SlotUse;
  /** Counts the imports of a request that is refused as a whole. */
  countRefused: (imports: Import[], code: string) => void;
  /** Counts the submissions that wait for their transaction, or are in it. */
  countPending: () => number;
}

interface QueueOptions {
  /** Finds the pool that imports the leads of an account. */
  findPool: FindPool;
  /** How many bytes of refused imports each account may keep in its log. */
  refusedBytesMax: number;
  /** Receives each import of a request that was not a dry run, with its outcome. */
  countImport?: ((channel: Origin['channel'], outcome: string) => void) | undefined;
}

/** Creates the queue of the imports over HTTP. It shares its slots between accounts. */
export function createImportQueue({
  findPool,
  refusedBytesMax,
  countImport,
}: QueueOptions): ImportQueue {
  let pending = 0;
  const runFair = createFairQueue(SLOTS);

  function importTraced(accountId: string, submissions: Submission[]): Promise<Result[]> {
    const run = async () =>
      importAll(await findPool(accountId), accountId, submissions, { refusedBytesMax });
    return IMPORTS.hasSubscribers ? IMPORTS.tracePromise(run, { submissions }) : run();
  }

  const addToBatch = createBatcher<Submission, Result>({
    runInSlot: runFair,
    run: importTraced,
    weigh: ({ imports }) => imports.reduce((sum, { payload }) => sum + payload.length, 0),
    ...BATCH,
  });

  function count(imports: Import[], codeOf: (index: number) => string): void {
    for (const [index, { origin }] of imports.entries())
      countImport?.(origin.channel, codeOf(index));
  }

  /** Waits for the result of a submission, and counts its imports. */
  async function submit(
    submission: Submission,
    getResult: () => Promise<Result | undefined>,
  ): Promise<Imported> {
    const { imports } = submission;
    pending += 1;
    IMPORT_ASKED.publish(submission);
    try {
      const result = await getResult();
      if (result === undefined || result instanceof Error) {
        const error = result ?? new Error('a submission has no result');
        if (!(error instanceof Problem))
          count(imports, () => (isUnavailable(error) ? 'unavailable' : 'internal_error'));
        throw error;
      }
      count(imports, (index) => outcomeCode(result.outcomes[index]));
      return result;
    } finally {
      pending -= 1;
    }
  }

  return {
    inNextSlot: {
      run: runFair,
      submit: (accountId, submission) =>
        submit(submission, () => addToBatch(accountId, submission)),
    },
    inOwnSlot: {
      run: (_accountId, work) => work(),
      submit: (accountId, submission) =>
        submit(submission, async () => (await importTraced(accountId, [submission]))[0]),
    },
    countRefused: (imports, code) => count(imports, () => code),
    countPending: () => pending,
  };
}

function outcomeCode(outcome: Outcome | undefined): string {
  return outcome instanceof Problem ? outcome.code : (outcome?.action ?? 'internal_error');
}
