import { useCallback, useId, useState } from 'react';
import { api, unlessGone, type ImportRecord } from '../api.ts';
import { pageTitles } from '../frame/texts.ts';
import { useAddress } from '../parts/browser/address.ts';
import { Button } from '../parts/button/button.tsx';
import {
  ALL_SELECTED,
  countSelected,
  Grid,
  NOTHING_SELECTED,
  useGridPages,
  useIsPhone,
  useSelection,
  type Selection,
} from '../parts/grid/index.ts';
import { useFocusAfter } from '../parts/keyboard/keep-focus.ts';
import { ListFoot, ListNews } from '../parts/list/list-foot.tsx';
import { Page } from '../parts/page/page.tsx';
import { Empty, LoadError } from '../parts/page/states.tsx';
import { useSession } from '../session/session.tsx';
import { BulkDialog, type BulkAction } from './bulk-dialog.tsx';
import { COLUMNS, phoneRow } from './columns.tsx';
import { readDetail, readFilter, type LogFilter } from './data.ts';
import { Drawer } from './drawer.tsx';
import { Filters } from './filters.tsx';
import { texts } from './texts.ts';
import './import-log.css';

const PLACE = 'imports';
const PAGE_SIZE = 100;

/** The page of the import log: all imports, and the actions that settle the refused ones. */
export function ImportLog() {
  const { query, change, close } = useAddress();
  const { me, userId } = useSession();
  const filter = readFilter(query, me.account.timeZone);
  const [selection, setSelection] = useSelection(userId, filter);
  const [bulk, setBulk] = useState<{ action: BulkAction; selection: Selection }>();
  const place = `${PLACE}:${JSON.stringify(filter)}`;
  const list = useRecords(filter, place);
  const total = list.grid.totalCount;
  const isOpenOnly = filter.open === true;
  const isFiltered = Object.keys(filter).length > 1 || (!isOpenOnly && query.size > 1);
  const openId = query.get('id');
  const selected = countSelected(selection, total ?? list.grid.rows.length);
  useFocusAfter(selected > 0);
  return (
    <Page
      isFull
      title={pageTitles.imports}
      count={total === undefined ? undefined : texts.count(total, list.grid.isTotalExact !== false)}
      actions={
        isOpenOnly && !list.isEmpty && selected === 0 ? (
          <Button onClick={() => setBulk({ action: 'retry', selection: ALL_SELECTED })}>
            {texts.action.retryAll}
          </Button>
        ) : undefined
      }
      tools={
        selected > 0 ? (
          <SelectionTools
            count={selected}
            onAsk={(action) => setBulk({ action, selection })}
            onClear={() => setSelection(NOTHING_SELECTED)}
          />
        ) : (
          <Filters />
        )
      }
    >
      {list.error !== null && <LoadError error={list.error} onRetry={list.retry} />}
      {list.isEmpty && (
        <Empty
          action={isFiltered && <Button onClick={() => change(CLEARED)}>{texts.clear}</Button>}
        >
          {isFiltered ? texts.filtered : isOpenOnly ? texts.empty : texts.emptyAll}
        </Empty>
      )}
      {list.error === null && !list.isEmpty && (
        <Records
          list={list}
          place={place}
          {...(isOpenOnly && { selection, onSelectionChange: setSelection })}
        />
      )}
      {openId !== null && <Drawer key={openId} id={openId} onClose={() => close({ id: null })} />}
      {bulk !== undefined && (
        <BulkDialog
          {...bulk}
          filter={filter}
          total={countSelected(bulk.selection, total ?? 0)}
          onClose={() => setBulk(undefined)}
          onDone={() => {
            setBulk(undefined);
            setSelection(NOTHING_SELECTED);
          }}
        />
      )}
    </Page>
  );
}

/** Loads the imports that match a filter for their grid. */
function useRecords(filter: LogFilter, place: string) {
  return useGridPages<ImportRecord>({
    noun: 'import',
    filter,
    place,
    pageSize: PAGE_SIZE,
    rowId: ({ id }) => id,
    read: async ({ cursor, limit, count }) => {
      const page = { limit, ...(count && { count }), ...(cursor !== undefined && { cursor }) };
      const { data } = await api.GET('/imports', { params: { query: { ...filter, ...page } } });
      const { nextCursor: next, totalCount, totalCountIsExact: isTotalExact } = data.pagination;
      return { rows: data.data, next, totalCount, isTotalExact };
    },
    readRow: (id) => unlessGone(readDetail(id)),
  });
}

interface ToolsProps {
  count: number;
  onAsk: (action: BulkAction) => void;
  onClear: () => void;
}

/** The actions on the selected imports. */
function SelectionTools({ count, onAsk, onClear }: ToolsProps) {
  return (
    <>
      <span>{texts.action.selected(count)}</span>
      <Button onClick={() => onAsk('retry')}>{texts.action.retry}</Button>
      <Button onClick={() => onAsk('dismiss')}>{texts.action.dismiss}</Button>
      <Button look="bare" onClick={onClear}>
        {texts.action.none}
      </Button>
    </>
  );
}

interface RecordsProps {
  list: ReturnType<typeof useRecords>;
  place: string;
  /** Without it, no import can be selected. */
  selection?: Selection;
  onSelectionChange?: (selection: Selection) => void;
}

/** The grid of the imports, and the lines below it. */
function Records({ list, ...grid }: RecordsProps) {
  const { change } = useAddress();
  const isPhone = useIsPhone();
  const hintId = useId();
  const open = useCallback(
    (record: ImportRecord) => change({ id: record.id }, { state: true }),
    [change],
  );
  return (
    <div className="log-body">
      <Grid
        {...list.grid}
        {...grid}
        label={texts.label}
        {...(!isPhone && { describedBy: hintId })}
        columns={COLUMNS}
        columnsKey={PLACE}
        phoneRow={phoneRow}
        onOpen={open}
      />
      <ListNews
        text={list.news.added > 0 || list.news.hasMoved ? texts.news(list.news.added) : ''}
        onShow={list.showNews}
      />
      {!isPhone && (
        <ListFoot>
          <p id={hintId}>{texts.openHint}</p>
        </ListFoot>
      )}
    </div>
  );
}

const CLEARED = { show: null, channel: null, code: null, from: null, to: null, file: null };
