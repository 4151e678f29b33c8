import type { OffplanClient } from './client.ts';
import {
  readStocklist,
  type ReadOptions,
  type StocklistFilters,
  type StocklistItem,
} from './pages.ts';
import type { components } from './schema.ts';

/** How far a copy of the stock is. It is plain JSON: keep it with the copy. */
export interface StockState {
  revision: string;
  /** The largest `updatedAt` of the projects so far. */
  updatedSince?: string;
  /** The projects of the copy. */
  ids: string[];
}

export interface StockChanges {
  organization: components['schemas']['Organization'];
  /** Projects that are new, or have changed. */
  changed: StocklistItem[];
  /** The ids of projects that are no longer in the list. */
  removed: string[];
  /** Give this to the next `syncStock`, after the changes are applied. */
  state: StockState;
}

type Stock = Pick<StockChanges, 'organization'> & { revision: string; projects: StocklistItem[] };
type Filters = Omit<StocklistFilters, 'updated_since'>;

/**
 * Reads what changed in the stock since the state that an earlier call gave, or all of it. The service lists the projects that
 * changed, but not those that a filter leaves out since their change. So this checks the number of projects, and reads the whole
 * list when that is not as expected.
 */
export async function syncStock(
  client: OffplanClient,
  state?: StockState,
  filters: Filters = {},
  options: ReadOptions = {},
): Promise<StockChanges> {
  if (state?.updatedSince === undefined) return readAll(client, state, filters, options);
  const delta = await readStock(client, { ...filters, updated_since: state.updatedSince }, options);
  const { organization, revision, projects: changed } = delta;
  const ids = [...new Set([...state.ids, ...changed.map(({ id }) => id)])];
  const isSame = revision === state.revision;
  if (!isSame && !(await hasCount(client, filters, ids.length, options)))
    return readAll(client, state, filters, options);
  const updatedSince = changed[0]?.updatedAt ?? state.updatedSince;
  return { organization, changed, removed: [], state: { revision, updatedSince, ids } };
}

/** Reads the whole list, and compares it with the state. */
async function readAll(
  client: OffplanClient,
  { ids: known = [], updatedSince: since = '' }: Partial<StockState> = {},
  filters: Filters,
  options: ReadOptions,
): Promise<StockChanges> {
  const { organization, revision, projects } = await readStock(client, filters, options);
  const [before, ids] = [new Set(known), projects.map(({ id }) => id)];
  const after = new Set(ids);
  // Both times have the same format, so that comparing the texts compares the times.
  const changed = projects.filter(({ id, updatedAt }) => !before.has(id) || updatedAt > since);
  const removed = known.filter((id) => !after.has(id));
  const updatedSince = projects[0]?.updatedAt;
  const state = { revision, ids, ...(updatedSince !== undefined && { updatedSince }) };
  return { organization, changed, removed, state };
}

/** Reads all pages of one state of the stock. */
async function readStock(
  client: OffplanClient,
  filters: StocklistFilters,
  options: ReadOptions,
): Promise<Stock> {
  let stock: Stock | undefined;
  for await (const page of readStocklist(client, filters, options))
    if (stock === undefined || page.pagination.page === 1) stock = page;
    else stock.projects.push(...page.projects);
  if (stock === undefined) throw new Error('The stocklist has no page.');
  return stock;
}

/** Whether the list has exactly `count` projects: of pages with one project, the last one is then page `count`. */
async function hasCount(
  client: OffplanClient,
  filters: Filters,
  count: number,
  { signal }: ReadOptions,
): Promise<boolean> {
  const query = { ...filters, limit: 1, page: count };
  const init = { params: { query }, ...(signal && { signal }) };
  const { projects, pagination } = (await client.GET('/stocklist', init)).data;
  return projects.length === 1 && !pagination.hasNextPage;
}
