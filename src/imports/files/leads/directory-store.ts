import sql from 'sql-template-tag';
import { query, type Queryable } from '../../../platform/database/index.ts';
import type { Directory } from './name-finder.ts';

/** Reads the active people, live projects and linkable units of an account. */
export async function readDirectory(db: Queryable, accountId: string): Promise<Directory> {
  const [users, projects, units] = await Promise.all([
    query<Directory['users'][number]>(
      db,
      'file_users_read',
      sql`select id, email, name from users where account_id = ${accountId} and active`,
    ),
    query<Directory['projects'][number]>(
      db,
      'file_projects_read',
      sql`select id, slug, name from projects where account_id = ${accountId} and publication = 'live'`,
    ),
    query<Directory['units'][number]>(
      db,
      'file_units_read',
      sql`select units.id, units.project_id as "projectId", units.name, units.lot_number #>> '{}' as "lotNumber"
      from units join projects on projects.account_id = ${accountId} and projects.id = units.project_id
      where units.account_id = ${accountId} and projects.publication = 'live' and units.status <> 'Withdrawn'`,
    ),
  ]);
  return { users, projects, units };
}
