import { useQuery } from '@tanstack/react-query';
import { api, listItems, type View } from '../../api.ts';

/** The saved views of a list, and what a view would keep of the list as it is now. */
export interface SavedViews {
  resource: View['resource'];
  views: readonly View[];
  /** The view that is open. */
  view: View | undefined;
  /** Whether the filter, the order or the columns differ from those of the open view. */
  isChanged: boolean;
  current: Pick<View, 'filter' | 'sort' | 'columns'>;
  /** Opens a view, or closes the open one (undefined). */
  open: (view: View | undefined, options?: { replace?: boolean }) => void;
}

export const viewsKey = (resource: View['resource']) => ['view', resource];

const NO_VIEWS: readonly View[] = [];

/** Reads the saved views of a list. */
export function useSavedViews(
  resource: View['resource'],
  { viewId, enabled = true }: { viewId: string | null; enabled?: boolean },
): Pick<SavedViews, 'resource' | 'views' | 'view'> {
  const { data: views = NO_VIEWS } = useQuery({
    queryKey: viewsKey(resource),
    queryFn: async () => {
      const query = { resource, sort: 'name' } as const;
      return await Array.fromAsync(listItems(api, '/views', { params: { query } }));
    },
    enabled,
  });
  return { resource, views, view: views.find(({ id }) => id === viewId) };
}
