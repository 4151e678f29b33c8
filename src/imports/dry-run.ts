import { runInTransaction, type Pool, type Queryable } from '../platform/database/index.ts';
import { newId } from '../platform/text/index.ts';
import { mapChunks, splitImports } from './chunks.ts';
import { createPlanner, listOutcomes } from './rules.ts';
import { findForLeads } from './store.ts';
import { pickLeads, type Import, type Outcome } from './submission.ts';

/** Decides what imports would do, in order. Reads all at one moment, and stores nothing. */
export function planDryRun(db: Pool, accountId: string, imports: Import[]): Promise<Outcome[]> {
  const plan = (tx: Queryable) => planInTransaction(tx, accountId, imports);
  return runInTransaction(db, plan, 'repeatable read, read only');
}

/** Decides in a transaction what imports would do, in order. Stores nothing. */
export async function planInTransaction(
  tx: Queryable,
  accountId: string,
  imports: Import[],
): Promise<Outcome[]> {
  const now = new Date();
  const found = await findForLeads(tx, accountId, pickLeads(imports), now);
  const plan = createPlanner(found, { now, newId });
  return listOutcomes(await mapChunks(splitImports(imports), plan));
}
