import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { api, listItems, type View } from '../api.ts';
import { useStoredLayout, type ColumnLayout } from '../parts/grid/index.ts';
import { DEFAULT_SORT, fromViewFilter, isSameFilter } from './query.ts';
import type { ContactList } from './use-list.ts';

export const VIEWS_KEY = ['view', 'contacts'];

export interface Views {
  views: readonly View[];
  /** The view that is open. */
  view: View | undefined;
  /** Whether the filter, the order or the columns are others than those that are saved. */
  isChanged: boolean;
  columnsKey: string;
  /** The saved columns of the view. */
  usualColumns: ColumnLayout | null;
}

/** A list, and the views that are saved of it. */
export interface ListViews {
  list: ContactList;
  views: Views;
}

/** The saved views, and how far the list is the one that is open. */
export function useViews({ filter, sort, viewId }: ContactList): Views {
  const { data } = useQuery({
    queryKey: VIEWS_KEY,
    queryFn: async () => {
      const query = { resource: 'contacts', sort: 'name' } as const;
      return await Array.fromAsync(listItems(api, '/views', { params: { query } }));
    },
  });
  const views = data ?? NO_VIEWS;
  const view = views.find(({ id }) => id === viewId);
  const columnsKey = viewId === null ? 'contacts' : `contacts:${viewId}`;
  const stored = useStoredLayout(columnsKey);
  const usualColumns = useMemo(() => view?.columns ?? null, [view]);
  const isChanged =
    view !== undefined &&
    (!isSameFilter(filter, fromViewFilter(view.filter)) ||
      sort !== (view.sort ?? DEFAULT_SORT) ||
      (stored !== null && JSON.stringify(stored) !== JSON.stringify(view.columns)));
  return { views, view, isChanged, columnsKey, usualColumns };
}

const NO_VIEWS: readonly View[] = [];

/** The address of a view: all that it chooses is in it, so that a link shows the same list. */
export function addressOfView(view: View | undefined): string {
  if (view === undefined) return '/contacts';
  const { id, filter, sort } = view;
  const query = new URLSearchParams({ view: id, ...fromViewFilter(filter) });
  if (sort != null && sort !== DEFAULT_SORT) query.set('sort', sort);
  return `/contacts?${query}`;
}
