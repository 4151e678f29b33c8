import type { Static } from 'typebox';
import type {
  Image,
  Organization,
  ProjectDetail,
  RelatedProject,
  StocklistItem,
  Unit,
} from './schemas.ts';

/**
 * A row has the fields of its answer in their order, each image by its key and each time as a Date. A spread keeps the
 * place of a field, so that the members of an answer have the order of its schema.
 */
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

/** Characters that a URL takes as they are. Nearly every key has no others. */
const PLAIN = /^\w[\w./-]*$/;

/** The media base, one slash, the key: percent-encoded only where a URL needs it. */
export function imageUrl(mediaBaseUrl: string, key: string): string {
  if (PLAIN.test(key)) return `${mediaBaseUrl}/${key}`;
  const path = encodeURI(key.replace(/^\/+/, '').toWellFormed());
  return `${mediaBaseUrl}/${path.replace(/[?#]/g, encodeURIComponent)}`;
}

export function toImage(mediaBaseUrl: string, key: string): Static<typeof Image>;
export function toImage(mediaBaseUrl: string, key: string | null): Static<typeof Image> | null;
export function toImage(mediaBaseUrl: string, key: string | null): Static<typeof Image> | null {
  return key === null ? null : { key, url: imageUrl(mediaBaseUrl, key) };
}
