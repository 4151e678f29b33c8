import { Problem } from '../../platform/http/index.ts';
import type { Import, Outcome } from '../submission.ts';
import type { Row } from './rows/read-rows.ts';

/* The rows of a file in batches, one transaction each. */

const BATCH_MAX_ROWS = 500;
/** A batch ends at the row with which it reaches this many characters. */
const BATCH_MAX_LENGTH = 1024 * 1024;

/** Consecutive rows that one transaction imports. */
export interface Batch {
  rows: Row[];
  imports: Import[];
  /** The emails of its leads. */
  emailKeys: Set<string>;
  /** The line after its last row. */
  nextLine: number;
  /** How many of its rows are marked as deleted. */
  deleted: number;
  outcomes: Promise<Outcome[]>;
}

/** Starts a batch when the running ones with the same emails have ended, so that the rows of an email are imported in order. */
export function startBatch(
  imports: Import[],
  running: Batch[],
  importRows: (imports: Import[]) => Promise<Outcome[]>,
): Pick<Batch, 'emailKeys' | 'outcomes'> {
  const leads = imports.flatMap(({ lead }) => (lead instanceof Problem ? [] : lead));
  const emailKeys = new Set(leads.map(({ emailKey }) => emailKey));
  const earlier = running.filter((batch) => !batch.emailKeys.isDisjointFrom(emailKeys));
  const outcomes = Promise.all(earlier.map((batch) => batch.outcomes)).then(() =>
    importRows(imports),
  );
  // The error of a batch is reported when all batches before it have finished.
  outcomes.catch(() => undefined);
  return { emailKeys, outcomes };
}

/** Groups rows, in their order, into batches. */
export async function* readBatches(rows: AsyncIterable<Row[]>): AsyncGenerator<Row[]> {
  let batch: Row[] = [];
  let length = 0;
  for await (const readRows of rows)
    for (const row of readRows) {
      batch.push(row);
      length += row.text.length;
      if (batch.length < BATCH_MAX_ROWS && length < BATCH_MAX_LENGTH) continue;
      yield batch;
      batch = [];
      length = 0;
    }
  if (batch.length > 0) yield batch;
}
