import { useCallback, useId, useMemo, type KeyboardEvent, type ReactNode } from 'react';
import { useLocation } from 'wouter';
import { pageTitles } from '../frame/texts.ts';
import { Button, ButtonLink } from '../parts/button/button.tsx';
import {
  Grid,
  toggleSelected,
  useIsPhone,
  type Column,
  type GridPages,
  type Selection,
} from '../parts/grid/index.ts';
import { areSingleKeysOn } from '../parts/keyboard/single-keys.ts';
import { ListFoot, ListNews } from '../parts/list/list-foot.tsx';
import { Empty, LoadError } from '../parts/page/states.tsx';
import { makePhoneRow } from './columns.tsx';
import { DEFAULT_SORT, FILTER_NAMES, withoutFilters } from './query.ts';
import type { ContactRow } from './rows.ts';
import { texts } from './texts.ts';
import type { ContactList } from './use-list.ts';
import type { Views } from './use-views.ts';

interface GridProps {
  list: ContactList;
  views: Views;
  pages: GridPages<ContactRow>;
  columns: readonly Column<ContactRow>[];
  selection?: Selection;
  onSelectionChange?: (selection: Selection) => void;
  canEdit: boolean;
  /** The actions on the selected contacts; false while none is selected. */
  bar: ReactNode;
  canAdd: boolean;
  canImport: boolean;
  onAdd: () => void;
}

/** The rows of the list, or the reason why there are none. */
export function ContactGrid(props: GridProps) {
  const { list, views, pages, columns, selection, onSelectionChange, canEdit, bar } = props;
  const isPhone = useIsPhone();
  const hintId = useId();
  const [, navigate] = useLocation();
  const { sort, place, change } = list;
  const phoneRow = useMemo(() => makePhoneRow(sort), [sort]);
  const open = useCallback(({ id }: ContactRow) => navigate(`/contacts/${id}`), [navigate]);
  if (pages.error !== null) return <LoadError error={pages.error} onRetry={pages.retry} />;
  if (pages.isEmpty) return <NoContacts {...props} />;

  /** Handles the single keys of a row: `S` and `A` edit the stage and the assigned person, `X` selects the row. */
  function pressKey(event: KeyboardEvent, { id }: ContactRow): boolean | string {
    const isModified = event.ctrlKey || event.metaKey || event.altKey || event.shiftKey;
    if (isModified || !areSingleKeysOn()) return false;
    if (event.key === 's') return 'stage';
    if (event.key === 'a') return 'assignedTo';
    if (event.key !== 'x' || selection === undefined) return false;
    onSelectionChange?.(toggleSelected(selection, id));
    return true;
  }

  return (
    <div className="contacts-body">
      <Grid
        label={pageTitles.contacts}
        describedBy={hintId}
        columns={columns}
        {...pages.grid}
        sort={sort}
        onSort={(next) => change({ sort: next === DEFAULT_SORT ? null : next })}
        {...(selection && { selection })}
        {...(onSelectionChange && { onSelectionChange })}
        onOpen={open}
        phoneRow={phoneRow}
        place={place}
        columnsKey={views.columnsKey}
        usualColumns={views.usualColumns}
        onKey={pressKey}
      />
      <News pages={pages} />
      {(bar || (!isPhone && canEdit)) && (
        <ListFoot>{bar || <p id={hintId}>{texts.editHint}</p>}</ListFoot>
      )}
    </div>
  );
}

function News({ pages: { news, showNews } }: { pages: GridPages<ContactRow> }) {
  const text = news.added > 0 ? texts.news(news.added) : news.hasMoved ? texts.moved : '';
  return <ListNews text={text} onShow={showNews} />;
}

function NoContacts({ list, canAdd, canImport, onAdd }: GridProps) {
  if (Object.keys(list.filter).length > 0)
    return (
      <Empty
        action={
          <Button onClick={() => list.change({ q: null, ...withoutFilters(FILTER_NAMES) })}>
            {texts.clearFilters}
          </Button>
        }
      >
        {texts.emptyByFilter}
      </Empty>
    );
  return (
    <Empty
      action={
        <>
          {canImport && <ButtonLink to="/import">{texts.import}</ButtonLink>}
          {canAdd && <Button onClick={onAdd}>{texts.add}</Button>}
        </>
      }
    >
      {texts.empty}
    </Empty>
  );
}
