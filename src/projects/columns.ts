import { buildRowSql, type Columns } from '../platform/database/index.ts';
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

/** The columns that a writer adds to a project: the folded names that filters compare, and the tick of the stock clock. */
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

export const projectFields = buildRowSql(PROJECT_COLUMNS).fields;
export const writtenProject = buildRowSql({ ...PROJECT_COLUMNS, ...WRITTEN_COLUMNS });
export const unitRow = buildRowSql(UNIT_COLUMNS, { fixedFields: ['id', 'projectId'] });
