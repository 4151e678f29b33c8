import sql from 'sql-template-tag';
import { query, type Queryable } from '../../platform/database/index.ts';

/** Finds which of these ids belong to projects of the account. */
export async function findProjectIds(
  tx: Queryable,
  accountId: string,
  ids: string[],
): Promise<Set<string>> {
  const rows = await query<{ id: string }>(
    tx,
    'project_ids_find',
    sql`select id from projects where account_id = ${accountId} and id = any(${ids}::uuid[])`,
  );
  return new Set(rows.map(({ id }) => id));
}

/** Finds the project with this slug. */
export async function findIdOfSlug(
  tx: Queryable,
  accountId: string,
  slug: string,
): Promise<string | undefined> {
  const [row] = await query<{ id: string }>(
    tx,
    'project_id_of_slug',
    sql`select id from projects where account_id = ${accountId} and slug = ${slug}`,
  );
  return row?.id;
}

/** Finds the projects that have this one as a related project. */
export async function findRelating(
  tx: Queryable,
  accountId: string,
  id: string,
): Promise<string[]> {
  const rows = await query<{ id: string }>(
    tx,
    'projects_relating_find',
    sql`select project_id as id from related_projects
      where account_id = ${accountId} and related_project_id = ${id} and position >= 0 order by project_id`,
  );
  return rows.map((row) => row.id);
}

const COUNT_MAX = 10_000;

/** Counts the contacts that are linked to a project or to a unit of it. It counts only a limited number of links. */
export async function countLinkedContacts(
  tx: Queryable,
  accountId: string,
  projectId: string,
): Promise<number> {
  const [row] = await query<{ count: number }>(
    tx,
    'project_contacts_count',
    // The order is that of the index by project, so PostgreSQL reads no other links.
    sql`select count(distinct contact_id)::int as count from (
        select contact_id from contact_links
        where account_id = ${accountId} and project_id = ${projectId}
        order by unit_id, contact_id limit ${COUNT_MAX}
      ) first`,
  );
  return row?.count ?? 0;
}
