import { getPrincipal } from '../access/index.ts';
import { readChangePage, ROW_CHANGE_LIST } from '../events/index.ts';
import type { Pool } from '../platform/database/index.ts';
import {
  createListReader,
  presentList,
  sendResource,
  SKIP_VALIDATION,
  type RawQuery,
  type Server,
} from '../platform/http/index.ts';
import type { GetPool } from '../platform/queue/index.ts';
import type { ImageBases } from '../platform/text/index.ts';
import { projectEditRoutes } from './edit/routes.ts';
import { changesDocument, listDocument, showDocument } from './list/document.ts';
import { PROJECT_LIST } from './list/filter.ts';
import { PROJECT_SCHEMAS } from './list/schemas.ts';
import { presentProjects, requireProject } from './list/service.ts';
import { listProjects, type ReadProject } from './list/store.ts';

const config = { scope: 'projects:read' } as const;

interface Params {
  projectId: string;
}

interface ProjectRouteOptions {
  db: Pool;
  /** Returns the pool for the lists of an account. Its statements are planned for their values. */
  getLists: GetPool;
  imageBases: ImageBases;
}

/** Adds the management routes of projects, which also show projects that are not live. */
export function projectRoutes(
  app: Server,
  { db, getLists, imageBases }: ProjectRouteOptions,
): void {
  for (const schema of PROJECT_SCHEMAS) app.addSchema(schema);

  const readListQuery = createListReader(PROJECT_LIST);
  const list = { config, schema: listDocument, ...SKIP_VALIDATION };
  app.get('/stock/projects', list, async (request) => {
    const query = readListQuery(request.query as RawQuery);
    const { accountId } = getPrincipal(request);
    const found = await listProjects(getLists(accountId), accountId, query);
    const placeOf = ({ id, updatedAt, nameKey }: ReadProject) => ({
      id,
      value: query.sort.endsWith('name') ? nameKey : updatedAt.toISOString(),
    });
    const shown = await presentProjects(getLists(accountId), { accountId, imageBases }, found.rows);
    const shownOf = new Map(shown.map((project) => [project.id, project]));
    return presentList(query, found, placeOf, ({ id }) => shownOf.get(id));
  });

  app.get(
    '/stock/projects/:projectId',
    { config, schema: showDocument },
    async (request, reply) => {
      const { accountId } = getPrincipal(request);
      const { projectId } = request.params as Params;
      const project = await requireProject(db, { accountId, imageBases }, projectId);
      return sendResource(request, reply, project);
    },
  );

  const readChangeQuery = createListReader(ROW_CHANGE_LIST);
  const changes = { config, schema: changesDocument, ...SKIP_VALIDATION };
  app.get('/stock/projects/:projectId/changes', changes, async (request) => {
    const { accountId } = getPrincipal(request);
    const query = readChangeQuery(request.query as RawQuery);
    const { projectId } = request.params as Params;
    const { id } = await requireProject(db, { accountId, imageBases }, projectId);
    const filter = { ...query.filter, subject: [id], subjectType: ['project' as const] };
    return readChangePage(db, accountId, { ...query, filter });
  });

  projectEditRoutes(app, { db, imageBases });
}
