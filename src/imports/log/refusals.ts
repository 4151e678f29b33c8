import type { Queryable } from '../../platform/database/index.ts';
import type { Problem } from '../../platform/http/index.ts';
import type { Import } from '../submission.ts';
import { makeRefusedRecords } from './record.ts';
import { addRefusedBytes, createRefusedLimit, findRefusedBytes } from './refused-bytes.ts';
import { writeRecords } from './store.ts';

/** Logs imports that one problem refused before, or outside of, their transaction. `maxBytes` null: without a limit. */
export async function logRefusals(
  db: Queryable,
  accountId: string,
  imports: Import[],
  problem: Problem,
  maxBytes: number | null,
): Promise<void> {
  const records = makeRefusedRecords(problem, imports);
  if (maxBytes === null) return writeRecords(db, accountId, records);
  const limit = createRefusedLimit(await findRefusedBytes(db, accountId), maxBytes);
  await writeRecords(db, accountId, limit.apply(records));
  await addRefusedBytes(db, accountId, limit.addedBytes);
}
