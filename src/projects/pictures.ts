import type { WrittenKey } from '../media/index.ts';
import type { RowChange } from './rules.ts';
import type { Project, Unit } from './schemas.ts';

/** Lists the image keys that changes of projects and units add, with their places in the rows. */
export function listWrittenKeys({
  projects = [],
  units = [],
}: {
  projects?: RowChange<Project>[];
  units?: RowChange<Unit>[];
}): WrittenKey[] {
  return [
    ...projects.flatMap(listKeysOfProject),
    ...units.flatMap(({ stored, row, pointer = '' }) => {
      const key = row.floorPlanImage?.key;
      if (key === undefined || key === stored?.floorPlanImage?.key) return [];
      return { pointer: `${pointer}/floorPlanImage/key`, key };
    }),
  ];
}

function listKeysOfProject({ stored, row }: RowChange<Project>): WrittenKey[] {
  const storedPictures = [stored?.heroImage, ...(stored?.galleryImages ?? [])];
  const before = new Set(storedPictures.map((each) => each?.key));
  const gallery = row.galleryImages.map(({ key }, index) => ({
    pointer: `/galleryImages/${index}/key`,
    key,
  }));
  const hero = row.heroImage && { pointer: '/heroImage/key', key: row.heroImage.key };
  return [...(hero ? [hero] : []), ...gallery].filter(({ key }) => !before.has(key));
}
