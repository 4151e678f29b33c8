import type { InitArguments, OffplanClient, OptionsOf, PathsWith } from './client.ts';
import type { components, paths } from './schema.ts';

interface Page {
  data: unknown[];
  pagination: { nextCursor: string | null };
}

type Success<Path extends keyof paths> = paths[Path] extends {
  get: { responses: { 200: { content: { 'application/json': infer Body } } } };
}
  ? Body
  : never;
/** The lists that have a cursor. */
export type ListPath = {
  [Path in PathsWith<'get'>]: Success<Path> extends Page ? Path : never;
}[PathsWith<'get'>];
export type Item<Path extends ListPath> = Success<Path> extends { data: (infer T)[] } ? T : never;

/** Goes through all items of a list, or through those after the `cursor` of the query, and reads page after page. */
export async function* listItems<Path extends ListPath, Options extends OptionsOf<Path, 'get'>>(
  client: OffplanClient,
  path: Path,
  ...[init]: InitArguments<Options>
): AsyncGenerator<Item<Path>, void, undefined> {
  // All lists have this in common, which TypeScript cannot infer.
  const read = client.GET as (path: Path, init: object) => Promise<{ data: Page }>;
  const { params, ...others } = (init ?? {}) as { params?: { query?: object } };
  let page: object = {};
  for (;;) {
    const query = { limit: 100, ...params?.query, ...page };
    const { data } = await read(path, { ...others, params: { ...params, query } });
    yield* data.data as Item<Path>[];
    const { nextCursor } = data.pagination;
    if (nextCursor === null) return;
    page = { cursor: nextCursor };
  }
}

export type StocklistItem = components['schemas']['StocklistItem'];
type StocklistPage = components['schemas']['StocklistResponse'];
type StocklistQuery = NonNullable<paths['/stocklist']['get']['parameters']['query']>;
/** The filters of the stocklist. */
export type StocklistFilters = Omit<StocklistQuery, 'page' | 'limit'>;

export interface ReadOptions {
  signal?: AbortSignal | undefined;
  /** How many projects a page has; 100 by default, and at most. */
  limit?: number;
}

const MAX_RESTARTS = 10;

/**
 * Reads the pages of the stocklist. When the stock changes between two of them, projects have moved, so it starts again at
 * page 1, at most 10 times.
 */
export async function* readStocklist(
  client: OffplanClient,
  filters: StocklistFilters,
  { signal, limit = 100 }: ReadOptions,
): AsyncGenerator<StocklistPage & { revision: string }, void, undefined> {
  let revision = '';
  let restarts = 0;
  for (let page = 1; ; page++) {
    const query = { ...filters, limit, page };
    const { data, response } = await client.GET('/stocklist', {
      params: { query },
      ...(signal && { signal }),
    });
    const current = response.headers.get('stocklist-revision') ?? '';
    if (page === 1 || current === revision) {
      revision = current;
      yield { ...data, revision };
      if (!data.pagination.hasNextPage) return;
    } else {
      if (++restarts > MAX_RESTARTS) throw new Error('The stock changed again during each read.');
      page = 0;
    }
  }
}

/**
 * Goes through the projects of the stocklist, the most recently changed first. It yields a project that changes meanwhile once
 * more, with its new fields, and skips none.
 */
export async function* listProjects(
  client: OffplanClient,
  filters: StocklistFilters = {},
  options: ReadOptions = {},
): AsyncGenerator<StocklistItem, void, undefined> {
  const seen = new Map<string, string>();
  for await (const { projects } of readStocklist(client, filters, options))
    for (const project of projects) {
      if (seen.get(project.id) === project.updatedAt) continue;
      seen.set(project.id, project.updatedAt);
      yield project;
    }
}
