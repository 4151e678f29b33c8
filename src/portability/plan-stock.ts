import {
  checkRelatedProject,
  findLongDescription,
  planProject,
  planUnit,
  SLUG_TAKEN,
  type Project,
  type ProjectWithUnits,
  type Unit,
} from '../projects/index.ts';
import type { Change, StoredPicture } from '../platform/fields/index.ts';
import { listEntries } from './entries.ts';
import type { FaultList } from './faults.ts';
import type { LoadRules } from './load-rules.ts';
import {
  joinChanges,
  listRowsAfter,
  planRows,
  reportTakenKeys,
  type PlannedRow,
} from './plan-rows.ts';
import type { ProjectEntry, UnitEntry } from './schemas.ts';

/** The changes of projects and units, and the rows that the account has after the load. */
export interface StockPlan extends UnitPlan {
  projects: PlannedProject[];
  projectsAfter: Project[];
}

interface UnitPlan {
  units: PlannedRow<Unit>[];
  removedUnits: Unit[];
  unitsAfter: Unit[];
}

/** A project of the file. It counts as updated when its related projects or its units change. */
interface PlannedProject extends PlannedRow<Project, ProjectEntry> {
  /** Its change, not counting its units. */
  ownChange: Change;
  /** The ids of its related projects before and after; null when they do not change. */
  related: { before: string[]; after: string[] } | null;
}

const PROJECTS = {
  noun: 'project',
  keyField: 'slug',
  readKey: ({ slug }: { slug?: string }) => slug,
  plan: planProject,
};

const ADDED_PROJECTS = {
  ...PROJECTS,
  plan: (stored: Project | undefined, id: string, entry: ProjectEntry) =>
    planProject(stored, id, { ...entry, ...addPictures(stored, entry) }),
};

/** Adds the pictures of an entry after those of the project. A picture keeps its alternative text unless the entry has one. */
function addPictures(
  stored: Project | undefined,
  { heroImage, galleryImages }: ProjectEntry,
): Pick<ProjectEntry, 'heroImage' | 'galleryImages'> {
  if (stored === undefined) return {};
  const takeGivenAlt = (picture: StoredPicture) => {
    const given = galleryImages?.find((image) => image?.key === picture.key);
    return { ...picture, ...given };
  };
  const isNew = (image?: { key: string }) =>
    stored.galleryImages.every(({ key }) => key !== image?.key);
  return {
    ...(heroImage?.key === stored.heroImage?.key && {
      heroImage: heroImage && { ...stored.heroImage, ...heroImage },
    }),
    ...(galleryImages && {
      galleryImages: [...stored.galleryImages.map(takeGivenAlt), ...galleryImages.filter(isNew)],
    }),
  };
}

/**
 * Plans the changes of the projects, their units and their related projects. A whole list replaces the stored one; any other list
 * adds to it.
 */
export function planStock(
  entries: ProjectEntry[] | undefined,
  stored: ProjectWithUnits[],
  { hasWholeLists, isExport }: LoadRules,
  faults: FaultList,
): StockPlan {
  const storedProjects = stored.map(({ project }) => project);
  const kind = hasWholeLists ? PROJECTS : ADDED_PROJECTS;
  const planned = planRows(listEntries(entries, '/projects'), storedProjects, kind, faults);
  reportTakenKeys(planned, storedProjects, PROJECTS, SLUG_TAKEN, faults);
  // The text of an export may be older than the limit.
  if (!isExport)
    for (const { pointer, stored: before, row } of planned)
      faults.reportWithin(pointer, findLongDescription(before, row));
  const projectsAfter = listRowsAfter(planned, storedProjects);
  const idOfSlug = new Map(projectsAfter.map(({ id, slug }) => [slug, id]));
  const relatedBefore = new Map(stored.map(({ project, relatedIds }) => [project.id, relatedIds]));
  const storedUnits = stored.flatMap(({ units }) => units);
  const unitPlan = planUnits(planned, storedUnits, hasWholeLists, faults);
  const changedUnits = [
    ...unitPlan.removedUnits,
    ...unitPlan.units.filter(({ change }) => change !== 'unchanged').map(({ row }) => row),
  ];
  const withChangedUnits = new Set(changedUnits.map(({ projectId }) => projectId));
  const projects = planned.map((project): PlannedProject => {
    const before = relatedBefore.get(project.row.id) ?? [];
    const listedIds = planRelatedProjects(project, idOfSlug, faults);
    const afterIds = hasWholeLists ? listedIds : listedIds && union(before, listedIds);
    const isSame = afterIds === null || afterIds.join() === before.join();
    const related = isSame ? null : { before, after: afterIds };
    const ownChange = joinChanges(project.change, related !== null);
    const change = joinChanges(ownChange, withChangedUnits.has(project.row.id));
    return { ...project, related, ownChange, change };
  });
  return { projects, projectsAfter, ...unitPlan };
}

const union = (before: string[], added: string[]): string[] => [...new Set([...before, ...added])];

/** Reads the ids of the related projects that an entry lists, in order. Returns null when it has no such list. */
function planRelatedProjects(
  { pointer, entry, row }: PlannedRow<Project, ProjectEntry>,
  idOfSlug: Map<string, string>,
  faults: FaultList,
): string[] | null {
  if (entry.relatedProjects === undefined) return null;
  const ids: string[] = [];
  for (const related of listEntries(entry.relatedProjects, `${pointer}/relatedProjects`)) {
    const id = idOfSlug.get(related.entry) ?? '';
    const fault =
      id === ''
        ? 'is the slug of no project, neither in the file nor in the account.'
        : checkRelatedProject(row.id, id, ids);
    if (fault === null) ids.push(id);
    else faults.report(related.pointer, fault);
  }
  return ids;
}

/** Keeps the alternative text of a floor plan unless the entry has one. */
function keepFloorPlanAlt(stored: Unit | undefined, entry: UnitOfProject): UnitOfProject {
  const { floorPlanImage: given } = entry;
  const plan = stored?.floorPlanImage;
  return given && given.key === plan?.key
    ? { ...entry, floorPlanImage: { ...plan, ...given } }
    : entry;
}

type UnitOfProject = UnitEntry & Pick<Unit, 'projectId'>;

/** Creates the rule for entries of units. It gives each unit a position after the previous one of its project. */
function createUnitKind(stored: Unit[], hasWholeLists: boolean) {
  // The last used position in each project. New units of a partial list come after all stored units.
  const lastPlaces = new Map<string, number>();
  if (!hasWholeLists)
    for (const { projectId, position } of stored)
      lastPlaces.set(projectId, Math.max(position, lastPlaces.get(projectId) ?? -1));

  function plan(unit: Unit | undefined, id: string, entry: UnitOfProject) {
    const last = lastPlaces.get(entry.projectId) ?? -1;
    const isInPlace = unit !== undefined && (!hasWholeLists || unit.position > last);
    const position = isInPlace ? unit.position : last + 1;
    lastPlaces.set(entry.projectId, Math.max(last, position));
    const own = { id, projectId: entry.projectId, position };
    return planUnit(unit, own, hasWholeLists ? entry : keepFloorPlanAlt(unit, entry));
  }

  // Units of different projects may have the same name.
  const readKey = ({ projectId, name }: { projectId: string; name?: string }) =>
    name === undefined ? undefined : `${projectId} ${name}`;
  return { noun: 'unit', keyField: 'name', readKey, plan };
}

/** Plans the units of all projects. Removes a stored unit when the list of its project is whole and lacks the unit. */
function planUnits(
  projects: PlannedRow<Project, ProjectEntry>[],
  stored: Unit[],
  hasWholeLists: boolean,
  faults: FaultList,
): UnitPlan {
  const projectsWithUnits = projects.filter(({ entry }) => entry.units !== undefined);
  const entries = projectsWithUnits.flatMap(({ pointer, entry, row }) =>
    listEntries(entry.units, `${pointer}/units`).map((unit) => {
      return { pointer: unit.pointer, entry: { ...unit.entry, projectId: row.id } };
    }),
  );
  const units = planRows(entries, stored, createUnitKind(stored, hasWholeLists), faults);
  const listedIds = new Set(units.map(({ row }) => row.id));
  const projectIds = new Set(projectsWithUnits.map(({ row }) => row.id));
  const removedUnits = stored.filter(
    ({ id, projectId }) => hasWholeLists && projectIds.has(projectId) && !listedIds.has(id),
  );
  const removedSet = new Set(removedUnits);
  const unitsAfter = listRowsAfter(units, stored).filter((unit) => !removedSet.has(unit));
  return { units, removedUnits, unitsAfter };
}
