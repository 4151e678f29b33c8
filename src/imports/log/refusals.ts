import { recordEvents } from '../../accounts/index.ts';
import type { AuthoredEvents } from '../../events/index.ts';
import { runInTransaction, type Pool } from '../../platform/database/index.ts';
import type { Problem } from '../../platform/http/index.ts';
import type { Import } from '../submission.ts';
import { makeRefusedRecords } from './record.ts';
import { addRefusedBytes, createRefusedLimit, findRefusedBytes } from './refused-bytes.ts';
import { writeRecords } from './store.ts';

/** Makes the event of an import that a problem refused. */
export function makeRefusal({ id, author }: Import, { code }: Problem): AuthoredEvents {
  return { author, events: [{ type: 'import.refused', subject: id, data: { code } }] };
}

/** Logs imports that one problem refused before, or outside of, their transaction. `maxBytes` null: without a limit. */
export async function logRefusals(
  db: Pool,
  accountId: string,
  imports: Import[],
  problem: Problem,
  maxBytes: number | null,
): Promise<void> {
  const records = makeRefusedRecords(problem, imports);
  const limit =
    maxBytes === null ? null : createRefusedLimit(await findRefusedBytes(db, accountId), maxBytes);
  const now = new Date();
  const events = imports.map((each) => makeRefusal(each, problem));
  await runInTransaction(db, async (tx) => {
    await Promise.all([
      recordEvents(tx, accountId, events, { now, rows: 0 }),
      writeRecords(tx, accountId, limit?.apply(records) ?? records),
      limit && addRefusedBytes(tx, accountId, limit.addedBytes),
    ]);
  });
}
