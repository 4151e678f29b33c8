import sql, { type Sql } from 'sql-template-tag';
import { selectRevision } from '../accounts/index.ts';
import { buildRowSql, query, queryStoredRows, type Queryable } from '../platform/database/index.ts';
import { deriveColumns, type Columns } from '../platform/fields/index.ts';
import { fold, formatSearchText, toSortKey } from '../platform/text/index.ts';
import { ProjectFields, UnitFields, type Project, type Unit } from './schemas.ts';

/** The columns for lists and filters. A writer derives them from the project. */
const KEY_COLUMNS = {
  // Folded names, which the filters of the stocklist compare.
  cityKey: ['city_key', 'text'],
  regionKey: ['region_key', 'text'],
  regionSlugKey: ['region_slug_key', 'text'],
  suburbKey: ['suburb_key', 'text'],
  // Lists sort and search by these.
  nameKey: ['name_key', 'text'],
  searchText: ['search_text', 'text'],
} satisfies Columns;

const TIME_COLUMNS = {
  createdAt: ['created_at', 'timestamptz(3)'],
  updatedAt: ['updated_at', 'timestamptz(3)'],
} satisfies Columns;

/** The SQL of the columns of `projects`. */
export const projectRow = buildRowSql(
  { id: ['id', 'uuid'], ...deriveColumns(ProjectFields), ...TIME_COLUMNS, ...KEY_COLUMNS },
  { fixed: ['id', 'createdAt'] },
);

/** The SQL of the columns of `units`. */
export const unitRow = buildRowSql(
  {
    id: ['id', 'uuid'],
    projectId: ['project_id', 'uuid'],
    position: ['position', 'integer'],
    ...deriveColumns(UnitFields),
    ...TIME_COLUMNS,
    // Lists sort and search by these.
    nameKey: ['name_key', 'text'],
    searchText: ['search_text', 'text'],
  },
  { fixed: ['id', 'projectId', 'createdAt'] },
);

export const PROJECT_COLUMNS = ['id', ...Object.keys(ProjectFields)];
const UNIT_COLUMNS = ['id', 'projectId', 'position', ...Object.keys(UnitFields)];

/** A project or unit to write, with the time of its change from the stock clock. */
type Timed<Row> = Row & { createdAt: Date; updatedAt: Date };

/** Inserts new projects and updates existing ones. */
export async function writeProjects(
  tx: Queryable,
  accountId: string,
  projects: Timed<Project>[],
): Promise<void> {
  if (projects.length === 0) return;
  const ids = projects.map(({ id }) => id);
  const slugs = projects.map(({ slug }) => slug);
  // Two projects may swap their slugs, so first replace every changed slug by a unique placeholder.
  await query(
    tx,
    'project_slugs_release',
    sql`update projects set slug = '~' || projects.id
      from unnest(${ids}::uuid[], ${slugs}::text[]) as changed(id, slug)
      where account_id = ${accountId} and projects.id = any(${ids}::uuid[])
        and projects.id = changed.id and projects.slug <> changed.slug`,
  );
  const rows = projects.map((project) => ({ ...project, ...deriveProjectKeys(project) }));
  await query(
    tx,
    'projects_write',
    projectRow.upsert('projects', accountId, rows, selectRevision(accountId)),
  );
}

/** Records which projects are no longer live, for websites that follow the stocklist, and which are live again. */
export async function recordRemovals(
  tx: Queryable,
  accountId: string,
  projects: { stored: Project | undefined; row: Timed<Project> }[],
): Promise<void> {
  const isLive = (project: Project | undefined) => project?.publication === 'live';
  const changed = projects.filter(({ stored, row }) => isLive(stored) !== isLive(row));
  if (changed.length === 0) return;
  const removed = changed.flatMap(({ stored, row: { id, updatedAt } }) =>
    isLive(stored) && stored !== undefined ? { id, slug: stored.slug, removedAt: updatedAt } : [],
  );
  await query(
    tx,
    'removals_delete',
    sql`delete from removed_projects
      where account_id = ${accountId} and id = any(${changed.map(({ row }) => row.id)}::uuid[])`,
  );
  await query(
    tx,
    'removals_insert',
    sql`insert into removed_projects (account_id, id, slug, removed_at)
      select ${accountId}, id, slug, "removedAt"
      from jsonb_to_recordset(${JSON.stringify(removed)}::jsonb) as removed(id uuid, slug text, "removedAt" timestamptz)`,
  );
}

function deriveProjectKeys({ name, cityName, regionName, regionSlug, suburbName }: Project) {
  const foldFilled = (text: string | null) => (text === null ? null : fold(text));
  return {
    cityKey: foldFilled(cityName),
    regionKey: foldFilled(regionName),
    regionSlugKey: foldFilled(regionSlug),
    suburbKey: foldFilled(suburbName),
    nameKey: toSortKey(name) ?? '',
    searchText: formatSearchText({ texts: [name, suburbName, cityName, regionName], phones: [] }),
  };
}

/** Raises the version of projects whose units change, and sets their new times. */
export async function touchProjects(
  tx: Queryable,
  accountId: string,
  projects: { id: string; updatedAt: Date }[],
): Promise<void> {
  if (projects.length === 0) return;
  const ids = projects.map(({ id }) => id);
  await query(
    tx,
    'projects_touch',
    sql`update projects
      set version = version + 1, revision = ${selectRevision(accountId)}, updated_at = touched.updated_at
      from unnest(${ids}::uuid[], ${projects.map(({ updatedAt }) => updatedAt)}::timestamptz[])
        as touched (id, updated_at)
      where account_id = ${accountId} and projects.id = any(${ids}::uuid[]) and projects.id = touched.id`,
  );
}

/** Derives the texts by which lists sort and search a unit. */
function deriveUnitKeys({ name, lotNumber }: Unit): { nameKey: string; searchText: string } {
  const texts = [name, lotNumber === null ? null : String(lotNumber)];
  return {
    nameKey: toSortKey(name) ?? '',
    searchText: formatSearchText({ texts, phones: [] }),
  };
}

/** Inserts new units and updates existing ones. */
export async function writeUnits(
  tx: Queryable,
  accountId: string,
  units: Timed<Unit>[],
): Promise<void> {
  if (units.length === 0) return;
  const rows = units.map((unit) => ({ ...unit, ...deriveUnitKeys(unit) }));
  await query(
    tx,
    'units_write',
    unitRow.upsert('units', accountId, rows, selectRevision(accountId)),
  );
}

/** Deletes units. PostgreSQL reports a foreign key violation when a contact is linked to one of them. */
export async function deleteUnits(
  tx: Queryable,
  accountId: string,
  units: Pick<Unit, 'id' | 'projectId'>[],
): Promise<void> {
  if (units.length === 0) return;
  const projectIds = [...new Set(units.map(({ projectId }) => projectId))];
  await query(
    tx,
    'units_delete',
    sql`delete from units where account_id = ${accountId} and project_id = any(${projectIds}::uuid[])
      and id = any(${units.map(({ id }) => id)}::uuid[])`,
  );
}

/** Deletes projects. PostgreSQL reports a foreign key violation when a contact is linked to one of them. */
export async function deleteProjects(
  tx: Queryable,
  accountId: string,
  ids: string[],
): Promise<void> {
  if (ids.length === 0) return;
  await query(
    tx,
    'projects_delete',
    sql`delete from projects where account_id = ${accountId} and id = any(${ids}::uuid[])`,
  );
}

/** Replaces the related projects of each project, in the given order. */
export async function replaceRelatedProjects(
  tx: Queryable,
  accountId: string,
  projects: { id: string; relatedIds: string[] }[],
): Promise<void> {
  if (projects.length === 0) return;
  const ids = projects.map(({ id }) => id);
  await query(
    tx,
    'related_projects_delete',
    sql`delete from related_projects
      where account_id = ${accountId} and project_id = any(${ids}::uuid[])`,
  );
  const rows = projects.flatMap(({ id, relatedIds }) =>
    relatedIds.map((relatedId, position) => ({ id, relatedId, position })),
  );
  await query(
    tx,
    'related_projects_insert',
    sql`insert into related_projects (account_id, project_id, related_project_id, position)
      select ${accountId}, r.id, r."relatedId", r.position
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        as r(id uuid, "relatedId" uuid, position integer)`,
  );
}

/** A project with its units and the ids of its related projects, both in display order. */
export interface ProjectWithUnits {
  project: Project;
  relatedIds: string[];
  units: Unit[];
}

/** Reads projects of an account in the order of their ids: all of them, or those with these ids. */
export async function readProjects(
  tx: Queryable,
  accountId: string,
  ids: string[] | null = null,
): Promise<ProjectWithUnits[]> {
  const suffix = ids === null ? '' : '_of';
  // `offset 0` makes PostgreSQL look up the rows of each project by its id.
  const from = (table: Sql, column: Sql): Sql =>
    ids === null
      ? sql`${table} where account_id = ${accountId}`
      : sql`unnest(${ids}::uuid[]) as wanted cross join lateral (
          select * from ${table} where account_id = ${accountId} and ${column} = wanted offset 0
        ) ${table}`;
  const projects = await queryStoredRows<Project>(
    tx,
    `projects_read${suffix}`,
    sql`select ${projectRow.select('projects', PROJECT_COLUMNS)}
      from ${from(sql`projects`, sql`id`)} order by id`,
  );
  const units = await queryStoredRows<Unit>(
    tx,
    `units_read${suffix}`,
    sql`select ${unitRow.select('units', UNIT_COLUMNS)}
      from ${from(sql`units`, sql`project_id`)} order by position, id`,
  );
  const relations = await query<{ projectId: string; relatedId: string }>(
    tx,
    `relations_read${suffix}`,
    sql`select project_id as "projectId", related_project_id as "relatedId"
      from ${from(sql`related_projects`, sql`project_id`)}
      order by position, related_project_id`,
  );
  const unitsOf = Map.groupBy(units, ({ projectId }) => projectId);
  const relationsOf = Map.groupBy(relations, ({ projectId }) => projectId);
  return projects.map((project) => ({
    project,
    relatedIds: (relationsOf.get(project.id) ?? []).map(({ relatedId }) => relatedId),
    units: unitsOf.get(project.id) ?? [],
  }));
}
