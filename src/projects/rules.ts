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
 * Applies an entry to a stored project. Without one, plans a new project. A project without a region slug gets one from the
 * name of its region.
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

/** Applies an entry to a stored unit. Without one, plans a new unit. Refuses to move a unit to another project. */
export function planUnit(
  stored: Unit | undefined,
  systemValues: Pick<Unit, 'id' | 'projectId' | 'position'>,
  entry: Entry<typeof UnitFields>,
): RowPlan<Unit> {
  if (stored === undefined || stored.projectId === systemValues.projectId)
    return planRow(UNIT, stored, entry, systemValues);
  const detail = 'is the id of a unit of another project; a unit cannot move.';
  return { row: stored, change: 'unchanged', faults: [{ pointer: '/id', detail }] };
}

/** Explains why a project cannot have this related project, or returns null. `relatedIds` are the ids that it has already. */
export function checkRelatedProject(projectId: string, relatedId: string, relatedIds: string[]) {
  if (relatedId === projectId) return 'is the project itself; name another one.';
  return relatedIds.includes(relatedId) ? 'is in the list already; name each project once.' : null;
}
