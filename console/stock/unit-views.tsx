import type { View } from '../api.ts';
import { useAddress } from '../parts/browser/address.ts';
import { useStoredLayout, writeColumnLayout } from '../parts/grid/index.ts';
import { useSavedViews } from '../parts/views/saved-views.ts';
import { ViewMenu } from '../parts/views/view-menu.tsx';
import { useSession } from '../session/session.tsx';
import { readFilter, readSort, toFilterObject, toQuery } from './filter.ts';
import { COLUMNS_KEY } from './columns-button.tsx';
import { texts } from './view-texts.ts';

/** The menu of the saved views of units. A person opens, creates, changes and deletes views in it. */
export function UnitViews() {
  const { query, change } = useAddress();
  const { can } = useSession();
  const enabled = can('contacts:read');
  const saved = useSavedViews('units', { viewId: query.get('view'), enabled });
  const columns = useStoredLayout(COLUMNS_KEY);
  const filter = readFilter(query);
  const current = {
    filter: toFilterObject(filter),
    sort: readSort(query, filter),
    columns: columns as View['columns'] & {},
  };
  const show = ({ filter, sort, columns }: Pick<View, 'filter' | 'sort' | 'columns'>): string =>
    JSON.stringify([toQuery(filter), sort ?? current.sort, columns]);

  function open(view: View | undefined, options?: { replace?: boolean }): void {
    if (view === undefined) return change({ view: null });
    writeColumnLayout(COLUMNS_KEY, view.columns ?? null);
    change({ ...toQuery(view.filter), sort: view.sort ?? null, view: view.id }, options);
  }

  if (!enabled) return null;
  const { view } = saved;
  return (
    <ViewMenu
      saved={{
        ...saved,
        isChanged: view !== undefined && show(view) !== show(current),
        current,
        open,
      }}
      label={<span className="units-view-name">{view?.name ?? texts.views}</span>}
      name={texts.views}
      look="plain"
      hasViews
    />
  );
}
