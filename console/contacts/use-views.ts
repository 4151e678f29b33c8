import { useMemo } from 'react';
import { useLocation } from 'wouter';
import type { View } from '../api.ts';
import { useStoredLayout, writeColumnLayout, type ColumnLayout } from '../parts/grid/index.ts';
import { useSavedViews, type SavedViews } from '../parts/views/saved-views.ts';
import { DEFAULT_SORT, fromViewFilter, isSameFilter, toViewFilter } from './query.ts';
import type { ContactList } from './use-list.ts';

export interface Views extends SavedViews {
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
  const [, navigate] = useLocation();
  const saved = useSavedViews('contacts', { viewId });
  const { view } = saved;
  const columnsKey = viewId === null ? 'contacts' : `contacts:${viewId}`;
  const stored = useStoredLayout(columnsKey);
  const usualColumns = useMemo(() => view?.columns ?? null, [view]);
  const isChanged =
    view !== undefined &&
    (!isSameFilter(filter, fromViewFilter(view.filter)) ||
      sort !== (view.sort ?? DEFAULT_SORT) ||
      (stored !== null && JSON.stringify(stored) !== JSON.stringify(view.columns)));
  const current = {
    filter: toViewFilter(filter),
    sort: sort as NonNullable<View['sort']>,
    columns: (stored ?? usualColumns) as View['columns'] & {},
  };
  function open(target: View | undefined, options?: { replace?: boolean }): void {
    // A view is shown as it is saved. The columns of the list without a view are the person's own, and stay.
    if (viewId !== null) writeColumnLayout(columnsKey, null);
    navigate(addressOfView(target), options);
  }
  return { ...saved, isChanged, current, open, columnsKey, usualColumns };
}

/** Makes the address of a view. It includes the filter and the order, so that a link shows the same list. */
export function addressOfView(view: View | undefined): string {
  if (view === undefined) return '/contacts';
  const { id, filter, sort } = view;
  const query = new URLSearchParams({ view: id, ...fromViewFilter(filter) });
  if (sort != null && sort !== DEFAULT_SORT) query.set('sort', sort);
  return `/contacts?${query}`;
}
