import { useEffect, useId, useMemo } from 'react';
import { unlessGone, type Unit } from '../api.ts';
import { useSession } from '../session/session.tsx';
import { useAddress } from '../parts/browser/address.ts';
import { findName, useProjects } from '../parts/domain/names.ts';
import {
  Grid,
  countSelected,
  useGridPages,
  useIsPhone,
  useSelection,
  type GridPages,
} from '../parts/grid/index.ts';
import { keepFocus } from '../parts/keyboard/keep-focus.ts';
import { ListFoot, ListNews } from '../parts/list/list-foot.tsx';
import { lazyDialog, lazyPart, PartError } from '../parts/page/lazy-part.tsx';
import { LoadError, Skeleton } from '../parts/page/states.tsx';
import { COLUMNS_KEY, PROJECT_COLUMNS_KEY } from './columns-button.tsx';
import { makeColumns, makePhoneRow } from './columns.tsx';
import { readFilter, readPage, readSort, type UnitQuery, type UnitSort } from './filter.ts';
import { useUnitCount } from './use-unit-count.ts';
import { texts } from './texts.ts';
import { readUnit } from './unit-data.ts';
import type { UnsavedChanges } from './use-unsaved-changes.ts';
import { useRights } from './use-rights.ts';
import { useUnitChanges, type ChangeUnit } from './use-unit-changes.tsx';
import './stock.css';

const BulkBar = lazyPart(() => import('./bulk/bulk-bar.tsx'));
const Levels = lazyPart(() => import('./levels/levels.tsx'), PartError, <Skeleton lines={8} />);
const NoUnits = lazyPart(() => import('./no-units.tsx'));
const UnitDrawer = lazyDialog(() => import('./drawer/unit-drawer.tsx'));

const PAGE_SIZE = 500;

export interface UnitList {
  filter: UnitQuery;
  sort: UnitSort;
  pages: GridPages<Unit>;
  /** The project of the page; undefined on the page of all units. */
  projectId: string | undefined;
  place: string;
  count: ReturnType<typeof useUnitCount>;
}

/** Reads the units that match the filter in the address. */
export function useUnits(projectId?: string): UnitList {
  const { query } = useAddress();
  const filter = readFilter(query, projectId);
  const sort = readSort(query, filter);
  const place = `stock:${projectId ?? 'all'}`;
  const pages = useGridPages<Unit>({
    noun: 'unit',
    filter: { filter, sort },
    place,
    pageSize: PAGE_SIZE,
    rowId: ({ id }) => id,
    read: (page) => readPage(filter, sort, page),
    readRow: (id) => unlessGone(readUnit(id)),
  });
  const count = useUnitCount(filter, pages.grid);
  return { filter, sort, pages, projectId, place, count };
}

/** The units as a grid or by level, with the drawer of the open unit and the actions on the selected ones. */
export function UnitsView({ units }: { units: UnitList }) {
  const { query, change, close } = useAddress();
  const { changeUnit, unsaved, dialogs } = useUnitChanges();
  const open = (id: string): void => change({ unit: id }, { state: true });
  const unitId = query.get('unit');
  const { rows } = units.pages.grid;
  useEffect(() => unsaved.forgetStored(rows), [unsaved, rows]);
  return (
    <>
      {query.get('look') === 'levels' ? (
        <Levels filter={units.filter} onOpen={open} />
      ) : (
        <UnitGrid units={units} changeUnit={changeUnit} unsaved={unsaved} onOpen={open} />
      )}
      {unitId !== null && (
        <UnitDrawer
          key={unitId}
          id={unitId}
          changeUnit={changeUnit}
          unsaved={unsaved}
          onClose={() => close({ unit: null })}
        />
      )}
      {dialogs}
    </>
  );
}

interface UnitGridProps {
  units: UnitList;
  changeUnit: ChangeUnit;
  unsaved: UnsavedChanges;
  onOpen: (id: string) => void;
}

function UnitGrid({ units, changeUnit, unsaved, onOpen }: UnitGridProps) {
  const { pages, filter, sort, projectId, place } = units;
  const { change } = useAddress();
  const rights = useRights();
  const { userId } = useSession();
  const isPhone = useIsPhone();
  const hintId = useId();
  const projects = useProjects();
  const [selection, setSelection] = useSelection(userId, filter);
  const projectName = useMemo(
    () => (projectId === undefined ? (id: string) => findName(projects, id, '') : null),
    [projects, projectId],
  );
  const columns = useMemo(
    () => makeColumns({ rights, changeUnit, unsaved, projectName }),
    [rights, changeUnit, unsaved, projectName],
  );
  const total = pages.grid.totalCount ?? pages.grid.rows.length;
  const isSelecting = rights === 'all' && countSelected(selection, total) > 0;
  const phoneRow = useMemo(() => makePhoneRow(projectName), [projectName]);
  if (pages.error !== null) return <LoadError error={pages.error} onRetry={pages.retry} />;
  if (pages.isEmpty) return <NoUnits filter={filter} projectId={projectId} rights={rights} />;
  return (
    <div className="units" ref={keepFocus}>
      <p className="paper-only">{texts.printed}</p>
      <div className="units-grid">
        <Grid
          {...pages.grid}
          label={texts.grid}
          describedBy={hintId}
          columns={columns}
          sort={sort === 'position' ? undefined : sort}
          onSort={(next) => change({ sort: next })}
          {...(rights === 'all' && { selection, onSelectionChange: setSelection })}
          onOpen={({ id }) => onOpen(id)}
          phoneRow={phoneRow}
          place={place}
          columnsKey={projectId === undefined ? COLUMNS_KEY : PROJECT_COLUMNS_KEY}
        />
      </div>
      <News pages={pages} />
      {(isSelecting || (!isPhone && rights !== 'none')) && (
        <ListFoot>
          {isSelecting ? (
            <BulkBar
              selection={selection}
              onSelection={setSelection}
              filter={filter}
              rows={pages.grid.rows}
              total={total}
              onStored={pages.reload}
            />
          ) : (
            <p id={hintId}>{rights === 'all' ? texts.editHint : texts.holdHint}</p>
          )}
        </ListFoot>
      )}
    </div>
  );
}

function News({ pages: { news, showNews } }: { pages: GridPages<Unit> }) {
  const text = news.added > 0 ? texts.newUnits(news.added) : news.hasMoved ? texts.moved : '';
  return <ListNews text={text} onShow={showNews} />;
}
