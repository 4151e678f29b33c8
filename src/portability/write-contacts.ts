import { assignTagIds, writeChanges, type Changes } from '../contacts/index.ts';
import type { Queryable } from '../platform/database/index.ts';

/** Receives the number of contacts that the load has written, and the number of all contacts. */
export type OnProgress = (done: number, total: number) => void;

/** Writes the planned changes of contacts, chunk by chunk. `tagIds` has the ids of the tags by their keys. */
export async function writeContacts(
  tx: Queryable,
  accountId: string,
  chunks: { changes: Changes; size: number }[],
  tagIds: Map<string, string>,
  onProgress: OnProgress,
): Promise<void> {
  const total = chunks.reduce((sum, { size }) => sum + size, 0);
  let done = 0;
  for (const { changes, size } of chunks) {
    await writeChanges(tx, accountId, assignTagIds(changes, tagIds));
    done += size;
    onProgress(done, total);
  }
}
