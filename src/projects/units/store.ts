import sql from 'sql-template-tag';
import { query, type Queryable } from '../../platform/database/index.ts';
import { UnitFields, type Unit } from '../schemas.ts';
import { unitRow } from '../store.ts';

/** A unit as it is read, with its version. */
export type ReadUnit = Unit & { version: number; createdAt: Date; updatedAt: Date };

const COLUMNS = ['id', 'projectId', 'position', 'createdAt', 'updatedAt'];

/** Selects the columns of units. */
export const selectUnits = sql`${unitRow.select('units', [...COLUMNS, ...Object.keys(UnitFields)])},
  units.version`;

/** Finds units by their ids. */
export function findUnits(db: Queryable, accountId: string, ids: string[]): Promise<ReadUnit[]> {
  return query<ReadUnit>(
    db,
    'units_find',
    // `offset 0` makes PostgreSQL look up each unit by its id. With `= any`, it could read all units of the account.
    sql`select ${selectUnits}
      from unnest(${ids}::uuid[]) as wanted
      cross join lateral (
        select * from units where account_id = ${accountId} and id = wanted offset 0
      ) units`,
  );
}

/** Finds all units of a project, in their order. */
export function findUnitsOfProject(
  db: Queryable,
  accountId: string,
  projectId: string,
): Promise<ReadUnit[]> {
  return query<ReadUnit>(
    db,
    'units_find_of_project',
    sql`select ${selectUnits} from units
      where units.account_id = ${accountId} and units.project_id = ${projectId}
      order by units.position, units.id`,
  );
}

/** Finds the last position that a unit of a project has; -1 without units. */
export async function findLastPosition(
  db: Queryable,
  accountId: string,
  projectId: string,
): Promise<number> {
  const [row] = await query<{ position: number | null }>(
    db,
    'units_find_last_position',
    sql`select max(position) as position from units
      where account_id = ${accountId} and project_id = ${projectId}`,
  );
  return row?.position ?? -1;
}

/** Counts the links of contacts to a unit. */
export async function countLinks(
  db: Queryable,
  accountId: string,
  { id, projectId }: Pick<Unit, 'id' | 'projectId'>,
): Promise<number> {
  const [row] = await query<{ count: number }>(
    db,
    'unit_links_count',
    sql`select count(*)::int as count from contact_links
      where account_id = ${accountId} and project_id = ${projectId} and unit_id = ${id}`,
  );
  return row?.count ?? 0;
}
