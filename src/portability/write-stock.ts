import { tickStockClock, updateOrganization, type Organization } from '../accounts/index.ts';
import type { Queryable } from '../platform/database/index.ts';
import type { RowPlan } from '../platform/fields/index.ts';
import { writeStockRows, type StockChanges } from '../projects/index.ts';
import { selectChanged } from './plan-rows.ts';
import type { StockPlan } from './plan-stock.ts';

/** Selects the changes of projects and units that a load must write. */
export function selectStockChanges({ projects, units, removedUnits }: StockPlan): StockChanges {
  return {
    projects: projects.filter(({ ownChange }) => ownChange !== 'unchanged'),
    units: selectChanged(units),
    removedUnits,
  };
}

/** Writes the changes of the organization, the projects and the units. The caller must have raised the revision. */
export async function writeOrganizationAndStock(
  tx: Queryable,
  accountId: string,
  organization: RowPlan<Organization>,
  stock: StockPlan,
  now: Date,
): Promise<void> {
  if (organization.change === 'updated') {
    await tickStockClock(tx, accountId, 0, now);
    await updateOrganization(tx, accountId, organization.row);
  }
  await writeStockRows(tx, accountId, selectStockChanges(stock), now);
}
