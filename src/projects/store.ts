import sql from 'sql-template-tag';
import { query, type Queryable } from '../platform/database/index.ts';
import { fold } from '../platform/text/index.ts';
import { projectFields, unitRow, writtenProject, type Written } from './columns.ts';
import type { Project, Unit } from './schemas.ts';

/*
 * All of these are to be called in a transaction that has ticked the stock clock. They take the locks of
 * projects before those of units, as whoever links a contact does. None deletes a project: what is kept of a
 * stocklist is brought up to date by the projects that are there and have changed (indexes.ts), and read whole once a minute.
 */

/** A project and the tick that its change was given. */
export type ChangedProject = Project & { updatedAt: Date };

export async function projectsInsert(
  tx: Queryable,
  accountId: string,
  projects: ChangedProject[],
): Promise<void> {
  await query(
    tx,
    'projects_insert',
    sql`insert into projects (account_id, ${writtenProject.columns})
      select ${accountId}, ${writtenProject.values}
      from jsonb_to_recordset(${written(projects)}::jsonb) as r(${writtenProject.definition})`,
  );
}

export async function projectsUpdate(
  tx: Queryable,
  accountId: string,
  projects: ChangedProject[],
): Promise<void> {
  const rows = written(projects);
  // Two projects may swap their slugs: those that change are given up before any is taken.
  await query(
    tx,
    'project_slugs_give_up',
    sql`update projects set slug = '~' || projects.id
      from jsonb_to_recordset(${rows}::jsonb) as r(id uuid, slug text)
      where projects.account_id = ${accountId} and projects.id = r.id and projects.slug <> r.slug`,
  );
  await query(
    tx,
    'projects_update',
    sql`update projects set ${writtenProject.assignments}
      from jsonb_to_recordset(${rows}::jsonb) as r(${writtenProject.definition})
      where projects.account_id = ${accountId} and projects.id = r.id`,
  );
}

function written(projects: ChangedProject[]): string {
  const rows = projects.map((project): Project & Written => ({
    ...project,
    cityKey: fold(project.cityName),
    regionKey: fold(project.regionName),
    regionSlugKey: fold(project.regionSlug),
    suburbKey: fold(project.suburbName),
  }));
  return JSON.stringify(rows);
}

/**
 * Makes units, and changes those that are there, through the conflict on their key: a join would be planned
 * for a handful of rows, and take their number squared where there are thousands.
 */
export async function unitsWrite(tx: Queryable, accountId: string, units: Unit[]): Promise<void> {
  await query(
    tx,
    'units_write',
    sql`insert into units (account_id, ${unitRow.columns})
      select ${accountId}, ${unitRow.values}
      from jsonb_to_recordset(${JSON.stringify(units)}::jsonb) as r(${unitRow.definition})
      on conflict (account_id, id) do update set ${unitRow.excluded}`,
  );
}

/** Fails with a foreign key violation when a contact is linked to one of the units. */
export async function unitsDelete(tx: Queryable, accountId: string, ids: string[]): Promise<void> {
  await query(
    tx,
    'units_delete',
    sql`delete from units where account_id = ${accountId} and id = any(${ids}::uuid[])`,
  );
}

/** Gives projects these related projects, in order, and no other. */
export async function relatedProjectsReplace(
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

/** A project with its units and the ids of its related projects, both in their order. */
export interface ProjectWithUnits {
  project: Project;
  relatedIds: string[];
  units: Unit[];
}

/** Reads all projects of an account in the order of their ids. */
export async function readProjects(tx: Queryable, accountId: string): Promise<ProjectWithUnits[]> {
  const projects = await query<
    Omit<Project, 'estimatedCompletionDate'> & { estimatedCompletionDate: Date }
  >(
    tx,
    'projects_read',
    sql`select ${projectFields} from projects where account_id = ${accountId} order by id`,
  );
  const unitsOf = Map.groupBy(await readUnits(tx, accountId), ({ projectId }) => projectId);
  const relatedOf = Map.groupBy(await readRelations(tx, accountId), ({ projectId }) => projectId);
  return projects.map(({ estimatedCompletionDate, ...project }) => ({
    project: { ...project, estimatedCompletionDate: estimatedCompletionDate.toISOString() },
    relatedIds: (relatedOf.get(project.id) ?? []).map(({ relatedId }) => relatedId),
    units: unitsOf.get(project.id) ?? [],
  }));
}

function readUnits(tx: Queryable, accountId: string): Promise<Unit[]> {
  return query<Unit>(
    tx,
    'units_read',
    sql`select ${unitRow.fields} from units where account_id = ${accountId} order by position, id`,
  );
}

function readRelations(tx: Queryable, accountId: string) {
  return query<{ projectId: string; relatedId: string }>(
    tx,
    'relations_read',
    sql`select project_id as "projectId", related_project_id as "relatedId"
      from related_projects where account_id = ${accountId} order by position, related_project_id`,
  );
}
