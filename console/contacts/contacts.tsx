import { useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import type { UnitQuestion } from '../contact/unit-question.ts';
import { pageTitles } from '../frame/texts.ts';
import { Button } from '../parts/button/button.tsx';
import { useUsers } from '../parts/domain/names.ts';
import {
  countSelected,
  NOTHING_SELECTED,
  useIsPhone,
  useSelection,
  type Column,
} from '../parts/grid/index.ts';
import { useFocusAfter } from '../parts/keyboard/keep-focus.ts';
import { lazyDialog, lazyPart } from '../parts/page/lazy-part.tsx';
import { Page } from '../parts/page/page.tsx';
import { Popup } from '../parts/popup/popup.tsx';
import { useSession } from '../session/session.tsx';
import { undoStore } from './bulk-undo.ts';
import type { BulkQuestion } from './bulk-question.tsx';
import { AskUnit, makeColumns, preloadEditors } from './columns.tsx';
import { ContactGrid } from './contact-grid.tsx';
import { FilterBar } from './filter-bar.tsx';
import { useContactRows, type ContactRow } from './rows.ts';
import { SearchField } from './search-field.tsx';
import { SortSelect } from './sort-select.tsx';
import { texts } from './texts.ts';
import { useList, type ContactList } from './use-list.ts';
import { useViews, type Views } from './use-views.ts';
import { ViewTabs } from './view-tabs.tsx';
import './contacts.css';

const BulkBar = lazyPart(() => import('./bulk-bar.tsx'));
const BulkDialog = lazyDialog(() => import('./bulk-dialog.tsx'));
const ExportDialog = lazyDialog(() => import('./export-dialog.tsx'));
const AddDialog = lazyDialog(() => import('./add-dialog.tsx'));
const ColumnChooser = lazyPart(() => import('../parts/grid/column-chooser.tsx'));

type OpenDialog = 'export' | 'add';

/** The page of contacts: views, search, filters, order and bulk changes. */
export function Contacts() {
  const list = useList();
  const { filter, sort, place } = list;
  const { can, userId } = useSession();
  const users = useUsers();
  const canEdit = can('contacts:write');
  const canManage = can('contacts:manage');
  const query = useMemo(() => ({ ...filter, sort }), [filter, sort]);
  const pages = useContactRows(query, place);
  const views = useViews(list);
  const [unitQuestion, askUnit] = useState<UnitQuestion>();
  const columns = useMemo(() => makeColumns(users, canEdit, askUnit), [users, canEdit]);
  const [selection, setSelection] = useSelection(userId, filter);
  const [question, ask] = useState<BulkQuestion>();
  const [open, setOpen] = useState<OpenDialog>();
  const undo = useSyncExternalStore(undoStore.subscribe, () => undoStore.read(userId));
  const isPhone = useIsPhone();
  const canEditCells = canEdit && !isPhone && !pages.isPending;
  useEffect(() => {
    if (canEditCells) preloadEditors();
  }, [canEditCells]);
  useFocusAfter((question ?? open ?? unitQuestion) !== undefined);
  const { totalCount = 0, isTotalExact = true } = pages.grid;
  const count = texts.count(totalCount, isTotalExact);
  const selected = countSelected(selection, totalCount);
  const asked = question === 'undo' ? (undo?.contacts.length ?? 0) : selected;
  return (
    <Page
      title={pageTitles.contacts}
      isFull
      count={pages.isPending || pages.error !== null ? undefined : count}
      actions={
        <Actions
          undoCount={undo?.contacts.length}
          isEmpty={pages.isEmpty}
          onUndo={() => ask('undo')}
          onOpen={setOpen}
        />
      }
      tools={
        <>
          <ViewTabs list={list} views={views} />
          <Tools list={list} views={views} columns={columns} />
        </>
      }
    >
      <ContactGrid
        list={list}
        views={views}
        pages={pages}
        columns={columns}
        canAdd={can('leads:import')}
        canImport={canManage}
        onAdd={() => setOpen('add')}
        {...(canManage && { selection, onSelectionChange: setSelection })}
        canEdit={canEdit}
        bar={
          canManage &&
          selected > 0 && (
            <BulkBar
              selection={selection}
              onSelectionChange={setSelection}
              totalCount={totalCount}
              isTotalExact={isTotalExact}
              onAsk={ask}
            />
          )
        }
      />
      {question !== undefined && (
        <BulkDialog
          question={question}
          count={asked}
          selection={selection}
          query={query}
          onUndo={() => ask('undo')}
          onClose={() => ask(undefined)}
          onDone={() => {
            ask(undefined);
            setSelection(NOTHING_SELECTED);
            pages.reload();
          }}
        />
      )}
      {open === 'export' && (
        <ExportDialog
          totalCount={totalCount}
          isTotalExact={isTotalExact}
          query={query}
          selection={selection}
          onClose={() => setOpen(undefined)}
        />
      )}
      {unitQuestion && <AskUnit {...unitQuestion} onClose={() => askUnit(undefined)} />}
      {open === 'add' && <AddDialog onClose={() => setOpen(undefined)} />}
    </Page>
  );
}

interface ActionsProps {
  /** How many contacts the last bulk change can be undone for; undefined without one. */
  undoCount: number | undefined;
  isEmpty: boolean;
  onUndo: () => void;
  onOpen: (dialog: OpenDialog) => void;
}

/** The buttons at the top of the page, as far as the person may use them. */
function Actions({ undoCount, isEmpty, onUndo, onOpen }: ActionsProps) {
  const { can } = useSession();
  return (
    <>
      {undoCount !== undefined && (
        <Button look="bare" onClick={onUndo}>
          {texts.undo(undoCount)}
        </Button>
      )}
      {can('contacts:export') && !isEmpty && (
        <Button icon="download" onClick={() => onOpen('export')}>
          {texts.export}
        </Button>
      )}
      {can('leads:import') && (
        <Button look="filled" icon="plus" onClick={() => onOpen('add')}>
          {texts.add}
        </Button>
      )}
    </>
  );
}

interface ToolsProps {
  list: ContactList;
  views: Views;
  columns: readonly Column<ContactRow>[];
}

function Tools({ list, views, columns }: ToolsProps) {
  const { filter, sort, change } = list;
  const isPhone = useIsPhone();
  return (
    <>
      <SearchField filter={filter} change={change} />
      <FilterBar filter={filter} change={change} />
      <div className="contacts-tools-end">
        {isPhone ? (
          <SortSelect sort={sort} change={change} />
        ) : (
          <Popup className="button button-plain" title={texts.columns} button={texts.columns}>
            {() => (
              <div className="contacts-columns">
                <ColumnChooser
                  columns={columns}
                  columnsKey={views.columnsKey}
                  usualColumns={views.usualColumns}
                />
              </div>
            )}
          </Popup>
        )}
      </div>
    </>
  );
}
