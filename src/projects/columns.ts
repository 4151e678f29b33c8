import { raw, type Sql } from 'sql-template-tag';
import type { Project, Unit } from './schemas.ts';

type Columns<Row> = Record<keyof Row, [column: string, type: string]>;

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

/** What a writer adds to a project: the folded forms that filters compare, and the tick of the clock. */
export interface Written {
  cityKey: string;
  regionKey: string;
  regionSlugKey: string;
  suburbKey: string;
  updatedAt: Date;
}

const WRITTEN_COLUMNS: Columns<Written> = {
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

type Entry = [field: string, [column: string, type: string]];

const list = (entries: Entry[], each: (...entry: Entry) => string): Sql =>
  raw(entries.map((entry) => each(...entry)).join(', '));

/** The pieces of SQL that read and write a table's rows as JSON with the fields' names. */
function pieces(columns: Record<string, [column: string, type: string]>) {
  const entries = Object.entries(columns);
  const changeable = entries.filter(([field]) => field !== 'id' && field !== 'projectId');
  return {
    /** `id, name, …`: what an insert names. */
    columns: list(entries, (_field, [column]) => column),
    /** `id as "id", …`: a row with the fields' names. */
    fields: list(entries, (field, [column]) => `${column} as "${field}"`),
    /** `r."id", …`: the values of a record, in the order of the columns. */
    values: list(entries, (field) => `r."${field}"`),
    /** `"id" uuid, …`: the record that a row's JSON is read as. */
    definition: list(entries, (field, [, type]) => `"${field}" ${type}`),
    /** `name = r."name", …`: what an update sets. */
    assignments: list(changeable, (field, [column]) => `${column} = r."${field}"`),
    /** `name = excluded.name, …`: what an upsert sets of a row that is there. */
    excluded: list(changeable, (_field, [column]) => `${column} = excluded.${column}`),
  };
}

export const projectFields = pieces(PROJECT_COLUMNS).fields;
export const writtenProject = pieces({ ...PROJECT_COLUMNS, ...WRITTEN_COLUMNS });
export const unitRow = pieces(UNIT_COLUMNS);
