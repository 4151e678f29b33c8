import { type Organization, organizationFields } from '../accounts/index.ts';
import type { User } from '../users/index.ts';
import { query, type Queryable } from '../platform/database/index.ts';
import { projectFields, unitRow, type Project, type Unit } from '../projects/index.ts';
import { groupBy } from '../platform/text/index.ts';
import type { StoredProject } from './projects.ts';
import sql from 'sql-template-tag';

export async function organizationRead(tx: Queryable, accountId: string): Promise<Organization> {
  const [row] = await query<Organization>(
    tx,
    'organization_read',
    sql`select ${organizationFields} from accounts where account_id = ${accountId}`,
  );
  if (row === undefined) throw new Error(`no account ${accountId}`);
  return row;
}

export function usersRead(tx: Queryable, accountId: string): Promise<User[]> {
  return query<User>(
    tx,
    'users_read',
    sql`select id, email, name, active from users where account_id = ${accountId} order by id`,
  );
}

/** The labels of an account's tags by their ids, in the order of these. */
export async function labelsRead(tx: Queryable, accountId: string): Promise<Map<string, string>> {
  const rows = await query<{ id: string; label: string }>(
    tx,
    'labels_read',
    sql`select id, label from tags where account_id = ${accountId} order by id`,
  );
  return new Map(rows.map(({ id, label }) => [id, label]));
}

/** All projects of an account, by id, with their units and related projects in their order. */
export async function projectsRead(tx: Queryable, accountId: string): Promise<StoredProject[]> {
  const projects = await query<
    Omit<Project, 'estimatedCompletionDate'> & { estimatedCompletionDate: Date }
  >(
    tx,
    'projects_read',
    sql`select ${projectFields} from projects where account_id = ${accountId} order by id`,
  );
  const unitsOf = groupBy(await unitsRead(tx, accountId), ({ projectId }) => projectId);
  const relatedOf = groupBy(await relationsRead(tx, accountId), ({ projectId }) => projectId);
  return projects.map((project) => ({
    ...project,
    estimatedCompletionDate: project.estimatedCompletionDate.toISOString(),
    relatedIds: (relatedOf.get(project.id) ?? []).map(({ relatedId }) => relatedId),
    units: unitsOf.get(project.id) ?? [],
  }));
}

function unitsRead(tx: Queryable, accountId: string): Promise<Unit[]> {
  return query<Unit>(
    tx,
    'units_read',
    sql`select ${unitRow.fields} from units where account_id = ${accountId} order by position, id`,
  );
}

function relationsRead(tx: Queryable, accountId: string) {
  return query<{ projectId: string; relatedId: string }>(
    tx,
    'relations_read',
    sql`select project_id as "projectId", related_project_id as "relatedId"
      from related_projects where account_id = ${accountId} order by position, related_project_id`,
  );
}

/** Those of some units that a contact is linked to. */
export async function linkedUnitsFind(
  tx: Queryable,
  accountId: string,
  units: Unit[],
): Promise<Set<string>> {
  const projectIds = units.map(({ projectId }) => projectId);
  const rows = await query<{ unitId: string }>(
    tx,
    'linked_units_find',
    sql`select distinct unit_id as "unitId" from contact_links
      where account_id = ${accountId} and project_id = any(${projectIds}::uuid[])
        and unit_id = any(${units.map(({ id }) => id)}::uuid[])`,
  );
  return new Set(rows.map(({ unitId }) => unitId));
}
