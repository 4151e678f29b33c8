import { runInTransaction, type Pool, type Queryable } from '../platform/database/index.ts';
import type { ImageBases } from '../platform/text/index.ts';
import { createItemReader } from './items.ts';
import { presentOrganization } from './present.ts';
import { makeNextPath, toFilterKeys, type StocklistRequest } from './rules.ts';
import { findPage, type PageIndex } from './store.ts';

/** The JSON of an answer, as of one time of the account's stock clock. */
export interface Snapshot {
  clockMs: number;
  body: Buffer;
  headers?: Record<string, string>;
}

/** Creates the builder of stocklist pages. */
export function createPageBuilder(db: Pool, imageBases: ImageBases, publicUrl: string) {
  const readItems = createItemReader(imageBases);

  /** Builds a page. Returns null when a project has changed between the two statements. */
  async function buildOnce(
    tx: Queryable,
    accountId: string,
    request: StocklistRequest,
  ): Promise<Snapshot | null> {
    const index = await findPage(tx, accountId, request, toFilterKeys(request.filters));
    const { limit, include } = request;
    const projects = await readItems(tx, accountId, index.entries.slice(0, limit), {
      hasPriceRange: include.includes('priceRange'),
    });
    if (projects === null) return null;
    const clockMs = index.clock.getTime();
    const nextPath = findNextPath(index, request);
    const headers = {
      'stocklist-revision': clockMs.toString(36),
      ...(nextPath !== null && { link: `<${publicUrl}${nextPath}>; rel="next"` }),
    };
    return { clockMs, body: toJson(imageBases, index, request, projects), headers };
  }

  return async function buildPage(accountId: string, request: StocklistRequest): Promise<Snapshot> {
    const built =
      (await buildOnce(db, accountId, request)) ??
      // In one snapshot, no project can change between the two statements.
      (await runInTransaction(
        db,
        (tx) => buildOnce(tx, accountId, request),
        'repeatable read, read only',
      ));
    if (built === null) throw new Error('a project of a page is not in the snapshot of the page');
    return built;
  };
}

/** Makes the path of the next page of a walk; null for the last page, and for a page by its number. */
function findNextPath({ entries }: PageIndex, request: StocklistRequest): string | null {
  const last = entries[request.limit - 1];
  if (request.cursor === null || entries.length <= request.limit || last === undefined) return null;
  const place = { value: new Date(last.updatedAtMs).toISOString(), id: last.id };
  return makeNextPath(request, place);
}

const COMMA = Buffer.from(',');
const END = Buffer.from(']}');

/** Joins the JSON of a page. Its members are in the order of the schema. */
function toJson(
  imageBases: ImageBases,
  index: PageIndex,
  { page, limit, filters }: StocklistRequest,
  projects: Buffer[],
): Buffer {
  const { totalCount, removed } = index;
  const pagination = {
    page,
    limit,
    hasNextPage: index.entries.length > limit,
    hasPreviousPage: page > 1,
    ...(totalCount !== null && { totalCount }),
  };
  const organization = presentOrganization(imageBases, index.organization);
  const head = JSON.stringify({ pagination, filters, organization }).slice(0, -1);
  const separated = projects.flatMap((json, at) => (at === 0 ? [json] : [COMMA, json]));
  const end = removed === null ? END : Buffer.from(`],"removed":${JSON.stringify(removed)}}`);
  return Buffer.concat([Buffer.from(`${head},"projects":[`), ...separated, end]);
}
