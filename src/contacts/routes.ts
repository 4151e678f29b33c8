import type { SendDownload } from '../access/index.ts';
import type { Pool } from '../platform/database/index.ts';
import type { Server } from '../platform/http/index.ts';
import type { GetPool } from '../platform/queue/index.ts';
import { activityRoutes } from './activities/routes.ts';
import { bulkRoutes } from './bulk/routes.ts';
import { duplicateRoutes } from './duplicates/routes.ts';
import { editRoutes } from './edit/routes.ts';
import { exportRoutes } from './export/routes.ts';
import { listRoutes } from './list/routes.ts';
import { mergeRoutes } from './merge/routes.ts';

interface ContactRouteOptions {
  db: Pool;
  /** Returns the pool for the lists of an account. Its statements are planned for their values. */
  getLists: GetPool;
  /** Answers with an export. */
  sendDownload: SendDownload;
}

/** Adds the routes of contacts, except imports, tags and erasure. */
export function contactRoutes(
  app: Server,
  { db, getLists, sendDownload }: ContactRouteOptions,
): void {
  listRoutes(app, { db, getLists });
  duplicateRoutes(app, getLists);
  activityRoutes(app, { db, getLists });
  editRoutes(app, db);
  bulkRoutes(app, db);
  mergeRoutes(app, db);
  exportRoutes(app, sendDownload);
}
