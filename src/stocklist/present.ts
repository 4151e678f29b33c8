import type { Static, TProperties } from 'typebox';
import type { StoredPicture, StoredRow } from '../platform/fields/index.ts';
import { imageUrl, type ImageBases } from '../platform/text/index.ts';
import type {
  Image,
  Organization,
  PriceRange,
  ProjectDetail,
  RelatedProject,
  StocklistItem,
  Summary,
  Unit,
} from './schemas.ts';

/*
 * A row has the fields of its answer in the order of the schema, with images as they are stored. A spread keeps the place of each
 * field, so the members of the answer have that order, too.
 */
type Row<Answer extends { properties: TProperties }> = StoredRow<Answer['properties']>;
type Pictured<Row, Field extends keyof Row = never> = Omit<Row, Field> & {
  [Name in Field]: StoredPicture | null;
};
type UnitRow = Pictured<Row<typeof Unit>, 'floorPlanImage'>;
type RelatedRow = Pictured<Row<typeof RelatedProject>, 'heroImage'>;
type WithParts<Row extends { heroImage: unknown }> = Omit<
  Pictured<Row, 'heroImage'>,
  'galleryImages' | 'units'
> & {
  galleryImages: StoredPicture[];
  units: UnitRow[];
};

/** The organization, as a query of the stocklist reads it. */
export type OrganizationRow = Row<typeof Organization>;
/** A project of a page, as a query reads it. Its counts and prices are computed from its units. */
export type ItemRow = Omit<
  WithParts<Row<typeof StocklistItem>>,
  'unitCount' | 'availableUnitCount' | 'priceFrom' | 'priceTo'
>;
/** The project of GET /projects/:slug, as a query reads it. */
export type ProjectRow = Omit<WithParts<Row<typeof ProjectDetail>>, 'relatedProjects'> & {
  relatedProjects: RelatedRow[];
};

export function presentOrganization(
  imageBases: ImageBases,
  row: OrganizationRow,
): Static<typeof Organization> {
  const { logoImage: key } = row;
  return { ...row, logoImage: toImage(imageBases, key === null ? null : { key }) };
}

export function presentItem(
  imageBases: ImageBases,
  { units, ...row }: ItemRow,
): Static<typeof StocklistItem> {
  return {
    ...row,
    ...presentImages(imageBases, row),
    ...countUnits(units),
    units: presentUnits(imageBases, units),
  };
}

/** The columns of a project that only its summary needs. */
export type SummaryRow = Pick<ItemRow, 'latitude' | 'longitude' | 'updatedAt'>;

/** Presents the fields of a stocklist item that a project's own page does not have. */
export function presentSummary(
  { latitude, longitude, updatedAt }: SummaryRow,
  units: UnitRow[],
): Static<typeof Summary> {
  return { latitude, longitude, updatedAt, ...countUnits(units) };
}

function countUnits(units: UnitRow[]) {
  const available = units.filter(({ status }) => status === 'Available');
  return { unitCount: units.length, availableUnitCount: available.length };
}

/** Presents the lowest and the highest price of the available units. */
export function presentPriceRange(
  units: Pick<UnitRow, 'status' | 'price'>[],
): Static<typeof PriceRange> {
  const prices = units.flatMap(({ status, price }) =>
    status === 'Available' && price != null ? price : [],
  );
  if (prices.length === 0) return { priceFrom: null, priceTo: null };
  return { priceFrom: Math.min(...prices), priceTo: Math.max(...prices) };
}

export function presentProject(
  imageBases: ImageBases,
  row: ProjectRow,
): Static<typeof ProjectDetail> {
  return {
    ...row,
    ...presentImages(imageBases, row),
    relatedProjects: row.relatedProjects.map((related) => ({
      ...related,
      heroImage: toImage(imageBases, related.heroImage),
    })),
    units: presentUnits(imageBases, row.units),
  };
}

function presentUnits(imageBases: ImageBases, units: UnitRow[]): Static<typeof Unit>[] {
  return units.map((unit) => ({
    ...unit,
    floorPlanImage: toImage(imageBases, unit.floorPlanImage),
  }));
}

function presentImages(imageBases: ImageBases, row: Pick<ItemRow, 'heroImage' | 'galleryImages'>) {
  return {
    heroImage: toImage(imageBases, row.heroImage),
    galleryImages: row.galleryImages.map(({ key }) => ({ key, url: imageUrl(imageBases, key) })),
  };
}

/** Presents an image without its alternative text. */
export function toImage(
  imageBases: ImageBases,
  image: { key: string } | null,
): Static<typeof Image> | null {
  return image === null ? null : { key: image.key, url: imageUrl(imageBases, image.key) };
}
