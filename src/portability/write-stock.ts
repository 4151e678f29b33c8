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

/** Writes the changes of the organization, the projects and the units. First ticks the stock clock for all of them. The caller must have raised
 * the revision. */
export async function writeStock(
  tx: Queryable,
  accountId: string,
  organization: RowPlan<Organization>,
  { projects, units, removedUnits }: StockPlan,
  now: Date,
): Promise<void> {
  const changed = selectChangedRows(projects);
  if (changed.length === 0 && organization.change === 'unchanged') return;
  const updatedAts = await tickStockClock(tx, accountId, changed.length, now);
  if (organization.change === 'updated') await updateOrganization(tx, accountId, organization.row);
  const changedProjects = changed.map((row, at) => ({
    ...row,
    updatedAt: updatedAts[at] ?? new Date(NaN),
  }));
  await writeProjects(tx, accountId, changedProjects);
  const relations = projects.flatMap(({ row: { id }, relatedIds }) =>
    relatedIds === null ? [] : { id, relatedIds },
  );
  await replaceRelatedProjects(tx, accountId, relations);
  const removedIds = removedUnits.map(({ id }) => id);
  await deleteUnits(tx, accountId, removedIds);
  await writeUnits(tx, accountId, selectChangedRows(units));
}
