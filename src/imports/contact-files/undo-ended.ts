import { undoRun, type Undo, type UndoReport } from '../log/undo.ts';
import { countUndone } from '../log/run-store.ts';
import { runInTransaction, type Pool } from '../../platform/database/index.ts';
import { isUuid } from '../../platform/text/index.ts';
import { deleteChunks } from './chunk-store.ts';
import { planUndo, removeSamples } from './rules.ts';
import { findFile, lockFile, updateFile } from './store.ts';

/**
 * Undoes a run that has ended, as `undoRun` does, and then shows its contact file as undone, if it is the run of one. Throws while
 * the run of a contact file has not ended.
 */
export async function undoEndedRun(
  db: Pool,
  accountId: string,
  runId: string,
  undo: Omit<Undo, 'job'>,
): Promise<UndoReport | undefined> {
  if (!isUuid(runId)) return undefined;
  const file = await findFile(db, accountId, runId);
  if (file !== undefined) planUndo(file);
  const report = await undoRun(db, accountId, runId, undo);
  if (file !== undefined && report !== undefined && !undo.dryRun)
    await endAsUndone(db, accountId, runId, report);
  return report;
}

function endAsUndone(
  db: Pool,
  accountId: string,
  fileId: string,
  { kept }: UndoReport,
): Promise<void> {
  return runInTransaction(db, async (tx) => {
    const file = await lockFile(tx, accountId, fileId);
    if (file === undefined || planUndo(file) === null) return;
    const removed = await countUndone(tx, accountId, fileId);
    const columns = removeSamples(file);
    const changes = { status: 'undone', problem: null, removed, kept, columns } as const;
    await updateFile(tx, accountId, fileId, changes);
    await deleteChunks(tx, accountId, fileId);
  });
}
