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
  /** Whether the filter, the order or the columns differ from those of the view. */
  isChanged: boolean;
  columnsKey: string;
  /** The saved columns of the view. */
  usualColumns: ColumnLayout | null;
}

/** A list and its saved views. */
export interface ListViews {
  list: ContactList;
  views: Views;
}

/** Reads the saved views, and finds whether the list differs from the open one. */
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

/** Makes the address of a view. It includes the filter and the order, so that a link shows the same list. */
export function addressOfView(view: View | undefined): string {
  if (view === undefined) return '/contacts';
  const { id, filter, sort } = view;
  const query = new URLSearchParams({ view: id, ...fromViewFilter(filter) });
  if (sort != null && sort !== DEFAULT_SORT) query.set('sort', sort);
  return `/contacts?${query}`;
}
