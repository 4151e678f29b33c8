import { LRUCache } from 'lru-cache';
import { runInTransaction, type Pool, type Queryable } from '../platform/database/index.ts';
import type { ImageBases } from '../platform/text/index.ts';
import { presentItem, presentOrganization, presentPriceRange } from './present.ts';
import { makeNextPath, toFilterKeys, type StocklistRequest } from './rules.ts';
import { findItems, findPage, type PageIndex } from './store.ts';

const ITEMS_MAX_BYTES = 32 * 1024 * 1024;

/** The JSON of an answer, as of one time of the account's stock clock. */
export interface Snapshot {
  clockMs: number;
  body: Buffer;
  headers?: Record<string, string>;
}

/** Creates the builder of stocklist pages. It caches the JSON of each project, and reads only projects that are not cached. */
export function createPageBuilder(db: Pool, imageBases: ImageBases, publicUrl: string) {
  // Every change of a project changes its `updatedAt`, so an entry with the key (id, updatedAt) never becomes stale.
  const items = new LRUCache<string, Buffer>({
    maxSize: ITEMS_MAX_BYTES,
    sizeCalculation: (json, key) => json.length + 2 * key.length,
  });

  /** Reads the JSON of each project of a page. Returns null when one of them has changed since the ids were read. */
  async function readItems(
    tx: Queryable,
    accountId: string,
    entries: PageIndex['entries'],
    withPriceRange: boolean,
  ): Promise<Buffer[] | null> {
    const kind = withPriceRange ? 'priced' : 'plain';
    const keyOf = (id: string, timeMs: number): string => `${accountId} ${kind} ${id} ${timeMs}`;
    const keys = entries.map(({ id, updatedAtMs }) => keyOf(id, updatedAtMs));
    const found = new Map(keys.map((key) => [key, items.get(key)]));
    const missing = entries.filter((_entry, at) => found.get(keys[at] ?? '') === undefined);
    if (missing.length > 0) {
      const ids = missing.map(({ id }) => id);
      for (const row of await findItems(tx, accountId, ids)) {
        const item = presentItem(imageBases, row);
        const more = withPriceRange ? presentPriceRange(row.units) : {};
        const json = Buffer.from(JSON.stringify({ ...item, ...more }));
        const key = keyOf(row.id, Date.parse(row.updatedAt));
        found.set(key, json);
        items.set(key, json);
      }
    }
    const page = keys.map((key) => found.get(key));
    return page.every((json) => json !== undefined) ? page : null;
  }

  async function buildOnce(
    tx: Queryable,
    accountId: string,
    request: StocklistRequest,
  ): Promise<Snapshot | null> {
    const index = await findPage(tx, accountId, request, toFilterKeys(request.filters));
    const { limit, include } = request;
    const page = index.entries.slice(0, limit);
    const projects = await readItems(tx, accountId, page, include.includes('priceRange'));
    if (projects === null) return null;
    const clockMs = index.clock.getTime();
    const headers = {
      'stocklist-revision': clockMs.toString(36),
      ...linkNext(index, request),
    };
    return { clockMs, body: toJson(index, request, projects), headers };
  }

  /** Makes the `Link` header to the next page of a walk. The last page has none. */
  function linkNext({ entries }: PageIndex, request: StocklistRequest): { link?: string } {
    const last = entries[request.limit - 1];
    if (request.cursor === null || entries.length <= request.limit || last === undefined) return {};
    const place = { value: new Date(last.updatedAtMs).toISOString(), id: last.id };
    return { link: `<${publicUrl}${makeNextPath(request, place)}>; rel="next"` };
  }

  // Write the members in the order of the schema.
  function toJson(index: PageIndex, request: StocklistRequest, projects: Buffer[]): Buffer {
    const { page, limit, filters } = request;
    const hasNextPage = index.entries.length > limit;
    const { totalCount, removed } = index;
    const pagination = {
      page,
      limit,
      hasNextPage,
      hasPreviousPage: page > 1,
      ...(totalCount !== null && { totalCount }),
    };
    const organization = presentOrganization(imageBases, index.organization);
    const head = JSON.stringify({ pagination, filters, organization }).slice(0, -1);
    const separated = projects.flatMap((json, at) => (at === 0 ? [json] : [COMMA, json]));
    const end = removed === null ? END : Buffer.from(`],"removed":${JSON.stringify(removed)}}`);
    return Buffer.concat([Buffer.from(`${head},"projects":[`), ...separated, end]);
  }

  return async function buildPage(accountId: string, request: StocklistRequest): Promise<Snapshot> {
    // When a project has changed between the two statements, build the page again in one snapshot.
    const built =
      (await buildOnce(db, accountId, request)) ??
      (await runInTransaction(
        db,
        (tx) => buildOnce(tx, accountId, request),
        'repeatable read, read only',
      ));
    if (built === null) throw new Error('a project of a page is not in the snapshot of the page');
    return built;
  };
}

const COMMA = Buffer.from(',');
const END = Buffer.from(']}');
