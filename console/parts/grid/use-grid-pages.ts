import { useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useLayoutEffect, useMemo, useState } from 'react';
import { GridList, NO_NEWS, type GridNews, type ListOptions } from './grid-list.ts';
import { flattenPages, type Pages } from './pages.ts';
import { noteShownList } from './shown-list.ts';
import { readSkeleton } from './skeleton.ts';
import type { GridProps } from './types.ts';

export interface GridPagesOptions<Row> extends ListOptions<Row> {
  /** The noun of the events that affect the rows, such as `contact`. */
  noun: string;
  /** The filter and the order. Another value means another list. */
  filter: unknown;
  /** The same value as the grid's property. */
  place: string;
}

type PagesProps<Row> = Pick<
  GridProps<Row>,
  | 'rows'
  | 'rowId'
  | 'idAt'
  | 'totalCount'
  | 'isTotalExact'
  | 'hasMore'
  | 'isLoading'
  | 'loadMore'
  | 'onRange'
  | 'onRetry'
  | 'generation'
  | 'pageSize'
>;

export interface GridPages<Row> {
  /** The props of the grid. */
  grid: PagesProps<Row>;
  isPending: boolean;
  isEmpty: boolean;
  /** Why the first page could not be loaded. */
  error: Error | null;
  retry: () => void;
  news: GridNews;
  showNews: () => void;
  /** Reloads the rows around the scroll position, for example after a change of many rows. */
  reload: () => void;
}

/**
 * Loads a list by cursor, a page at a time, two pages ahead. After a change, it updates the rows on the screen, but moves no row
 * until the person asks for the news.
 */
export function useGridPages<Row>(options: GridPagesOptions<Row>): GridPages<Row> {
  const { noun, place, pageSize, rowId } = options;
  const filter = JSON.stringify(options.filter);
  const client = useQueryClient();
  const list = useMemo(
    () => new GridList<Row>(client, { noun, filter, place }),
    [client, noun, filter, place],
  );
  useLayoutEffect(() => list.setOptions(options));
  const query = useQuery({
    queryKey: list.rowsKey,
    queryFn: () => list.readFirst(),
    staleTime: Infinity,
    structuralSharing: false,
  });
  const news = useQuery({
    queryKey: list.newsKey,
    queryFn: () => list.refresh(),
    enabled: query.data !== undefined,
    initialData: NO_NEWS,
    initialDataUpdatedAt: () => (readSkeleton(place, filter) ? 0 : Date.now()),
    staleTime: 30_000,
  });
  const [failedFilter, setFailedFilter] = useState<string>();
  const loadMore = useCallback(() => {
    setFailedFilter(undefined);
    list.readNext().catch(() => setFailedFilter(filter));
  }, [list, filter]);
  useSavedPages(list);
  useEffect(
    () => noteShownList(noun, { key: list.rowsKey, readNext: () => list.readNext() }),
    [noun, list],
  );

  const slots = query.data?.slots;
  const flat = useMemo(() => flattenPages(slots ?? [], rowId), [slots, rowId]);
  useEffect(() => list.setStarts(flat.starts), [list, flat]);
  const next = query.data?.next ?? null;
  return {
    grid: {
      rows: flat.rows,
      rowId,
      idAt: flat.idAt,
      totalCount: query.data?.totalCount,
      isTotalExact: query.data?.isTotalExact,
      hasMore: next !== null,
      isLoading: query.isPending,
      loadMore,
      onRange: list.onRange,
      onRetry: failedFilter === filter ? loadMore : undefined,
      generation: query.data?.generation ?? 0,
      pageSize,
    },
    isPending: query.isPending,
    isEmpty: flat.rows.length === 0 && query.data !== undefined && next === null,
    error: query.error,
    retry: () => void query.refetch(),
    news: news.data,
    showNews: list.showNews,
    reload: list.reload,
  };
}

/** Changes loaded rows in all lists of a noun, for an optimistic update. `change` must return the same object for a row that it leaves. */
export function patchGridRows<Row>(
  client: QueryClient,
  noun: string,
  change: (row: Row) => Row,
): void {
  client.setQueriesData<Pages<Row>>({ queryKey: ['rows', noun] }, (pages) => {
    if (!pages) return pages;
    const slots = pages.slots.map((slot) => {
      const rows = slot.rows?.map(change);
      return rows?.some((row, index) => row !== slot.rows?.[index]) ? { ...slot, rows } : slot;
    });
    return { ...pages, slots };
  });
}

function useSavedPages<Row>(list: GridList<Row>): void {
  useEffect(() => {
    window.addEventListener('pagehide', list.save);
    return () => {
      window.removeEventListener('pagehide', list.save);
      list.save();
    };
  }, [list]);
}
