import { readSizes } from '../../media/index.ts';
import type { Queryable } from '../../platform/database/index.ts';
import { Problem } from '../../platform/http/index.ts';
import { isUuid, parsePictureKey, type ImageBases } from '../../platform/text/index.ts';
import { presentProject, type ShownProject } from './present.ts';
import { findProjects, type ReadProject } from './store.ts';

/** The account whose stock is read, and the base URLs of its pictures. */
export interface StockReader {
  accountId: string;
  imageBases: ImageBases;
}

/** Finds a project, as the API shows it. Throws a 404 when the account has none with this id. */
export async function requireProject(
  db: Queryable,
  { accountId, imageBases }: StockReader,
  id: string,
): Promise<ShownProject> {
  const [project] = isUuid(id) ? await findProjects(db, accountId, [id]) : [];
  const [shown] = await presentProjects(db, { accountId, imageBases }, project ? [project] : []);
  if (shown === undefined) throw projectNotFound();
  return shown;
}

/** Presents projects with the sizes of their pictures. */
export async function presentProjects(
  db: Queryable,
  { accountId, imageBases }: StockReader,
  projects: ReadProject[],
): Promise<ShownProject[]> {
  const pictures = projects.flatMap(({ heroImage, galleryImages }) => [
    heroImage,
    ...galleryImages,
  ]);
  const hashes = pictures.flatMap((each) => parsePictureKey(each?.key ?? '')?.sha256 ?? []);
  const sizes = hashes.length === 0 ? new Map() : await readSizes(db, accountId, hashes);
  return projects.map((project) => presentProject({ imageBases, sizes }, project));
}

function projectNotFound(): Problem {
  return new Problem('project_not_found', 'id must be the id of a project of this account.');
}

/** Creates the function that reads projects for their events, as the API shows them, by their ids. */
export function createProjectReader(imageBases: ImageBases) {
  return async function readProjectObjects(
    db: Queryable,
    { accountId }: { accountId: string },
    ids: string[],
  ): Promise<Map<string, ShownProject>> {
    const found = await findProjects(db, accountId, ids);
    const shown = await presentProjects(db, { accountId, imageBases }, found);
    return new Map(shown.map((project) => [project.id, project]));
  };
}
