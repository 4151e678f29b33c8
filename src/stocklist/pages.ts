import { transaction, type Pool, type Queryable } from '../platform/database/index.ts';
import type { Body } from '../platform/http/index.ts';
import { filterKeys, type StocklistRequest } from './filters.ts';
import { createStockIndexes, type StockIndex } from './indexes.ts';
import { etagOf } from './etag.ts';
import { createItems, type Item, type Items } from './items.ts';
import { countAfter, entriesBetween } from './packed.ts';

/** How often a page is begun anew because the stock changed meanwhile, before one snapshot settles it. */
const MAX_ATTEMPTS = 3;

/** A JSON text, true at one stand of the account's stock clock. */
export interface Built {
  clockMs: number;
  body: Body;
  etag: string;
}

export type BuildPage = (
  accountId: string,
  clockMs: number,
  request: StocklistRequest,
) => Promise<Built>;

/** Builds pages of the stocklist from what is kept of earlier ones, and reads only what is missing. */
export function createPageBuilder(db: Pool, mediaBaseUrl: string): BuildPage {
  const items = createItems(mediaBaseUrl);
  const indexes = createStockIndexes(db, mediaBaseUrl, items);

  return async (accountId, clockMs, request) => {
    const keys = filterKeys(request.filters);
    let index = await indexes.since(clockMs, accountId, keys);
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      const page = await pageOf(db, items, accountId, index, request);
      if (page !== null) return page;
      index = await indexes.read(db, accountId, keys);
    }
    const inOneSnapshot = async (tx: Queryable): Promise<Built | null> =>
      pageOf(tx, items, accountId, await indexes.read(tx, accountId, keys), request);
    const page = await transaction(db, inOneSnapshot, 'repeatable read, read only');
    if (page === null) throw new Error('a project of the stock index is not in its own snapshot');
    return page;
  };
}

/** The page as `index` has it, or null when one of its projects has changed since. */
async function pageOf(
  db: Queryable,
  items: Items,
  accountId: string,
  index: StockIndex,
  request: StocklistRequest,
): Promise<Built | null> {
  const count = countAfter(index.packed, request.updatedSinceMs);
  const start = (request.page - 1) * request.limit;
  const end = start + request.limit;
  const projects = await items.of(
    db,
    accountId,
    entriesBetween(index.packed, start, Math.min(end, count)),
  );
  return projects && { clockMs: index.clockMs, ...toJson(index, request, end < count, projects) };
}

// The parts are JSON already; only what is around them is made here, in the order of the schema.
function toJson(
  { organization }: StockIndex,
  { page, limit, filters }: StocklistRequest,
  hasNextPage: boolean,
  projects: Item[],
): Pick<Built, 'body' | 'etag'> {
  const pagination = { page, limit, hasNextPage, hasPreviousPage: page > 1 };
  const head = JSON.stringify({ pagination, filters }).slice(0, -1);
  const start = Buffer.from(`${head},"organization":${organization},"projects":[`);
  const separated = projects.flatMap(({ json }, position) =>
    position === 0 ? [json] : [COMMA, json],
  );
  return {
    body: [start, ...separated, END],
    etag: etagOf(Buffer.concat([start, ...projects.map(({ digest }) => digest)])),
  };
}

const COMMA = Buffer.from(',');
const END = Buffer.from(']}');
