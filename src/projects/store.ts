import sql from 'sql-template-tag';
import { buildRowSql, query, type Columns, type Queryable } from '../platform/database/index.ts';
import { fold } from '../platform/text/index.ts';
import type { Project, Unit } from './schemas.ts';

const PROJECT_COLUMNS: Columns<Project> = {
  id: ['id', 'uuid'],
  slug: ['slug', 'text'],
  name: ['name', 'text'],
  publication: ['publication', 'text'],
  status: ['status', 'text'],
  developmentDescription: ['development_description', 'text'],
  estimatedCompletionDate: ['estimated_completion_date', 'timestamptz(3)'],
  addressLine1: ['address_line_1', 'text'],
  addressLine2: ['address_line_2', 'text'],
  postalCode: ['postal_code', 'text'],
  latitude: ['latitude', 'double precision'],
  longitude: ['longitude', 'double precision'],
  cityName: ['city_name', 'text'],
  regionName: ['region_name', 'text'],
  regionSlug: ['region_slug', 'text'],
  suburbName: ['suburb_name', 'text'],
  projectWebsiteUrl: ['project_website_url', 'text'],
  heroImage: ['hero_image_key', 'text'],
  galleryImages: ['gallery_image_keys', 'text[]'],
};

/** The columns that this file adds to a project: the folded names that filters compare. */
interface FilterKeys {
  cityKey: string;
  regionKey: string;
  regionSlugKey: string;
  suburbKey: string;
}

/** A project with the time that the stock clock gave to its change. */
export type ChangedProject = Project & { updatedAt: Date };

const WRITTEN_COLUMNS: Columns<FilterKeys & Pick<ChangedProject, 'updatedAt'>> = {
  cityKey: ['city_key', 'text'],
  regionKey: ['region_key', 'text'],
  regionSlugKey: ['region_slug_key', 'text'],
  suburbKey: ['suburb_key', 'text'],
  updatedAt: ['updated_at', 'timestamptz(3)'],
};

const UNIT_COLUMNS: Columns<Unit> = {
  id: ['id', 'uuid'],
  projectId: ['project_id', 'uuid'],
  position: ['position', 'integer'],
  name: ['name', 'text'],
  lotNumber: ['lot_number', 'jsonb'],
  unitType: ['unit_type', 'text'],
  status: ['status', 'text'],
  level: ['level', 'jsonb'],
  bedrooms: ['bedrooms', 'double precision'],
  bathrooms: ['bathrooms', 'double precision'],
  carSpaces: ['car_spaces', 'double precision'],
  aspect: ['aspect', 'text'],
  internalAreaSqm: ['internal_area_sqm', 'double precision'],
  externalAreaSqm: ['external_area_sqm', 'double precision'],
  landAreaSqm: ['land_area_sqm', 'double precision'],
  price: ['price', 'double precision'],
  priceDisplay: ['price_display', 'text'],
  currency: ['currency', 'text'],
  floorPlanImage: ['floor_plan_image_key', 'text'],
};

const projectFields = buildRowSql(PROJECT_COLUMNS).fields;
export const projectRow = buildRowSql({ ...PROJECT_COLUMNS, ...WRITTEN_COLUMNS });
export const unitRow = buildRowSql(UNIT_COLUMNS, { fixedFields: ['id', 'projectId'] });

/*
 * A writer calls these in a transaction that has ticked the stock clock. They lock projects before units, in the order
 * in which an import that links a contact does.
 */

export async function insertProjects(
  tx: Queryable,
  accountId: string,
  projects: ChangedProject[],
): Promise<void> {
  await query(
    tx,
    'projects_insert',
    sql`insert into projects (account_id, ${projectRow.columns})
      select ${accountId}, ${projectRow.values}
      from jsonb_to_recordset(${toRows(projects)}::jsonb) as r(${projectRow.definition})`,
  );
}

export async function updateProjects(
  tx: Queryable,
  accountId: string,
  projects: ChangedProject[],
): Promise<void> {
  const rows = toRows(projects);
  // Two projects may swap their slugs, so every slug that changes is first replaced by a unique placeholder.
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
    sql`update projects set ${projectRow.assignments}
      from jsonb_to_recordset(${rows}::jsonb) as r(${projectRow.definition})
      where projects.account_id = ${accountId} and projects.id = r.id`,
  );
}

/** Adds the folded forms that filters compare, and gives the rows as JSON. */
function toRows(projects: ChangedProject[]): string {
  const rows = projects.map((project): ChangedProject & FilterKeys => ({
    ...project,
    cityKey: fold(project.cityName),
    regionKey: fold(project.regionName),
    regionSlugKey: fold(project.regionSlug),
    suburbKey: fold(project.suburbName),
  }));
  return JSON.stringify(rows);
}

/**
 * Inserts units and updates existing ones by an upsert. An UPDATE with a join would be planned for a handful of rows, and
 * take quadratic time where there are thousands.
 */
export async function upsertUnits(tx: Queryable, accountId: string, units: Unit[]): Promise<void> {
  await query(
    tx,
    'units_write',
    sql`insert into units (account_id, ${unitRow.columns})
      select ${accountId}, ${unitRow.values}
      from jsonb_to_recordset(${JSON.stringify(units)}::jsonb) as r(${unitRow.definition})
      on conflict (account_id, id) do update set ${unitRow.excluded}`,
  );
}

/** Deletes units. Fails with a foreign key violation when a contact is linked to one of them. */
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
