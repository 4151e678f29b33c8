import sql from 'sql-template-tag';
import { selectRevision } from '../accounts/index.ts';
import { buildRowSql, query, queryStoredRows, type Queryable } from '../platform/database/index.ts';
import { deriveColumns } from '../platform/fields/index.ts';
import { fold } from '../platform/text/index.ts';
import { ProjectFields, UnitFields, type Project, type Unit } from './schemas.ts';

/** A project with the time of its change, which the stock clock gave. */
export type ChangedProject = Project & { updatedAt: Date };

export const projectRow = buildRowSql({
  id: ['id', 'uuid'],
  ...deriveColumns(ProjectFields, {
    heroImage: 'hero_image_key',
    galleryImages: 'gallery_image_keys',
  }),
  updatedAt: ['updated_at', 'timestamptz(3)'],
  // The folded names with which the filters of the stocklist compare.
  cityKey: ['city_key', 'text'],
  regionKey: ['region_key', 'text'],
  regionSlugKey: ['region_slug_key', 'text'],
  suburbKey: ['suburb_key', 'text'],
});

export const unitRow = buildRowSql(
  {
    id: ['id', 'uuid'],
    projectId: ['project_id', 'uuid'],
    position: ['position', 'integer'],
    ...deriveColumns(UnitFields, { floorPlanImage: 'floor_plan_image_key' }),
  },
  ['id', 'projectId'],
);

/*
 * A caller of these functions must have raised the revision and ticked the stock clock in the same transaction. It writes
 * projects before units: imports lock them in the same order.
 */

/** Inserts new projects and updates existing ones. */
export async function writeProjects(
  tx: Queryable,
  accountId: string,
  projects: ChangedProject[],
): Promise<void> {
  const ids = projects.map(({ id }) => id);
  const slugs = projects.map(({ slug }) => slug);
  // Two projects may swap their slugs, so first replace every slug that changes by a unique placeholder.
  await query(
    tx,
    'project_slugs_release',
    sql`update projects set slug = '~' || projects.id
      from unnest(${ids}::uuid[], ${slugs}::text[]) as changed(id, slug)
      where account_id = ${accountId} and projects.id = changed.id and projects.slug <> changed.slug`,
  );
  const rows = projects.map((project) => ({
    ...project,
    cityKey: fold(project.cityName),
    regionKey: fold(project.regionName),
    regionSlugKey: fold(project.regionSlug),
    suburbKey: fold(project.suburbName),
  }));
  await query(
    tx,
    'projects_write',
    projectRow.upsert('projects', accountId, rows, selectRevision(accountId)),
  );
}

/** Inserts new units and updates existing ones. */
export async function writeUnits(tx: Queryable, accountId: string, units: Unit[]): Promise<void> {
  await query(
    tx,
    'units_write',
    unitRow.upsert('units', accountId, units, selectRevision(accountId)),
  );
}

/** Deletes units. PostgreSQL reports a foreign key violation when a contact is linked to one of them. */
export async function deleteUnits(tx: Queryable, accountId: string, ids: string[]): Promise<void> {
  await query(
    tx,
    'units_delete',
    sql`delete from units where account_id = ${accountId} and id = any(${ids}::uuid[])`,
  );
}

/** Replaces the related projects of each project, in the order given. */
export async function replaceRelatedProjects(
  tx: Queryable,
  accountId: string,
  projects: { id: string; relatedIds: string[] }[],
): Promise<void> {
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

/** Reads all projects of an account in the order of their ids. */
export async function readProjects(tx: Queryable, accountId: string): Promise<ProjectWithUnits[]> {
  const projects = await queryStoredRows<Project>(
    tx,
    'projects_read',
    sql`select ${projectRow.select('projects', ['id', ...Object.keys(ProjectFields)])}
      from projects where account_id = ${accountId} order by id`,
  );
  const units = await queryStoredRows<Unit>(
    tx,
    'units_read',
    sql`select ${unitRow.select('units')} from units
      where account_id = ${accountId} order by position, id`,
  );
  const relations = await query<{ projectId: string; relatedId: string }>(
    tx,
    'relations_read',
    sql`select project_id as "projectId", related_project_id as "relatedId"
      from related_projects where account_id = ${accountId} order by position, related_project_id`,
  );
  const unitsOf = Map.groupBy(units, ({ projectId }) => projectId);
  const relationsOf = Map.groupBy(relations, ({ projectId }) => projectId);
  return projects.map((project) => ({
    project,
    relatedIds: (relationsOf.get(project.id) ?? []).map(({ relatedId }) => relatedId),
    units: unitsOf.get(project.id) ?? [],
  }));
}
