import { formatEtag } from '../../platform/http/index.ts';
import { imageUrl, type ImageBases } from '../../platform/text/index.ts';
import type { StoredPicture } from '../../platform/fields/index.ts';
import { ProjectFields } from '../schemas.ts';
import type { ReadProject } from './store.ts';

type FieldName = keyof typeof ProjectFields;
const FIELDS = Object.keys(ProjectFields) as FieldName[];

/** Presents a picture with its URL. Its width and height are null: only pictures that were uploaded have them. */
function presentPicture(imageBases: ImageBases, { key, alt }: StoredPicture) {
  return { key, url: imageUrl(imageBases, key), alt: alt ?? null, width: null, height: null };
}

/** Presents a project as the management API shows it: an empty field is null. */
export function presentProject(imageBases: ImageBases, project: ReadProject) {
  const { heroImage, galleryImages, unitCounts } = project;
  const fields = Object.fromEntries(FIELDS.map((field) => [field, project[field]]));
  const shown = Object.entries(unitCounts).filter(([status]) => status !== 'Withdrawn');
  return {
    id: project.id,
    ...fields,
    estimatedCompletionDate: project.estimatedCompletionDate?.toISOString() ?? null,
    heroImage: heroImage && presentPicture(imageBases, heroImage),
    galleryImages: galleryImages.map((picture) => presentPicture(imageBases, picture)),
    relatedProjectIds: project.relatedProjectIds,
    unitCount: shown.reduce((sum, [, count]) => sum + count, 0),
    availableUnitCount: unitCounts['Available'] ?? 0,
    unitCounts,
    priceFrom: project.priceFrom,
    priceTo: project.priceTo,
    createdAt: project.createdAt.toISOString(),
    updatedAt: project.updatedAt.toISOString(),
    etag: formatEtag(project.version),
  };
}

/** A project as the management API shows it. */
export type ShownProject = ReturnType<typeof presentProject>;
