import { defineRow, planRow, type Entry, type RowPlan } from '../platform/fields/index.ts';
import { fold } from '../platform/text/index.ts';
import { ProjectFields, UnitFields, type Project, type Unit } from './schemas.ts';

export const PROJECT = defineRow('project', ProjectFields, {
  publication: 'draft',
  status: 'Coming Soon',
  regionSlug: '',
  galleryImages: [],
});

export const UNIT = defineRow('unit', UnitFields, { status: 'Coming Soon' });

export const SLUG_TAKEN = 'another project of the account has this slug.';

/**
 * Decides what an entry makes of a project; without a stored one it makes a new project, with a region slug made from
 * the name of its region.
 */
export function planProject(
  stored: Project | undefined,
  id: string,
  entry: Entry<typeof ProjectFields>,
): RowPlan<Project> {
  const plan = planRow(PROJECT, stored, entry, { id });
  if (plan.row.regionSlug !== '' || entry.regionName === undefined) return plan;
  plan.row.regionSlug = makeSlug(entry.regionName);
  const detail = 'is required: none can be made from this regionName.';
  if (plan.row.regionSlug === '') plan.faults.push({ pointer: '/regionSlug', detail });
  return plan;
}

function makeSlug(text: string): string {
  const words = fold(text).match(/[a-z0-9]+/g) ?? [];
  return words.join('-').slice(0, 100);
}

/** Decides what an entry makes of a unit; without a stored one it makes a new unit. A unit stays in its project. */
export function planUnit(
  stored: Unit | undefined,
  own: Pick<Unit, 'id' | 'projectId' | 'position'>,
  entry: Entry<typeof UnitFields>,
): RowPlan<Unit> {
  if (stored === undefined || stored.projectId === own.projectId)
    return planRow(UNIT, stored, entry, own);
  const detail = 'is the id of a unit of another project; a unit cannot move.';
  return { row: stored, change: 'unchanged', faults: [{ pointer: '/id', detail }] };
}

/** Says why a project cannot have a related project, or null. `others` are the related projects that it has already. */
export function checkRelated(projectId: string, relatedId: string, others: string[]) {
  if (relatedId === projectId) return 'is the project itself; name another one.';
  return others.includes(relatedId) ? 'is in the list already; name each project once.' : null;
}
