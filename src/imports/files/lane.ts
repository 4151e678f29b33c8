import type { Import } from '../submission.ts';
import type { Row } from './rows.ts';

/** A row on its way, and the import that it asks for. */
export interface RowImport {
  row: Row;
  request: Import;
}

/** Rows whose order is kept: while a batch of them is imported, the next one fills. */
export interface Lane {
  /** Takes a row; to be awaited when the lane says that it is full. */
  take: (each: RowImport) => Promise<void> | undefined;
  /** Imports what is left. */
  drain: () => Promise<void>;
  /** Waits for the batch under way, without another. */
  rest: () => Promise<void>;
  /** The line of the first row that was taken and is not committed. */
  firstOpenLine: () => number | undefined;
}

// What is held until it is written survives collections of garbage, each of which copies it: of 500 that was a third of
// the main thread's time.
const BATCH_MAX = 100;
/** Characters in a batch; PostgreSQL reads it as one document. */
const BATCH_LENGTH_MAX = 4 * 1024 * 1024;

export function createLane(importBatch: (batch: RowImport[]) => Promise<void>): Lane {
  let filling: RowImport[] = [];
  let length = 0;
  let running: RowImport[] = [];
  let underWay: Promise<void> = Promise.resolve();

  async function start(): Promise<void> {
    await underWay;
    if (filling.length === 0) return;
    running = filling;
    filling = [];
    length = 0;
    underWay = importBatch(running).then(() => {
      running = [];
    });
    // Whoever waits for it next is told of its failure.
    underWay.catch(() => undefined);
  }

  return {
    take(each) {
      filling.push(each);
      length += each.row.text.length;
      const isFull = filling.length >= BATCH_MAX || length >= BATCH_LENGTH_MAX;
      return isFull ? start() : undefined;
    },
    drain: async () => {
      await start();
      await underWay;
    },
    rest: () => underWay,
    // A batch that failed stays the one that runs.
    firstOpenLine: () => running[0]?.row.line ?? filling[0]?.row.line,
  };
}
