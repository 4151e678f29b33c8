import { tickStockClock, updateOrganization, type Organization } from '../accounts/index.ts';
import type { Queryable } from '../platform/database/index.ts';
import type { RowPlan } from '../platform/fields/index.ts';
import {
  deleteUnits,
  replaceRelatedProjects,
  writeProjects,
  writeUnits,
} from '../projects/index.ts';
import { selectChangedRows } from './plan-rows.ts';
import type { StockPlan } from './plan-stock.ts';

/** Writes what a load changes of the organization and the stock, and ticks the stock clock once. */
export async function writeStock(
  tx: Queryable,
  accountId: string,
  organization: RowPlan<Organization>,
  { projects, units, removedUnits }: StockPlan,
  now: Date,
): Promise<void> {
  const changed = selectChangedRows(projects);
  if (changed.length === 0 && organization.change === 'unchanged') return;
  const ticks = await tickStockClock(tx, accountId, changed.length, now);
  if (organization.change === 'updated') await updateOrganization(tx, accountId, organization.row);
  const ticked = changed.map((row, at) => ({ ...row, updatedAt: ticks[at] ?? new Date(NaN) }));
  await writeProjects(tx, accountId, ticked);
  const related = projects.flatMap(({ row: { id }, relatedIds }) =>
    relatedIds === null ? [] : { id, relatedIds },
  );
  await replaceRelatedProjects(tx, accountId, related);
  const removedIds = removedUnits.map(({ id }) => id);
  await deleteUnits(tx, accountId, removedIds);
  await writeUnits(tx, accountId, selectChangedRows(units));
}
