import sql, { raw, type Sql } from 'sql-template-tag';
import { organizationRow } from '../accounts/index.ts';
import { query, queryStoredRows, type Queryable } from '../platform/database/index.ts';
import { projectRow, unitRow } from '../projects/index.ts';
import type { FilterKeys, StocklistRequest } from './rules.ts';
import type { ItemRow, OrganizationRow, ProjectRow, SummaryRow } from './present.ts';
import {
  Organization as OrganizationAnswer,
  ProjectDetail,
  RelatedProject,
  StocklistItem,
  Unit as UnitAnswer,
} from './schemas.ts';

// The fields of each answer in their order. A select leaves out fields without a column.
const ORGANIZATION_FIELDS = Object.keys(OrganizationAnswer.properties);
const ITEM_FIELDS = Object.keys(StocklistItem.properties);
const DETAIL_FIELDS = Object.keys(ProjectDetail.properties);
/** The fields of a summary that are columns of the project. */
const SUMMARY_FIELDS = ['latitude', 'longitude', 'updatedAt'];
const RELATED_FIELDS = Object.keys(RelatedProject.properties);
const UNIT_FIELDS = Object.keys(UnitAnswer.properties);

const organization = sql`(select row_to_json(organization) from (
    select accounts.account_id as id, ${organizationRow.select('accounts', ORGANIZATION_FIELDS)}
  ) organization)`;

const units = (accountId: string): Sql => sql`(
    select coalesce(json_agg(unit.row order by unit.position, unit.id), '[]') from (
      select u.position, u.id, (
        select row_to_json(shown) from (select ${unitRow.select('u', UNIT_FIELDS)}) shown
      ) as row
      from units u
      where u.account_id = ${accountId} and u.project_id = p.id and u.status <> 'Withdrawn'
    ) unit
  )`;

/** The ids and times of one page of the stocklist, with the stock clock and the organization of the same snapshot. */
export type PageIndex = {
  clock: Date;
  organization: OrganizationRow;
  /** The projects of the page, and the first one of the next page if there is one. */
  entries: { id: string; updatedAtMs: number }[];
  /** How many projects match; null unless the request includes it. */
  totalCount: number | null;
  /** The projects that stopped being live after `updatedSinceMs`; null unless the request includes them. */
  removed: { id: string; slug: string; removedAt: string }[] | null;
};

/**
 * Reads the ids and times of one page, in the order of the stocklist or of a walk. An index contains all columns of the filters,
 * so that a late page need not read the rows before it. The order needs no second column, because `updated_at` is unique in an
 * account.
 */
export async function findPage(
  db: Queryable,
  accountId: string,
  { page, limit, updatedSinceMs, include, cursor }: StocklistRequest,
  { region, city, suburb, status }: FilterKeys,
): Promise<PageIndex> {
  const since = updatedSinceMs === null ? '-infinity' : new Date(updatedSinceMs);
  const isWalk = cursor !== null;
  const after = cursor === null || cursor === 'start' ? '-infinity' : cursor.value;
  const direction = raw(isWalk ? 'asc' : 'desc');
  const matching = sql`select id, updated_at from projects
          where account_id = ${accountId} and publication = 'live' and updated_at > ${since}
            and (${region}::text is null or region_key = ${region} or region_slug_key = ${region})
            and (${city}::text is null or city_key = ${city})
            and (${suburb}::text is null or suburb_key = ${suburb})
            and (${status}::text is null or status = ${status})`;
  const [row] = await query<PageIndex>(
    db,
    isWalk ? 'stocklist_walk_find' : 'stocklist_page_find',
    sql`select stock_clock as clock, ${organization} as organization, (
        select coalesce(json_agg(json_build_object(
            'id', id, 'updatedAtMs', (extract(epoch from updated_at) * 1000)::bigint
          ) order by updated_at ${direction}), '[]')
        from (
          ${matching} and updated_at > ${after}
          order by updated_at ${direction} offset ${(page - 1) * limit} limit ${limit + 1}
        ) page
      ) as entries, case when ${include.includes('totalCount')}::boolean then (
        select count(*)::int from (${matching}) found
      ) end as "totalCount", case when ${include.includes('removed')}::boolean then (
        select coalesce(json_agg(json_build_object(
            'id', id, 'slug', slug, 'removedAt', to_char(removed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
          ) order by removed_at), '[]')
        from removed_projects where account_id = ${accountId} and removed_at > ${since}
      ) end as removed
      from accounts where account_id = ${accountId}`,
  );
  if (row === undefined) throw new Error(`no account ${accountId}`);
  return row;
}

/**
 * Reads the live projects among `ids`, in any order. `offset 0` makes PostgreSQL look up each id. Without it, PostgreSQL plans one
 * join, which on a table without statistics reads all projects of the account.
 */
export function findItems(db: Queryable, accountId: string, ids: string[]): Promise<ItemRow[]> {
  return queryStoredRows<ItemRow>(
    db,
    'stocklist_items_find',
    sql`select ${projectRow.select('p', ITEM_FIELDS)}, ${units(accountId)} as units
      from unnest(${ids}::uuid[]) as wanted
      cross join lateral (
        select * from projects
        where account_id = ${accountId} and id = wanted and publication = 'live'
        offset 0
      ) p`,
  );
}

const related = (accountId: string): Sql => sql`(
    select coalesce(json_agg(shown.row order by shown.position, shown.id), '[]') from (
      select link.position, r.id, (
        select row_to_json(fields) from (select ${projectRow.select('r', RELATED_FIELDS)}) fields
      ) as row
      from related_projects link
      cross join lateral (
        select * from projects
        where account_id = ${accountId} and id = link.related_project_id and publication = 'live'
        offset 0
      ) r
      where link.account_id = ${accountId} and link.project_id = p.id
    ) shown
  )`;

/** A live project with the organization, and the stock clock of the same moment. */
type FoundProject = ProjectRow & SummaryRow & { clock: string; organization: OrganizationRow };

/** Finds the live project with this slug. */
export async function findProject(
  db: Queryable,
  accountId: string,
  slug: string,
): Promise<FoundProject | undefined> {
  const [row] = await queryStoredRows<FoundProject>(
    db,
    'project_find_by_slug',
    sql`select accounts.stock_clock as clock, ${organization} as organization,
        ${projectRow.select('p', [...DETAIL_FIELDS, ...SUMMARY_FIELDS])},
        ${related(accountId)} as "relatedProjects", ${units(accountId)} as units
      from projects p
      join accounts on accounts.account_id = p.account_id
      where p.account_id = ${accountId} and p.slug = ${slug} and p.publication = 'live'`,
  );
  return row;
}
