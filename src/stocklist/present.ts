import type { Static, TProperties } from 'typebox';
import type { StoredRow } from '../platform/fields/index.ts';
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
 * A row has the fields of its answer in their order, each image by its key. A spread keeps the place of a field, so that the
 * members of an answer have the order of its schema.
 */
type Row<Answer extends { properties: TProperties }> = StoredRow<Answer['properties']>;
type RowWithUnits<Answer extends { properties: TProperties }> = Omit<Row<Answer>, 'units'> & {
  units: Row<typeof Unit>[];
};

export type OrganizationRow = Row<typeof Organization>;
export type ItemRow = Omit<RowWithUnits<typeof StocklistItem>, 'unitCount' | 'availableUnitCount'>;
export type ProjectRow = Omit<RowWithUnits<typeof ProjectDetail>, 'relatedProjects'> & {
  relatedProjects: Row<typeof RelatedProject>[];
};

export function presentOrganization(
  mediaBaseUrl: string,
  row: OrganizationRow,
): Static<typeof Organization> {
  return { ...row, logoImage: toImage(mediaBaseUrl, row.logoImage) };
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

function presentUnits(mediaBaseUrl: string, units: Row<typeof Unit>[]): Static<typeof Unit>[] {
  return units.map((unit) => ({
    ...unit,
    floorPlanImage: toImage(mediaBaseUrl, unit.floorPlanImage),
  }));
}

function presentImages(mediaBaseUrl: string, row: Pick<ItemRow, 'heroImage' | 'galleryImages'>) {
  return {
    heroImage: toImage(mediaBaseUrl, row.heroImage),
    galleryImages: row.galleryImages.map((key) => ({ key, url: imageUrl(mediaBaseUrl, key) })),
  };
}

export function toImage(mediaBaseUrl: string, key: string | null): Static<typeof Image> | null {
  return key === null ? null : { key, url: imageUrl(mediaBaseUrl, key) };
}
