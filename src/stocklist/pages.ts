import { transaction, type Pool } from '../database/pool.ts';
import type { Queryable } from '../database/query.ts';
import { filterKeys, type StocklistRequest } from './filters.ts';
import { createStockIndexes, type StockIndex } from './indexes.ts';
import { createItems, type ItemsOf } from './items.ts';
import { countAfter, entriesBetween } from './packed.ts';

/** How often a page is begun anew because the stock changed meanwhile, before one snapshot settles it. */
const MAX_ATTEMPTS = 3;

/** A JSON text, true at one stand of the account's stock clock. */
export interface Built {
  clockMs: number;
  body: Buffer;
}

export type BuildPage = (
  accountId: string,
  clockMs: number,
  request: StocklistRequest,
) => Promise<Built>;

/** Builds pages of the stocklist from what is kept of earlier ones, and reads only what is missing. */
export function createPageBuilder(db: Pool, mediaBaseUrl: string): BuildPage {
  const indexes = createStockIndexes(db, mediaBaseUrl);
  const itemsOf = createItems(mediaBaseUrl);

  return async (accountId, clockMs, request) => {
    const keys = filterKeys(request.filters);
    let index = await indexes.since(clockMs, accountId, keys);
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      const page = await pageOf(db, itemsOf, accountId, index, request);
      if (page !== null) return page;
      index = await indexes.read(db, accountId, keys);
    }
    const inOneSnapshot = async (tx: Queryable): Promise<Built | null> =>
      pageOf(tx, itemsOf, accountId, await indexes.read(tx, accountId, keys), request);
    const page = await transaction(db, inOneSnapshot, 'repeatable read, read only');
    if (page === null) throw new Error('a project of the stock index is not in its own snapshot');
    return page;
  };
}

/** The page as `index` has it, or null when one of its projects has changed since. */
async function pageOf(
  db: Queryable,
  itemsOf: ItemsOf,
  accountId: string,
  index: StockIndex,
  request: StocklistRequest,
): Promise<Built | null> {
  const count = countAfter(index.packed, request.updatedSinceMs);
  const start = (request.page - 1) * request.limit;
  const end = start + request.limit;
  const projects = await itemsOf(
    db,
    accountId,
    entriesBetween(index.packed, start, Math.min(end, count)),
  );
  return (
    projects && { clockMs: index.clockMs, body: toJson(index, request, end < count, projects) }
  );
}

// The parts are JSON already; only what is around them is made here, in the order of the schema.
function toJson(
  { organization }: StockIndex,
  { page, limit, filters }: StocklistRequest,
  hasNextPage: boolean,
  projects: Buffer[],
): Buffer {
  const pagination = { page, limit, hasNextPage, hasPreviousPage: page > 1 };
  const head = JSON.stringify({ pagination, filters }).slice(0, -1);
  const separated = projects.flatMap((project, position) =>
    position === 0 ? [project] : [COMMA, project],
  );
  return Buffer.concat([
    Buffer.from(`${head},"organization":${organization},"projects":[`),
    ...separated,
    END,
  ]);
}

const COMMA = Buffer.from(',');
const END = Buffer.from(']}');
