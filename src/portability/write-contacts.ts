import { assignTagIds, writeChanges, type Changes } from '../contacts/index.ts';
import type { Queryable } from '../platform/database/index.ts';

/** Receives the number of contacts that the load has written, and the number of all contacts. */
export type OnProgress = (done: number, total: number) => void;

/** Counts the contacts that a load writes. */
export function countWritten(chunks: { changes: Changes }[]): number {
  return chunks.reduce(
    (sum, { changes }) => sum + changes.inserted.length + changes.updated.length,
    0,
  );
}

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
  let later = countWritten(chunks);
  for (const { changes, size } of chunks) {
    later -= countWritten([{ changes }]);
    await writeChanges(tx, accountId, assignTagIds(changes, tagIds), later);
    done += size;
    onProgress(done, total);
  }
}
