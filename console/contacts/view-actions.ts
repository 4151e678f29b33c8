import { useQueryClient } from '@tanstack/react-query';
import { api, ifMatch, type View } from '../api.ts';
import type { components } from '../../client/src/index.ts';
import { useStoredLayout, writeColumnLayout } from '../parts/grid/index.ts';
import { LIST_FILTERS, splitValues, type FilterQuery } from './query.ts';
import type { ContactList } from './use-list.ts';
import { VIEWS_KEY, type Views } from './use-views.ts';

type ContactFilter = components['schemas']['ContactFilter'];

/** Returns the actions on views. Each action reads the views again. */
export function useViewActions({ filter, sort }: ContactList, { view, columnsKey }: Views) {
  const queries = useQueryClient();
  const stored = useStoredLayout(columnsKey);
  const refresh = () => queries.invalidateQueries({ queryKey: VIEWS_KEY });
  const current = {
    filter: toViewFilter(filter),
    sort: sort as NonNullable<View['sort']>,
    columns: (stored ?? view?.columns ?? null) as View['columns'] & {},
  };
  const patch = async (target: View, body: object): Promise<void> => {
    const params = { path: { viewId: target.id }, header: ifMatch(target.etag) };
    await api.PATCH('/views/{viewId}', { params, body });
    await refresh();
  };
  return {
    save: async (target: View) => {
      // The request is a merge patch: null removes a member that the filter no longer has.
      const gone = Object.keys(target.filter).filter((name) => !(name in current.filter));
      const removed = Object.fromEntries(gone.map((name) => [name, null]));
      await patch(target, { ...current, filter: { ...removed, ...current.filter } });
      writeColumnLayout(columnsKey, null);
    },
    saveAs: async (name: string, shared: boolean): Promise<View> => {
      const body = { resource: 'contacts', name, shared, ...current } as const;
      const { data } = await api.POST('/views', { body });
      writeColumnLayout(columnsKey, null);
      await refresh();
      return data;
    },
    rename: (target: View, name: string) => patch(target, { name }),
    share: (target: View, shared: boolean) => patch(target, { shared }),
    remove: async (target: View): Promise<void> => {
      const params = { path: { viewId: target.id }, header: ifMatch(target.etag) };
      await api.DELETE('/views/{viewId}', { params });
      await refresh();
    },
  };
}

/** Converts the filter of the address to that of a view. */
function toViewFilter(filter: FilterQuery): ContactFilter {
  const entries = Object.entries(filter).map(([name, value]): [string, unknown] => {
    if ((LIST_FILTERS as readonly string[]).includes(name)) return [name, splitValues(value)];
    if (name === 'hasPhone') return [name, value === 'true'];
    if (name === 'archived') return [name, value === 'any' ? 'any' : value === 'true'];
    return [name, value];
  });
  return Object.fromEntries(entries);
}
