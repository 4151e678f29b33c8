import type { QueryClient } from '@tanstack/react-query';
import { api, ifMatch, type View } from '../../api.ts';
import { viewsKey, type SavedViews } from './saved-views.ts';

/** Makes the actions on views. Each action reads the views again, also when it is refused: the view may have changed. */
export function makeViewActions(queries: QueryClient, { resource, current }: SavedViews) {
  const refresh = () => queries.invalidateQueries({ queryKey: viewsKey(resource) });
  const patch = async (target: View, body: object): Promise<View> => {
    const params = { path: { viewId: target.id }, header: ifMatch(target.etag) };
    try {
      return (await api.PATCH('/views/{viewId}', { params, body })).data;
    } finally {
      await refresh();
    }
  };
  return {
    save: (target: View): Promise<View> => {
      // The request is a merge patch: null removes a member that the filter no longer has.
      const gone = Object.keys(target.filter).filter((name) => !(name in current.filter));
      const removed = Object.fromEntries(gone.map((name) => [name, null]));
      return patch(target, { ...current, filter: { ...removed, ...current.filter } });
    },
    saveAs: async (name: string, shared: boolean): Promise<View> => {
      const body = { resource, name, shared, ...current };
      const { data } = await api.POST('/views', { body: body as never });
      await refresh();
      return data;
    },
    rename: (target: View, name: string) => patch(target, { name }),
    share: (target: View, shared: boolean) => patch(target, { shared }),
    remove: async (target: View): Promise<void> => {
      const params = { path: { viewId: target.id }, header: ifMatch(target.etag) };
      try {
        await api.DELETE('/views/{viewId}', { params });
      } finally {
        await refresh();
      }
    },
  };
}
