import { updateOrganization, tickStockClock } from '../accounts/index.ts';
import type { Queryable } from '../platform/database/index.ts';
import {
  type Project,
  insertProjects,
  updateProjects,
  replaceRelatedProjects,
  deleteUnits,
  upsertUnits,
  type ChangedProject,
} from '../projects/index.ts';
import type { LoadPlan } from './plan-load.ts';
import type { PlannedProject } from './projects.ts';
import { countChanges, rowsOf, type Counts } from './settle.ts';

/** Writes what a plan changes of the organization and the stock, with one move of the stock clock. */
export async function writeStock(
  tx: Queryable,
  { account: { accountId }, organization, organizationChange, projects }: LoadPlan,
  now: Date,
): Promise<Counts & { removed: number }> {
  const changed = projects.filter(({ change }) => change !== 'unchanged');
  if (changed.length > 0 || organizationChange !== 'unchanged') {
    const ticks = await tickStockClock(tx, accountId, changed.length, now);
    if (organizationChange === 'updated') await updateOrganization(tx, accountId, organization);
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
  const tickOf = new Map(changed.map(({ row }, index) => [row.id, ticks[index]]));
  const withTick = (row: Project): ChangedProject[] => {
    const updatedAt = tickOf.get(row.id);
    return updatedAt === undefined ? [] : [{ ...row, updatedAt }];
  };
  await updateProjects(tx, accountId, rowsOf(changed, 'updated').flatMap(withTick));
  await insertProjects(tx, accountId, rowsOf(changed, 'created').flatMap(withTick));
  const related = changed.filter(({ isRelatedChanged }) => isRelatedChanged);
  await replaceRelatedProjects(
    tx,
    accountId,
    related.map(({ row, relatedIds }) => ({ id: row.id, relatedIds })),
  );
}

async function writeUnits(
  tx: Queryable,
  accountId: string,
  projects: PlannedProject[],
): Promise<Counts & { removed: number }> {
  const units = projects.flatMap((project) => project.units?.units ?? []);
  const removed = projects.flatMap((project) => project.units?.removed ?? []);
  await deleteUnits(
    tx,
    accountId,
    removed.map(({ id }) => id),
  );
  await upsertUnits(tx, accountId, [...rowsOf(units, 'updated'), ...rowsOf(units, 'created')]);
  return { ...countChanges(units), removed: removed.length };
}
