import { query, type Queryable } from '../platform/database/index.ts';
import { DEFAULT_LIMIT, type FilterKeys } from './filters.ts';
import type { ChangedEntry } from './packed.ts';
import type { OrganizationRow, ProjectDetailRow, Row, StocklistItemRow } from './rows.ts';

// The text of each statement is made once: a project that is not kept takes a fiftieth less for it. $1 is the account.

/** What an account's stock was when its clock stood at `clockMs`. */
export interface Stock {
  clockMs: number;
  organization: OrganizationRow;
}

type FoundProject = Stock & { project: ProjectDetailRow };

interface StockRow {
  clock: Date;
  organization: OrganizationRow;
}

const ORGANIZATION = `(select row_to_json(organization) from (select
    accounts.account_id as id,
    accounts.company_name as "companyName",
    accounts.display_name as "displayName",
    accounts.intro,
    accounts.email,
    accounts.phone,
    accounts.location,
    accounts.website_url as "websiteUrl",
    accounts.logo_image_key as "logoImage"
  ) organization)`;

// By `filterValues`, which follow the account.
const IS_CHOSEN = `(publication = 'live'
            and ($2::text is null or region_key = $2 or region_slug_key = $2)
            and ($3::text is null or city_key = $3)
            and ($4::text is null or suburb_key = $4)
            and ($5::text is null or status = $5))`;

const filterValues = ({ region, city, suburb, status }: FilterKeys): (string | null)[] => [
  region,
  city,
  suburb,
  status,
];

// By columns: of a row PostgreSQL looks each column's type up again, which takes half of the time of a page.
const UNITS = `(select json_build_object(
        'id', json_agg(id),
        'position', json_agg(position),
        'name', json_agg(name),
        'lotNumber', json_agg(lot_number),
        'unitType', json_agg(unit_type),
        'status', json_agg(status),
        'level', json_agg(level),
        'bedrooms', json_agg(bedrooms),
        'bathrooms', json_agg(bathrooms),
        'carSpaces', json_agg(car_spaces),
        'aspect', json_agg(aspect),
        'internalAreaSqm', json_agg(internal_area_sqm),
        'externalAreaSqm', json_agg(external_area_sqm),
        'landAreaSqm', json_agg(land_area_sqm),
        'price', json_agg(price),
        'priceDisplay', json_agg(price_display),
        'currency', json_agg(currency),
        'floorPlanImage', json_agg(floor_plan_image_key)
      ) from units
      where account_id = $1 and project_id = projects.id and status <> 'Withdrawn')`;

const itemWith = (units: string): string => `id,
        slug,
        name,
        status,
        address_line_1 as "addressLine1",
        address_line_2 as "addressLine2",
        postal_code as "postalCode",
        latitude,
        longitude,
        updated_at as "updatedAt",
        city_name as "cityName",
        region_name as "regionName",
        region_slug as "regionSlug",
        suburb_name as "suburbName",
        hero_image_key as "heroImage",
        gallery_image_keys as "galleryImages",
        ${units} as units`;

/*
 * Two projects with one updated_at, which an id would order, there are not. All of them changed after -infinity: on a
 * table without statistics that leaves no other index to choose than that of the order; on others PostgreSQL may sort
 * instead. The filter is tried on each project of the account: what comes of it is kept, and brought up to date by what
 * changes.
 */
const STOCK_INDEX_READ = `select
        stock_clock as clock,
        ${ORGANIZATION} as organization,
        (
          select string_agg(
            uuid_send(id) || timestamptz_send(updated_at), ''::bytea order by updated_at desc
          )
          from projects
          where account_id = $1
            and updated_at > '-infinity'
            and ${IS_CHOSEN}
        ) as packed
      from accounts
      where account_id = $1`;

/** The live projects that a filter chooses, in the stocklist's order, packed as packed.ts reads them. */
export async function readStockIndex(
  db: Queryable,
  accountId: string,
  keys: FilterKeys,
): Promise<Stock & { packed: Buffer }> {
  const [row] = await query<StockRow & { packed: Buffer | null }>(db, 'stock_index_read', {
    text: STOCK_INDEX_READ,
    values: [accountId, ...filterValues(keys)],
  });
  if (row === undefined) throw new Error(`no account ${accountId}`);
  return { ...stockOf(row), packed: row.packed ?? Buffer.alloc(0) };
}

// One by one: `offset 0` keeps PostgreSQL from making one join of it, which on a table without statistics reads all
// projects of the account.
const STOCKLIST_ITEMS_READ = `select ${itemWith(UNITS)}
      from unnest($2::uuid[]) as wanted
      cross join lateral (
        select * from projects
        where account_id = $1 and id = wanted and publication = 'live'
        offset 0
      ) projects`;

/** The live projects among `ids`, in any order. */
export function readStocklistItems(
  db: Queryable,
  accountId: string,
  ids: string[],
): Promise<StocklistItemRow[]> {
  return query<StocklistItemRow>(db, 'stocklist_items_read', {
    text: STOCKLIST_ITEMS_READ,
    values: [accountId, ids],
  });
}

/** A project that changed. */
export interface StockChange extends ChangedEntry {
  /** What a page shows of it, when it is chosen and changed after what is kept already. */
  item: StocklistItemRow | null;
}

type ChangedRow = StockRow & { isChosen: boolean | null } & Row<
    StocklistItemRow,
    { units: StocklistItemRow['units'] | null }
  >;

const STOCK_CHANGES_READ = `select
        stock_clock as clock,
        ${ORGANIZATION} as organization,
        changed.*
      from accounts
      left join lateral (
        select
          ${IS_CHOSEN} as "isChosen",
          ${itemWith(`case when ${IS_CHOSEN} and updated_at > $7 then ${UNITS} end`)}
        from (
          select * from projects
          where account_id = $1 and updated_at > $6
          order by updated_at desc limit ${DEFAULT_LIMIT + 1}
        ) projects
      ) changed on true
      where account_id = $1
      order by changed."updatedAt" desc`;

/**
 * The projects, live or not, that changed after a time, the latest first; `isAll` unless they are more than a page has.
 * What a page shows of one is not read again when it changed before `itemsSince`.
 */
export async function readStockChanges(
  db: Queryable,
  accountId: string,
  keys: FilterKeys,
  since: Date,
  itemsSince: Date,
): Promise<Stock & { changes: StockChange[]; isAll: boolean }> {
  const rows = await query<ChangedRow>(db, 'stock_changes_read', {
    text: STOCK_CHANGES_READ,
    values: [accountId, ...filterValues(keys), since, itemsSince],
  });
  const [first] = rows;
  if (first === undefined) throw new Error(`no account ${accountId}`);
  return {
    ...stockOf(first),
    changes: rows.flatMap(toChange),
    isAll: rows.length <= DEFAULT_LIMIT,
  };
}

// Without a change there is one row all the same, of the account alone.
function toChange({
  clock: _clock,
  organization: _organization,
  isChosen,
  units,
  ...row
}: ChangedRow): StockChange[] {
  if (isChosen === null) return [];
  const { id, updatedAt } = row;
  const item = units && { ...row, units };
  return [{ id, updatedAtMs: updatedAt.getTime(), isChosen, item }];
}

const milliseconds = (timestamp: string): string =>
  `(extract(epoch from ${timestamp}) * 1000)::bigint`;

const RELATED_PROJECTS = `coalesce((select json_agg(related) from (
      select
        other.id,
        other.slug,
        other.name,
        other.status,
        other.suburb_name as "suburbName",
        other.city_name as "cityName",
        other.region_name as "regionName",
        other.hero_image_key as "heroImage"
      from related_projects link
      cross join lateral (
        select * from projects
        where account_id = $1 and id = link.related_project_id and publication = 'live'
        offset 0
      ) other
      where link.account_id = $1 and link.project_id = projects.id
      order by link.position, other.id
    ) related), '[]')`;

// As one document: of each column the driver is told its name and type, every time.
const PROJECT_FIND_BY_SLUG = `select json_build_object(
        'clockMs', ${milliseconds('stock_clock')},
        'organization', ${ORGANIZATION},
        'project', (select row_to_json(project) from (select
          projects.id,
          slug,
          name,
          status,
          development_description as "developmentDescription",
          ${milliseconds('estimated_completion_date')} as "estimatedCompletionDate",
          address_line_1 as "addressLine1",
          address_line_2 as "addressLine2",
          postal_code as "postalCode",
          city_name as "cityName",
          region_name as "regionName",
          region_slug as "regionSlug",
          suburb_name as "suburbName",
          project_website_url as "projectWebsiteUrl",
          hero_image_key as "heroImage",
          gallery_image_keys as "galleryImages",
          ${RELATED_PROJECTS} as "relatedProjects",
          ${UNITS} as units
        ) project)
      ) as found
      from projects
      join accounts on accounts.account_id = projects.account_id
      where projects.account_id = $1 and slug = $2 and publication = 'live'`;

/** The live project with this slug, or null. */
export async function findProject(
  db: Queryable,
  accountId: string,
  slug: string,
): Promise<FoundProject | null> {
  const [row] = await query<{ found: FoundProject }>(db, 'project_find_by_slug', {
    text: PROJECT_FIND_BY_SLUG,
    values: [accountId, slug],
  });
  return row?.found ?? null;
}

function stockOf({ clock, organization }: StockRow): Stock {
  return { clockMs: clock.getTime(), organization };
}
