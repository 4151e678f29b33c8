import { getPrincipal } from '../access/index.ts';
import {
  createQueryReader,
  SKIP_VALIDATION,
  type RawQuery,
  type Server,
} from '../platform/http/index.ts';
import type { GetPool } from '../platform/queue/index.ts';
import { leadsDocument, responseDocument, stockDocument } from './document.ts';
import { FIGURE_SCHEMAS, LeadQuery, ResponseQuery, StockQuery } from './schemas.ts';
import { countLeads, measureResponseTimes } from './service.ts';
import { sumStock } from './store.ts';

const config = { scope: 'stats:read' } as const;

/** Adds the routes of figures. `getLists` returns the pool for the reports of an account. */
export function figureRoutes(app: Server, getLists: GetPool): void {
  const readLeadQuery = createQueryReader(LeadQuery);
  const readStockQuery = createQueryReader(StockQuery);
  const readResponseQuery = createQueryReader(ResponseQuery);
  for (const schema of FIGURE_SCHEMAS) app.addSchema(schema);

  const leads = { config, ...SKIP_VALIDATION, schema: leadsDocument };
  app.get('/stats/leads', leads, async (request) => {
    const query = readLeadQuery(request.query as RawQuery);
    const reader = getPrincipal(request);
    return { data: await countLeads(getLists(reader.accountId), reader, query) };
  });

  const stock = { config, ...SKIP_VALIDATION, schema: stockDocument };
  app.get('/stats/stock', stock, async (request) => {
    const { project } = readStockQuery(request.query as RawQuery);
    const { accountId } = getPrincipal(request);
    return { data: await sumStock(getLists(accountId), accountId, project) };
  });

  const response = { config, ...SKIP_VALIDATION, schema: responseDocument };
  app.get('/stats/response', response, async (request) => {
    const query = readResponseQuery(request.query as RawQuery);
    const reader = getPrincipal(request);
    return { data: await measureResponseTimes(getLists(reader.accountId), reader, query) };
  });
}
