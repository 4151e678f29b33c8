import type { Static } from 'typebox';
import { toImage } from './images.ts';
import type {
  Organization,
  ProjectDetail,
  RelatedProject,
  StocklistItem,
  Unit,
} from './schemas.ts';

type OrganizationAnswer = Static<typeof Organization>;
type UnitAnswer = Static<typeof Unit>;
type RelatedProjectAnswer = Static<typeof RelatedProject>;
type ItemAnswer = Static<typeof StocklistItem>;
type DetailAnswer = Static<typeof ProjectDetail>;

// A row has the fields of its answer, in their order; what differs is what PostgreSQL does not know.
export type Row<Answer, Differing> = Omit<Answer, keyof Differing> & Differing;

export type OrganizationRow = Row<OrganizationAnswer, { logoImage: string | null }>;
type UnitRow = Row<UnitAnswer, { floorPlanImage: string | null }>;
/** Units by columns in any order, all as long as the first; when there are none each is null. */
type UnitColumns =
  | ({ [Field in keyof UnitRow]: UnitRow[Field][] } & { position: number[] })
  | { id: null };
type RelatedProjectRow = Row<RelatedProjectAnswer, { heroImage: string | null }>;

interface Pictures {
  heroImage: string | null;
  galleryImages: string[];
}

export type StocklistItemRow = Row<
  Omit<ItemAnswer, 'unitCount' | 'availableUnitCount'>,
  Pictures & { updatedAt: Date; units: UnitColumns }
>;

export type ProjectDetailRow = Row<
  DetailAnswer,
  Pictures & {
    /** In milliseconds. */
    estimatedCompletionDate: number;
    relatedProjects: RelatedProjectRow[];
    units: UnitColumns;
  }
>;

export function toOrganization(mediaBaseUrl: string, row: OrganizationRow): OrganizationAnswer {
  return { ...row, logoImage: toImage(mediaBaseUrl, row.logoImage) };
}

export function toStocklistItem(
  mediaBaseUrl: string,
  { units: columns, ...row }: StocklistItemRow,
): ItemAnswer {
  const units = toUnits(mediaBaseUrl, columns);
  return {
    ...row,
    updatedAt: row.updatedAt.toISOString(),
    ...toPictures(mediaBaseUrl, row),
    unitCount: units.length,
    availableUnitCount: units.filter(({ status }) => status === 'Available').length,
    units,
  };
}

export function toProjectDetail(mediaBaseUrl: string, row: ProjectDetailRow): DetailAnswer {
  return {
    ...row,
    estimatedCompletionDate: new Date(row.estimatedCompletionDate).toISOString(),
    ...toPictures(mediaBaseUrl, row),
    relatedProjects: row.relatedProjects.map((related) => ({
      ...related,
      heroImage: toImage(mediaBaseUrl, related.heroImage),
    })),
    units: toUnits(mediaBaseUrl, row.units),
  };
}

// Field by field: V8 makes objects of a shape that it knows faster than of names that it is told.
function toUnits(mediaBaseUrl: string, of: UnitColumns): UnitAnswer[] {
  if (of.id === null) return [];
  return inOrder(of.id, of.position).map(({ id, at }) => {
    const unit = {
      id,
      name: of.name[at],
      lotNumber: of.lotNumber[at],
      unitType: of.unitType[at],
      status: of.status[at],
      level: of.level[at],
      bedrooms: of.bedrooms[at],
      bathrooms: of.bathrooms[at],
      carSpaces: of.carSpaces[at],
      aspect: of.aspect[at],
      internalAreaSqm: of.internalAreaSqm[at],
      externalAreaSqm: of.externalAreaSqm[at],
      landAreaSqm: of.landAreaSqm[at],
      price: of.price[at],
      priceDisplay: of.priceDisplay[at],
      currency: of.currency[at],
      floorPlanImage: toImage(mediaBaseUrl, of.floorPlanImage[at] ?? null),
    } satisfies Record<keyof UnitAnswer, unknown>;
    return unit as UnitAnswer;
  });
}

// Here, since PostgreSQL would move whole rows to bring them into order.
function inOrder(ids: string[], positions: number[]) {
  const units = ids.map((id, at) => ({ id, at, position: positions[at] ?? 0 }));
  return units.toSorted((a, b) => a.position - b.position || (a.id < b.id ? -1 : 1));
}

function toPictures(mediaBaseUrl: string, { heroImage, galleryImages }: Pictures) {
  return {
    heroImage: toImage(mediaBaseUrl, heroImage),
    galleryImages: galleryImages.map((key) => toImage(mediaBaseUrl, key)),
  };
}
