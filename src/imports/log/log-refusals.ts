import { recordEvents } from '../../accounts/index.ts';
import { runInTransaction, type Pool } from '../../platform/database/index.ts';
import type { Problem } from '../../platform/http/index.ts';
import { makeRefusal } from '../events.ts';
import type { Import, RecordDone } from '../submission.ts';
import { makeRecords } from './record.ts';
import { addRefusedBytes, createRefusedLimit, findRefusedBytes } from './refused-bytes.ts';
import { writeRecords } from './store.ts';

interface RefusalOptions {
  /** How many bytes of refused imports the account may keep; null for no limit. */
  refusedBytesMax: number | null;
  /** Stores in the same transaction that the imports are done. */
  recordDone?: RecordDone | undefined;
}

/** Logs imports that one problem refused before their transaction, or outside of it. */
export async function logRefusals(
  db: Pool,
  accountId: string,
  imports: Import[],
  problem: Problem,
  { refusedBytesMax: maxBytes, recordDone }: RefusalOptions,
): Promise<void> {
  const records = makeRecords(imports.map((each) => ({ ...each, outcome: problem })));
  const limit =
    maxBytes === null ? null : createRefusedLimit(await findRefusedBytes(db, accountId), maxBytes);
  const now = new Date();
  const events = imports.map((each) => makeRefusal(each, problem));
  await runInTransaction(db, async (tx) => {
    await Promise.all([
      recordEvents(tx, accountId, events, { now, rows: 0 }),
      writeRecords(tx, accountId, limit?.apply(records) ?? records),
      limit && addRefusedBytes(tx, accountId, limit.addedBytes),
      recordDone?.(tx, { created: 0, merged: 0, refused: imports.length }),
    ]);
  });
}
