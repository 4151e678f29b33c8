import {
  defineRow,
  planRow,
  type Entry,
  type FieldFault,
  type RowPlan,
} from '../platform/fields/index.ts';
import { fold } from '../platform/text/index.ts';
import { LIVE_FIELDS, ProjectFields, UnitFields, type Project, type Unit } from './schemas.ts';

/** A project: its fields, and the values of a new one. */
export const PROJECT = defineRow('project', ProjectFields, {
  publication: 'draft',
  status: 'Coming Soon',
  galleryImages: [],
});

/** A unit: its fields, and the values of a new one. */
export const UNIT = defineRow('unit', UnitFields, { status: 'Coming Soon' });

export const SLUG_TAKEN = 'another project of the account has this slug.';

/** A row that a transaction creates or changes. */
export interface RowChange<Row> {
  /** The row before, or undefined when it is new. */
  stored: Row | undefined;
  row: Row;
  /** The pointer to the row in the body, when it has several rows. */
  pointer?: string;
}

/** A project that a transaction creates or changes, with the ids of its related projects when these change. */
export interface ProjectChange extends RowChange<Project> {
  related: { before: string[]; after: string[] } | null;
}

/**
 * Applies an entry to a stored project. Without one, plans a new project. A project without a region slug of its own gets one
 * from the name of its region. A live project has all fields that the stock endpoints show.
 */
export function planProject(
  stored: Project | undefined,
  id: string,
  entry: Entry<typeof ProjectFields>,
): RowPlan<Project> {
  const { regionName = stored?.regionName ?? null } = entry;
  const { regionSlug = findChosenSlug(stored) } = entry;
  const isMade = regionSlug === null && regionName !== null;
  const planned = isMade ? { ...entry, regionSlug: makeSlug(regionName) } : entry;
  const plan = planRow(PROJECT, stored, planned, { id });
  return { ...plan, faults: [...plan.faults, ...findLiveFaults(plan.row)] };
}

/** Finds the fields that a live project lacks. */
function findLiveFaults(row: Project): FieldFault[] {
  if (row.publication !== 'live') return [];
  return LIVE_FIELDS.filter((field) => row[field] === null).map((field) => ({
    pointer: `/${field}`,
    detail:
      field === 'regionSlug' && row.regionName !== null
        ? 'is required: none can be made from this regionName.'
        : 'is required for a live project.',
  }));
}

/** Finds the region slug of a project; null for one that was made from the name of the region. */
function findChosenSlug({ regionName = null, regionSlug = null }: Partial<Project> = {}) {
  return regionName !== null && regionSlug === makeSlug(regionName) ? null : regionSlug;
}

/** Makes a slug from a text; null when the text has no letter or digit for it. */
function makeSlug(text: string): string | null {
  const words = fold(text).match(/[a-z0-9]+/g) ?? [];
  return words.join('-').slice(0, 100) || null;
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

const DESCRIPTION_MAX_BYTES = 65_536;

/** Finds the fault of a new description that is too long. A stored one may be longer. */
export function findLongDescription(
  stored: Project | undefined,
  { developmentDescription: text }: Project,
): FieldFault[] {
  const isLong = text !== null && Buffer.byteLength(text) > DESCRIPTION_MAX_BYTES;
  return isLong && text !== stored?.developmentDescription
    ? [{ pointer: '/developmentDescription', detail: 'must have at most 64 KiB in UTF-8.' }]
    : [];
}

/** Explains why a project cannot have this related project, or returns null. `relatedIds` are the ids that it already has. */
export function checkRelatedProject(projectId: string, relatedId: string, relatedIds: string[]) {
  if (relatedId === projectId) return 'is the project itself; name another one.';
  return relatedIds.includes(relatedId) ? 'is in the list already; name each project once.' : null;
}
