import {
  checkRelatedProject,
  planProject,
  planUnit,
  SLUG_TAKEN,
  type Project,
  type ProjectWithUnits,
  type Unit,
} from '../projects/index.ts';
import { listEntries } from './entries.ts';
import type { FaultList } from './faults.ts';
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
  /** The ids of its related projects, in order; null when they do not change. */
  relatedIds: string[] | null;
}

const PROJECTS = {
  noun: 'project',
  keyField: 'slug',
  readKey: ({ slug }: { slug?: string }) => slug,
  plan: planProject,
};

/** Plans the changes of the projects, their units and their related projects. */
export function planStock(
  entries: ProjectEntry[] | undefined,
  stored: ProjectWithUnits[],
  faults: FaultList,
): StockPlan {
  const storedProjects = stored.map(({ project }) => project);
  const planned = planRows(listEntries(entries, '/projects'), storedProjects, PROJECTS, faults);
  reportTakenKeys(planned, storedProjects, PROJECTS, SLUG_TAKEN, faults);
  const projectsAfter = listRowsAfter(planned, storedProjects);
  const idOfSlug = new Map(projectsAfter.map(({ id, slug }) => [slug, id]));
  const relatedBefore = new Map(stored.map(({ project, relatedIds }) => [project.id, relatedIds]));
  const storedUnits = stored.flatMap(({ units }) => units);
  const unitPlan = planUnits(planned, storedUnits, faults);
  const changedUnits = [
    ...unitPlan.removedUnits,
    ...unitPlan.units.filter(({ change }) => change !== 'unchanged').map(({ row }) => row),
  ];
  const withChangedUnits = new Set(changedUnits.map(({ projectId }) => projectId));
  const projects = planned.map((project): PlannedProject => {
    const before = relatedBefore.get(project.row.id) ?? [];
    const relatedIds = planRelatedProjects(project, before, idOfSlug, faults);
    const hasChangedParts = relatedIds !== null || withChangedUnits.has(project.row.id);
    return { ...project, relatedIds, change: joinChanges(project.change, hasChangedParts) };
  });
  return { projects, projectsAfter, ...unitPlan };
}

/** Plans the related projects of a project. Returns their ids in order, or null when they do not change. */
function planRelatedProjects(
  { pointer, entry, row }: PlannedRow<Project, ProjectEntry>,
  storedIds: string[],
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
  return ids.join() === storedIds.join() ? null : ids;
}

type PositionedUnit = UnitEntry & Pick<Unit, 'projectId' | 'position'>;

const UNITS = {
  noun: 'unit',
  keyField: 'name',
  // Units of different projects may have the same name.
  readKey: ({ projectId, name }: { projectId: string; name?: string }) =>
    name === undefined ? undefined : `${projectId} ${name}`,
  plan: (stored: Unit | undefined, id: string, entry: PositionedUnit) =>
    planUnit(stored, { id, projectId: entry.projectId, position: entry.position }, entry),
};

/** Plans the units of all projects. Removes a stored unit when the list of its project no longer has it. */
function planUnits(
  projects: PlannedRow<Project, ProjectEntry>[],
  stored: Unit[],
  faults: FaultList,
): UnitPlan {
  const projectsWithUnits = projects.filter(({ entry }) => entry.units !== undefined);
  const entries = projectsWithUnits.flatMap(({ pointer, entry, row }) =>
    listEntries(entry.units, `${pointer}/units`).map((unit, position) => {
      return { pointer: unit.pointer, entry: { ...unit.entry, projectId: row.id, position } };
    }),
  );
  const units = planRows(entries, stored, UNITS, faults);
  const listedIds = new Set(units.map(({ row }) => row.id));
  const projectIds = new Set(projectsWithUnits.map(({ row }) => row.id));
  const removedUnits = stored.filter(
    ({ id, projectId }) => projectIds.has(projectId) && !listedIds.has(id),
  );
  const removedSet = new Set(removedUnits);
  const unitsAfter = listRowsAfter(units, stored).filter((unit) => !removedSet.has(unit));
  return { units, removedUnits, unitsAfter };
}
