import sql from 'sql-template-tag';
import { query, type Queryable } from '../../platform/database/index.ts';
import { formatEtag, Problem } from '../../platform/http/index.ts';
import { isUuid } from '../../platform/text/index.ts';

export async function requireProject(db: Queryable, accountId: string, id: string) {
  const [row] = isUuid(id)
    ? await query<{ id: string; version: number }>(
        db,
        'project_find_for_units',
        sql`select id, version from projects where account_id = ${accountId} and id = ${id}`,
      )
    : [];
  if (row === undefined)
    throw new Problem(
      'project_not_found',
      'projectId must be the id of a project of this account.',
    );
  return { id: row.id, etag: formatEtag(row.version) };
}
