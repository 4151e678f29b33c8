import type { Static, TProperties } from 'typebox';
import type { StoredPicture, StoredRow } from '../platform/fields/index.ts';
import { imageUrl } from '../platform/text/index.ts';
import type {
  Image,
  Organization,
  ProjectDetail,
  RelatedProject,
  StocklistItem,
  Unit,
} from './schemas.ts';

/*
 * A row has the fields of its answer in their order, each image as it is stored. A spread keeps the place of a field, so that the
 * members of an answer have the order of its schema.
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

export type OrganizationRow = Row<typeof Organization>;
export type ItemRow = Omit<
  WithParts<Row<typeof StocklistItem>>,
  'unitCount' | 'availableUnitCount'
>;
export type ProjectRow = Omit<WithParts<Row<typeof ProjectDetail>>, 'relatedProjects'> & {
  relatedProjects: RelatedRow[];
};

export function presentOrganization(
  mediaBaseUrl: string,
  row: OrganizationRow,
): Static<typeof Organization> {
  const { logoImage: key } = row;
  return { ...row, logoImage: toImage(mediaBaseUrl, key === null ? null : { key }) };
}

export function presentItem(
  mediaBaseUrl: string,
  { units, ...row }: ItemRow,
): Static<typeof StocklistItem> {
  return {
    ...row,
    ...presentImages(mediaBaseUrl, row),
    unitCount: units.length,
    availableUnitCount: units.filter(({ status }) => status === 'Available').length,
    units: presentUnits(mediaBaseUrl, units),
  };
}

export function presentProject(
  mediaBaseUrl: string,
  row: ProjectRow,
): Static<typeof ProjectDetail> {
  return {
    ...row,
    ...presentImages(mediaBaseUrl, row),
    relatedProjects: row.relatedProjects.map((related) => ({
      ...related,
      heroImage: toImage(mediaBaseUrl, related.heroImage),
    })),
    units: presentUnits(mediaBaseUrl, row.units),
  };
}

function presentUnits(mediaBaseUrl: string, units: UnitRow[]): Static<typeof Unit>[] {
  return units.map((unit) => ({
    ...unit,
    floorPlanImage: toImage(mediaBaseUrl, unit.floorPlanImage),
  }));
}

function presentImages(mediaBaseUrl: string, row: Pick<ItemRow, 'heroImage' | 'galleryImages'>) {
  return {
    heroImage: toImage(mediaBaseUrl, row.heroImage),
    galleryImages: row.galleryImages.map(({ key }) => ({ key, url: imageUrl(mediaBaseUrl, key) })),
  };
}

/** Presents an image without its alternative text. */
export function toImage(
  mediaBaseUrl: string,
  image: { key: string } | null,
): Static<typeof Image> | null {
  return image === null ? null : { key: image.key, url: imageUrl(mediaBaseUrl, image.key) };
}
