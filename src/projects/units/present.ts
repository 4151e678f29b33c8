import { formatEtag } from '../../platform/http/index.ts';
import { imageUrl, type ImageBases } from '../../platform/text/index.ts';
import type { ReadUnit } from './store.ts';

/** A unit as the API shows it. */
export type ShownUnit = ReturnType<typeof presentUnit>;

/** Presents a unit as the API shows it. */
export function presentUnit(
  imageBases: ImageBases,
  { version, createdAt, updatedAt, floorPlanImage: image, ...unit }: ReadUnit,
) {
  return {
    ...unit,
    floorPlanImage: image && {
      key: image.key,
      url: imageUrl(imageBases, image.key),
      alt: image.alt ?? null,
    },
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
    etag: formatEtag(version),
  };
}
