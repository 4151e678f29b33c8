import type { Change } from '../platform/fields/index.ts';
import {
  checkRelated,
  planProject,
  planUnit,
  SLUG_TAKEN,
  type Project,
  type ProjectWithUnits,
  type Unit,
} from '../projects/index.ts';
import { listEntries } from './entries.ts';
import type { Report } from './faults.ts';
import { listRowsAfter, planRows, reportTakenKeys, type PlannedRow } from './plan-rows.ts';
import type { ListKind, PlanContext } from './match.ts';
import type { ProjectEntry, UnitEntry } from './schemas.ts';

/** A project of the file, and what the file changes of it. */
export interface PlannedProject extends PlannedRow<Project, ProjectEntry> {
  /** The ids of its related projects, in order; null when they do not change. */
  relatedIds: string[] | null;
  /** Null when the file does not list its units. */
  units: PlannedUnits | null;
}

interface PlannedUnits {
  planned: PlannedRow<Unit>[];
  removed: Unit[];
}

const PROJECTS: ListKind<{ slug?: string }> = {
  pointer: '/projects',
  noun: 'project',
  keyField: 'slug',
  keyOf: ({ slug }) => slug,
  canShareKey: false,
};

/** Decides what the file changes of the projects, their units and their related projects. */
export function planProjects(
  entries: ProjectEntry[] | undefined,
  stored: ProjectWithUnits[],
  context: PlanContext,
): PlannedProject[] {
  const { report } = context;
  const storedById = new Map(stored.map((each) => [each.project.id, each]));
  const storedProjects = stored.map(({ project }) => project);
  const planned = planRows(entries, storedProjects, PROJECTS, planProject, context);
  reportTakenKeys(planned, storedProjects, PROJECTS, { detail: SLUG_TAKEN, report });
  const rowsAfter = listRowsAfter(planned, storedProjects);
  const idOfSlug = new Map(rowsAfter.map(({ id, slug }) => [slug, id]));
  const unitById = new Map(stored.flatMap(({ units }) => units).map((unit) => [unit.id, unit]));
  return planned.map((project) => {
    const before = storedById.get(project.row.id);
    const relatedIds = planRelated(project, before?.relatedIds ?? [], idOfSlug, report);
    const units = planUnits(project, before?.units ?? [], unitById, context);
    return { ...project, relatedIds, units, change: mergeChanges(project, relatedIds, units) };
  });
}

/** The related projects in their new order, or null when they do not change. */
function planRelated(
  { at, entry, row }: PlannedRow<Project, ProjectEntry>,
  before: string[],
  idOfSlug: Map<string, string>,
  report: Report,
): string[] | null {
  if (entry.relatedProjects === undefined) return null;
  const ids: string[] = [];
  for (const { at: index, entry: slug } of listEntries(entry.relatedProjects)) {
    const id = idOfSlug.get(slug) ?? '';
    const fault =
      id === ''
        ? 'is the slug of no project, neither in the file nor in the account.'
        : checkRelated(row.id, id, ids);
    if (fault === null) ids.push(id);
    else report(`${PROJECTS.pointer}/${at}/relatedProjects/${index}`, fault);
  }
  return ids.join() === before.join() ? null : ids;
}

/** Plans the units of one project. `unitById` has the units of all projects, and gets the new ones. */
function planUnits(
  { at, entry: { units }, row: { id: projectId } }: PlannedRow<Project, ProjectEntry>,
  stored: Unit[],
  unitById: Map<string, Unit>,
  context: PlanContext,
): PlannedUnits | null {
  if (units === undefined) return null;
  const kind: ListKind<{ name?: string }> = {
    pointer: `${PROJECTS.pointer}/${at}/units`,
    noun: 'unit',
    keyField: 'name',
    keyOf: ({ name }) => name,
    canShareKey: false,
  };
  const planOne = (_: Unit | undefined, id: string, entry: UnitEntry, position: number) => {
    const plan = planUnit(unitById.get(id), { id, projectId, position }, entry);
    if (!unitById.has(id)) unitById.set(id, plan.row);
    return plan;
  };
  const planned = planRows(units, stored, kind, planOne, context);
  const named = new Set(planned.map(({ row }) => row.id));
  return { planned, removed: stored.filter(({ id }) => !named.has(id)) };
}

/** A project changes with its related projects and its units. */
function mergeChanges(
  { change }: PlannedRow<Project>,
  relatedIds: string[] | null,
  units: PlannedUnits | null,
): Change {
  const { planned, removed } = units ?? { planned: [], removed: [] };
  const isChanged =
    relatedIds !== null ||
    removed.length > 0 ||
    planned.some((unit) => unit.change !== 'unchanged');
  return change === 'unchanged' && isChanged ? 'updated' : change;
}
