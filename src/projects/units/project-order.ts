import sql, { empty, type Sql } from 'sql-template-tag';
import { orderBy, readSort } from '../../platform/database/index.ts';
import { cursorInvalid, type ListPlace } from '../../platform/http/index.ts';
import { isStorable, isUuid, parseJsonList } from '../../platform/text/index.ts';
import { matchesFilter } from './conditions.ts';
import type { UnitFilter } from './filter.ts';

/*
 * The order of the sort `project`: projects by name, and the units of each by position. The sort value of a unit is a JSON text of
 * the name of its project, the project's id and the unit's position.
 */

const POSITION_MAX = 2 ** 31 - 1;

/** Returns whether a list is in the order of projects. */
export const isByProject = (sort: string): boolean => readSort(sort).key === 'project';

/** Reads the name, the id and the position of a sort value. Throws a 400 when a cursor has another value. */
function readPlace({ value, id }: ListPlace) {
  const [nameKey, projectId, position] = parseJsonList(String(value));
  const isName = typeof nameKey === 'string' && isStorable(nameKey);
  const isProject = typeof projectId === 'string' && isUuid(projectId);
  const isPosition = typeof position === 'number' && (position | 0) === position;
  if (isName && isProject && isPosition) return { nameKey, projectId, position, id };
  throw cursorInvalid();
}

/** The sort value of a unit of the table `page`, which `selectByProject` selects. */
export const PROJECT_SORT_VALUE = sql`json_build_array(page.name_key, page.project_id, page.position)::text`;

/** Builds the order of a table that `selectByProject` selects. */
export const orderByProject = (table: string, sort: string): Sql =>
  orderBy(table, ['name_key', 'project_id', 'position', 'id'], readSort(sort));

/** A place in a list, and how many units to read after it; null for all. */
export interface Page {
  sort: string;
  after: ListPlace | null;
  limit: number | null;
}

/**
 * Builds the statement that selects the units of a page. PostgreSQL walks the index of the projects' names, and for each project the
 * index of its units, until the page is full. A search reads the row of each unit, so its units are found first.
 */
export function selectByProject(accountId: string, filter: UnitFilter, page: Page): Sql {
  const { sort, limit } = page;
  const where = matchesFilter(accountId, filter);
  const units = filter.q === undefined ? walkProjects : sortFound;
  return sql`select * from (${units(accountId, where, page)}) listed
    order by ${orderByProject('listed', sort)} limit ${limit}`;
}

function walkProjects(accountId: string, where: Sql, { sort, after, limit }: Page): Sql {
  const { isDescending, direction, sign, firstId } = readSort(sort);
  const firstPosition = isDescending ? POSITION_MAX : -POSITION_MAX - 1;
  const place = after && readPlace(after);
  const fromProject =
    place === null
      ? empty
      : sql`and (name_key, id) ${sign}= (${place.nameKey}, ${place.projectId}::uuid)`;
  const afterUnit =
    place === null
      ? empty
      : sql`and (units.position, units.id) ${sign} (
          case when p.id = ${place.projectId}::uuid then ${place.position}::int else ${firstPosition}::int end,
          case when p.id = ${place.projectId}::uuid then ${place.id}::uuid else ${firstId}::uuid end
        )`;
  return sql`select units.id, p.name_key, p.id as project_id, units.position
    from (
      select name_key, id from projects
      where account_id = ${accountId} and version > 0 ${fromProject}
    ) p
    cross join lateral (
      select units.id, units.position from units
      where ${where} and units.project_id = p.id ${afterUnit}
      order by units.position ${direction}, units.id ${direction} limit ${limit}
    ) units`;
}

function sortFound(accountId: string, where: Sql, { sort, after }: Page): Sql {
  const { sign } = readSort(sort);
  const place = after && readPlace(after);
  const isAfter =
    place === null
      ? empty
      : sql`where (p.name_key, p.id, units.position, units.id) ${sign}
          (${place.nameKey}, ${place.projectId}, ${place.position}, ${place.id})`;
  return sql`select units.id, p.name_key, p.id as project_id, units.position
    from (select units.id, project_id, position from units where ${where} offset 0) units
    join projects p on p.account_id = ${accountId} and p.id = units.project_id ${isAfter}`;
}
