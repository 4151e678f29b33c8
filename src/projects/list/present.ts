import type { PictureSize } from '../../media/index.ts';
import { formatEtag } from '../../platform/http/index.ts';
import { imageUrl, type ImageBases } from '../../platform/text/index.ts';
import type { StoredPicture } from '../../platform/fields/index.ts';
import { ProjectFields, UNIT_STATUSES } from '../schemas.ts';
import type { ReadProject } from './store.ts';

type FieldName = keyof typeof ProjectFields;
const FIELDS = Object.keys(ProjectFields) as FieldName[];

/** The base URLs of pictures, and the sizes of the uploaded ones. */
interface PictureSource {
  imageBases: ImageBases;
  sizes: Map<string, PictureSize>;
}

/** Presents a picture with its URL. Only an uploaded picture has a width and a height. */
function presentPicture({ imageBases, sizes }: PictureSource, { key, alt }: StoredPicture) {
  const size: PictureSize | undefined = sizes.get(key);
  const [width, height] = [size?.width ?? null, size?.height ?? null];
  return { key, url: imageUrl(imageBases, key), alt: alt ?? null, width, height };
}

/** Presents a project as the management API shows it: an empty field is null. */
export function presentProject(source: PictureSource, project: ReadProject) {
  const { heroImage, galleryImages } = project;
  // PostgreSQL returns the groups in any order, and an ETag stands for the same bytes.
  const unitCounts = Object.fromEntries(
    UNIT_STATUSES.flatMap((status) => {
      const count = project.unitCounts[status];
      return count === undefined ? [] : [[status, count]];
    }),
  );
  const fields = Object.fromEntries(FIELDS.map((field) => [field, project[field]]));
  const shown = Object.entries(unitCounts).filter(([status]) => status !== 'Withdrawn');
  return {
    id: project.id,
    slug: project.slug,
    ...fields,
    estimatedCompletionDate: project.estimatedCompletionDate?.toISOString() ?? null,
    heroImage: heroImage && presentPicture(source, heroImage),
    galleryImages: galleryImages.map((picture) => presentPicture(source, picture)),
    relatedProjectIds: project.relatedProjectIds,
    unitCount: shown.reduce((sum, [, count]) => sum + count, 0),
    availableUnitCount: unitCounts['Available'] ?? 0,
    unitCounts,
    priceFrom: project.priceFrom,
    priceTo: project.priceTo,
    priceCurrency: project.priceCurrency,
    createdAt: project.createdAt.toISOString(),
    updatedAt: project.updatedAt.toISOString(),
    etag: formatEtag(project.version),
  };
}

/** A project as the management API shows it. */
export type ShownProject = ReturnType<typeof presentProject>;
