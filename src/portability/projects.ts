import type { Project, ProjectWithUnits } from '../projects/index.ts';
import { fold } from '../platform/text/index.ts';
import { below, type Report } from './faults.ts';
import { given, items } from './given.ts';
import { matchEntries, reportTaken, type Match } from './match.ts';
import { Project as ProjectSchema, type ProjectEntry } from './schema.ts';
import { settle, type Change, type Creation, type Settled } from './settle.ts';
import { unitPlanner, type PlannedUnits } from './units.ts';

const POINTER = '/projects';

/** A project of the file, and what becomes of it. Its units stay when `units` is null. */
export interface PlannedProject extends Settled<Project> {
  relatedIds: string[];
  isRelatedChanged: boolean;
  units: PlannedUnits | null;
}

type OwnField = Exclude<keyof ProjectEntry, 'units' | 'relatedProjects'>;
export const PROJECT_FIELDS = Object.keys(ProjectSchema.properties).filter(
  (field) => field !== 'units' && field !== 'relatedProjects',
) as OwnField[];

const CREATION: Creation<Project> = {
  noun: 'project',
  defaults: {
    slug: '',
    name: '',
    publication: 'draft',
    status: 'Coming Soon',
    developmentDescription: '',
    estimatedCompletionDate: '',
    addressLine1: '',
    addressLine2: null,
    postalCode: '',
    latitude: 0,
    longitude: 0,
    cityName: '',
    regionName: '',
    regionSlug: '',
    suburbName: '',
    projectWebsiteUrl: '',
    heroImage: null,
    galleryImages: [],
  },
  required: [
    'slug',
    'name',
    'developmentDescription',
    'estimatedCompletionDate',
    'addressLine1',
    'postalCode',
    'latitude',
    'longitude',
    'cityName',
    'regionName',
    'suburbName',
    'projectWebsiteUrl',
  ],
};

/** Decides what becomes of the account's projects, and of what hangs on them. */
export function planProjects(
  entries: ProjectEntry[] | undefined,
  stored: ProjectWithUnits[],
  givens: { report: Report; newId: () => string },
): PlannedProject[] {
  const { report } = givens;
  const entryAt = new Map(items(entries).map(({ at, item }) => [at, item]));
  const byId = new Map(stored.map((each) => [each.project.id, each]));
  const planUnits = unitPlanner(
    stored.flatMap(({ units }) => units),
    givens,
  );

  function plan(match: Match): PlannedProject {
    const entry = entryAt.get(match.at) ?? {};
    const before = byId.get(match.id);
    const pointer = below(POINTER, match.at);
    const change = given<Project>(entry, PROJECT_FIELDS);
    if (before === undefined) addRegionSlug(change, pointer, report);
    const own = settle(match, before?.project, change, CREATION, { pointer, report });
    const owner = { projectId: match.id, pointer, stored: before?.units ?? [] };
    const units = entry.units ? planUnits(entry.units, owner) : null;
    return { ...own, relatedIds: before?.relatedIds ?? [], isRelatedChanged: false, units };
  }

  const planned = matchEntries(identify(entryAt), keysOf(stored), KIND, givens).map(plan);
  const bySlug = slugsOf(planned, stored, report);
  return planned.map((project) => {
    const related = relate(project, entryAt.get(project.at)?.relatedProjects, bySlug, report);
    return { ...related, change: changeOf(related) };
  });
}

const KIND = { pointer: POINTER, keyField: 'slug', noun: 'project', mayShare: false };

function identify(entryAt: Map<number, ProjectEntry>) {
  return [...entryAt].map(([at, { id, slug }]) => ({ at, id: id?.toLowerCase(), key: slug }));
}

function keysOf(stored: ProjectWithUnits[]) {
  return stored.map(({ project: { id, slug } }) => ({ id, key: slug }));
}

function addRegionSlug(change: Partial<Project>, pointer: string, report: Report): void {
  if (change.regionSlug !== undefined || change.regionName === undefined) return;
  change.regionSlug = slugify(change.regionName);
  if (change.regionSlug === '')
    report(below(pointer, 'regionSlug'), 'is required: none can be made from this regionName.');
}

function slugify(text: string): string {
  const words = fold(text).match(/[a-z0-9]+/g) ?? [];
  return words.join('-').slice(0, 100);
}

/** The id of each slug as it will be in the end. */
function slugsOf(
  planned: Settled<Project>[],
  stored: ProjectWithUnits[],
  report: Report,
): Map<string, string> {
  const named = new Set(planned.map(({ row }) => row.id));
  const others = stored.map(({ project }) => project).filter(({ id }) => !named.has(id));
  const rows = [
    ...others.map(({ slug }) => ({ pointer: null, key: slug })),
    ...planned.map(({ at, row }) => ({ pointer: below(POINTER, at), key: row.slug || undefined })),
  ];
  reportTaken(rows, 'slug', 'another project of the account has this slug.', report);
  return new Map([...others, ...planned.map(({ row }) => row)].map(({ id, slug }) => [slug, id]));
}

function relate(
  project: PlannedProject,
  slugs: string[] | undefined,
  bySlug: Map<string, string>,
  report: Report,
): PlannedProject {
  if (slugs === undefined) return project;
  const pointer = below(below(POINTER, project.at), 'relatedProjects');
  const ids: string[] = [];
  for (const { at, item } of items(slugs)) {
    const id = bySlug.get(item);
    const fault = relationFault(id, project.row.id, ids);
    if (fault !== null) report(below(pointer, at), fault);
    else if (id !== undefined) ids.push(id);
  }
  const isRelatedChanged = ids.join() !== project.relatedIds.join();
  return { ...project, relatedIds: ids, isRelatedChanged };
}

function relationFault(id: string | undefined, ownId: string, others: string[]): string | null {
  if (id === undefined) return 'is the slug of no project, neither in the file nor in the account.';
  if (id === ownId) return 'is the project itself; name another one.';
  return others.includes(id) ? 'is in the list already; name each project once.' : null;
}

function changeOf({ change, isRelatedChanged, units }: PlannedProject): Change {
  if (change !== 'unchanged') return change;
  const areUnitsChanged =
    units !== null &&
    (units.removed.length > 0 || units.units.some((unit) => unit.change !== 'unchanged'));
  return isRelatedChanged || areUnitsChanged ? 'updated' : 'unchanged';
}
