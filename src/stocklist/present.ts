import type { Static } from 'typebox';
import { toImage } from './images.ts';
import type {
  Organization,
  ProjectDetail,
  RelatedProject,
  StocklistItem,
  Unit,
} from './schemas.ts';

// A spread keeps the place of a field, so that a member of an answer stands where its schema has it.
/** A row has the fields of its answer in their order, each image by its key and each time as a Date. */
type Row<Answer, Differing> = Omit<Answer, keyof Differing> & Differing;

interface Images {
  heroImage: string | null;
  galleryImages: string[];
}

export type OrganizationRow = Row<Static<typeof Organization>, { logoImage: string | null }>;
type UnitRow = Row<Static<typeof Unit>, { floorPlanImage: string | null }>;
export type RelatedRow = Row<Static<typeof RelatedProject>, { heroImage: string | null }>;

export type ItemRow = Row<
  Omit<Static<typeof StocklistItem>, 'unitCount' | 'availableUnitCount'>,
  Images & { updatedAt: Date; units: UnitRow[] }
>;

export type ProjectRow = Row<
  Static<typeof ProjectDetail>,
  Images & { estimatedCompletionDate: Date; relatedProjects: RelatedRow[]; units: UnitRow[] }
>;

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
    updatedAt: row.updatedAt.toISOString(),
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
    estimatedCompletionDate: row.estimatedCompletionDate.toISOString(),
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

function presentImages(mediaBaseUrl: string, { heroImage, galleryImages }: Images) {
  return {
    heroImage: toImage(mediaBaseUrl, heroImage),
    galleryImages: galleryImages.map((key) => toImage(mediaBaseUrl, key)),
  };
}
