import { updateOrganization, tickStockClock, type Organization } from '../accounts/index.ts';
import type { RowPlan } from '../platform/fields/index.ts';
import type { Queryable } from '../platform/database/index.ts';
import {
  insertProjects,
  updateProjects,
  replaceRelatedProjects,
  deleteUnits,
  upsertUnits,
} from '../projects/index.ts';
import { countChanges, selectRows, type Counts } from './plan-rows.ts';
import type { PlannedProject } from './plan-stock.ts';

/** Writes what a load changes of the organization and the stock, and ticks the stock clock once. */
export async function writeStock(
  tx: Queryable,
  accountId: string,
  { organization, projects }: { organization: RowPlan<Organization>; projects: PlannedProject[] },
  now: Date,
): Promise<Counts & { removed: number }> {
  const changed = projects.filter(({ change }) => change !== 'unchanged');
  if (changed.length > 0 || organization.change !== 'unchanged') {
    const ticks = await tickStockClock(tx, accountId, changed.length, now);
    if (organization.change === 'updated')
      await updateOrganization(tx, accountId, organization.row);
    await writeProjects(tx, accountId, changed, ticks);
  }
  return writeUnits(tx, accountId, projects);
}

async function writeProjects(
  tx: Queryable,
  accountId: string,
  changed: PlannedProject[],
  ticks: Date[],
): Promise<void> {
  const ticked = changed.map((project, index) => ({
    ...project,
    row: { ...project.row, updatedAt: ticks[index] ?? new Date(NaN) },
  }));
  await updateProjects(tx, accountId, selectRows(ticked, 'updated'));
  await insertProjects(tx, accountId, selectRows(ticked, 'created'));
  const related = changed.flatMap(({ row: { id }, relatedIds }) =>
    relatedIds === null ? [] : { id, relatedIds },
  );
  await replaceRelatedProjects(tx, accountId, related);
}

async function writeUnits(
  tx: Queryable,
  accountId: string,
  projects: PlannedProject[],
): Promise<Counts & { removed: number }> {
  const units = projects.flatMap((project) => project.units?.planned ?? []);
  const removed = projects.flatMap((project) => project.units?.removed ?? []);
  const removedIds = removed.map(({ id }) => id);
  await deleteUnits(tx, accountId, removedIds);
  await upsertUnits(tx, accountId, [
    ...selectRows(units, 'updated'),
    ...selectRows(units, 'created'),
  ]);
  return { ...countChanges(units), removed: removed.length };
}
