import { getPrincipal } from '../../access/index.ts';
import type { Queryable } from '../../platform/database/index.ts';
import {
  createListReader,
  presentList,
  SKIP_VALIDATION,
  type ListQuery,
  type RawQuery,
  type Server,
} from '../../platform/http/index.ts';
import type { GetPool } from '../../platform/queue/index.ts';
import { listDocument } from './document.ts';
import { CHANGE_LIST, CHANGE_SCHEMAS, type ChangeFilter, type ChangeItem } from './schemas.ts';
import { listChanges } from './store.ts';

/** Adds the route that lists all changes of the account. It uses the pool for lists, because a filter can skip many changes. */
export function changeRoutes(app: Server, getLists: GetPool): void {
  const readListQuery = createListReader(CHANGE_LIST);
  for (const schema of CHANGE_SCHEMAS) app.addSchema(schema);

  const options = { config: { scope: 'audit:read' as const }, schema: listDocument };
  app.get('/changes', { ...options, ...SKIP_VALIDATION }, async (request) => {
    const query = readListQuery(request.query as RawQuery);
    const { accountId } = getPrincipal(request);
    return readChangePage(getLists(accountId), accountId, query);
  });
}

/** Reads a page of changes, as the API shows it. */
export async function readChangePage(
  db: Queryable,
  accountId: string,
  query: ListQuery<ChangeFilter>,
) {
  const found = await listChanges(db, accountId, query);
  const placeOf = ({ id }: ChangeItem) => ({ value: null, id });
  return presentList(query, found, placeOf, (change) => change);
}
