import type { Queryable } from '../../platform/database/index.ts';
import { Problem } from '../../platform/http/index.ts';
import { isUuid, type ImageBases } from '../../platform/text/index.ts';
import { presentProject, type ShownProject } from './present.ts';
import { findProjects } from './store.ts';

/** The account whose stock is read, and where its pictures are. */
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
  if (project === undefined) throw projectNotFound();
  return presentProject(imageBases, project);
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
    return new Map(found.map((project) => [project.id, presentProject(imageBases, project)]));
  };
}
