import './grid.css';
import {
  useCallback,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
  type CSSProperties,
  type RefObject,
} from 'react';
import { useRouter } from 'wouter';
import { applyLayout, setWidth, useColumnLayout } from './columns.ts';
import { GridHead } from './head.tsx';
import { useGridInput, type Editing } from './input.ts';
import { GridRow } from './row.tsx';
import { isSelected } from './selection.ts';
import { CHECK_WIDTH, MOST_ROWS, useHeights, useIsPhone } from './sizes.ts';
import { texts } from './texts.ts';
import type { Column, GridProps } from './types.ts';
import { useActiveCell } from './use-active-cell.ts';
import { useWindow } from './use-window.ts';
import { usePlace, useStartPlace, type LeftCell } from './use-place.ts';
import { useRowScroll } from './use-row-scroll.ts';

/** A list of rows for the mouse, touch, the keyboard and screen readers. It fills its parent, which must have a height. */
export function Grid<Row>(props: GridProps<Row>) {
  // Each list gets a new grid, because it has a scroll position of its own. `leftRef` hands the focus over to it.
  const leftRef = useRef<LeftCell>(undefined);
  return <PlacedGrid key={props.place} {...props} leftRef={leftRef} />;
}

function PlacedGrid<Row>(props: GridProps<Row> & { leftRef: RefObject<LeftCell | undefined> }) {
  const { label, rows, rowId, hasMore, isLoading, selection, sort, onSort } = props;
  const { totalCount, isTotalExact = true, place, onRetry, leftRef } = props;
  const { idAt: findId, generation = 0 } = props;
  const scrollerRef = useRef<HTMLDivElement>(null);
  const idPrefix = useId();
  const { base } = useRouter();
  const isPhone = useIsPhone();
  const { height, headHeight } = useHeights(isPhone, props.density ?? 'normal');
  const { columns, resize, width, template } = useShownColumns(props, isPhone);

  const isFirstLoad = isLoading && rows.length === 0;
  const count = countRows(props, hasMore || isFirstLoad);
  const cells = columns.length + (selection ? 1 : 0);

  const start = useStartPlace(place);
  const cell = useActiveCell(scrollerRef, start, {
    rows: count,
    columns: cells,
    top: isPhone ? 0 : -1,
  });
  const { active } = cell;
  const [editing, setEditing] = useState<Editing>();

  const idAt = useCallback(
    (index: number) => {
      const row = rows[index];
      return row === undefined ? findId?.(index) : rowId(row);
    },
    [rows, rowId, findId],
  );
  const scroll = useRowScroll(scrollerRef, height);
  const viewport = { scrollerRef, scroll, height, headHeight, count };
  usePlace({ place, start, leftRef, viewport, ...cell, idAt, rows, generation });
  const { first, last, indexes } = useWindow(viewport, { active: active.row, start: start.top });
  useRange(props, { first, last, active: active.row });

  const input = useGridInput({ props, columns, viewport, cell, editing, setEditing });

  const isCountExact = isTotalExact && (totalCount !== undefined || !hasMore);
  const bodyRows = Math.min(Math.max(count - scroll.bodyStart, 0), MOST_ROWS);
  const style = { '--grid-columns': template, '--grid-width': `${width}px` } as CSSProperties;
  return (
    <div
      ref={scrollerRef}
      role="grid"
      aria-label={label}
      aria-describedby={props.describedBy}
      aria-rowcount={isCountExact ? (totalCount ?? rows.length) + 1 : -1}
      aria-multiselectable={selection ? true : undefined}
      aria-busy={isFirstLoad}
      className={gridClass(isPhone, props.density)}
      style={style}
      {...input.handlers}
    >
      {!isPhone && (
        <GridHead
          columns={columns}
          sort={sort}
          canSort={onSort !== undefined}
          selected={selection && selectedState(selection, totalCount ?? rows.length)}
          activeCell={active.row === -1 ? active.column : -1}
          onResize={resize}
        />
      )}
      <div role="rowgroup" className="grid-body" style={{ height: bodyRows * height }}>
        {/* Until the first page is there, the body has no rows, only bars that the style sheet draws. */}
        {(isFirstLoad ? [] : indexes).map((index) => {
          const row = rows[index];
          const id = idAt(index);
          return (
            <GridRow
              key={row === undefined ? `#${index}` : id}
              row={row}
              index={index}
              top={placeRow(index - scroll.bodyStart, bodyRows) * height}
              columns={columns}
              isSelected={
                selection && (id === undefined ? selection.all : isSelected(selection, id))
              }
              activeCell={active.row === index ? active.column : -1}
              editing={editing && editing.id === id ? editing.column : undefined}
              close={input.close}
              idPrefix={idPrefix}
              base={base}
            />
          );
        })}
      </div>
      {onRetry && (
        <div className="grid-failed" role="alert">
          {texts.loadFailed}{' '}
          <button type="button" onClick={onRetry}>
            {texts.retry}
          </button>
        </div>
      )}
    </div>
  );
}

/** Limits the position of a row to just outside the body: the focused row is always rendered, and must not extend the scroll area. */
const placeRow = (row: number, bodyRows: number): number =>
  Math.min(Math.max(row, -1), bodyRows - 1);

/** Counts the rows that the scroll bar covers: the known ones and one page more, but at most the exact total. */
function countRows<Row>(
  { rows, totalCount, isTotalExact = true, pageSize }: GridProps<Row>,
  hasMore: boolean,
): number {
  const wanted = rows.length + (hasMore ? pageSize : 0);
  const known = isTotalExact && totalCount !== undefined ? totalCount : Infinity;
  return Math.min(wanted, Math.max(known, rows.length));
}

function gridClass(isPhone: boolean, density: 'normal' | 'compact' | undefined): string {
  if (isPhone) return 'grid grid-phone';
  return density === 'compact' ? 'grid grid-compact' : 'grid';
}

function selectedState({ all, ids }: { all: boolean; ids: ReadonlySet<string> }, total: number) {
  if (ids.size === 0 || ids.size >= total) return all === (ids.size === 0) ? 'all' : 'none';
  return 'some';
}

/** Computes the columns with their widths, also while a person drags an edge. A phone has one column. */
function useShownColumns<Row>(props: GridProps<Row>, isPhone: boolean) {
  const { columns, columnsKey, usualColumns, phoneRow, selection } = props;
  const { layout, setLayout } = useColumnLayout(columnsKey, columns, usualColumns);
  const [dragged, setDragged] = useState<{ id: string; width: number }>();
  const shown = useMemo<(Column<Row> & { width: number })[]>(() => {
    const { address = () => undefined } = columns.find(({ isName }) => isName) ?? {};
    if (isPhone)
      return [{ id: 'phone', title: '', width: 0, isName: true, address, cell: phoneRow }];
    return applyLayout(columns, dragged ? setWidth(layout, dragged.id, dragged.width) : layout);
  }, [columns, layout, dragged, isPhone, phoneRow]);
  const resize = useCallback(
    (id: string, width: number, isDone: boolean) => {
      setDragged(isDone ? undefined : { id, width });
      if (isDone) setLayout(setWidth(layout, id, width));
    },
    [layout, setLayout],
  );
  const check = selection ? [CHECK_WIDTH] : [];
  const widths = [...check, ...shown.map(({ width }) => width)];
  const fixed = widths.slice(0, -1).map((width) => `${width}px`);
  const last = isPhone ? 'minmax(0, 1fr)' : `minmax(${widths.at(-1) ?? 0}px, 1fr)`;
  return {
    columns: shown,
    resize: columnsKey === undefined ? undefined : resize,
    width: widths.reduce((sum, width) => sum + width, 0),
    template: [...fixed, last].join(' '),
  };
}

/** Reports the rows on the screen, and loads the next page when the person is two pages before the end. */
function useRange<Row>(
  { rows, hasMore, isLoading, loadMore, onRange, onRetry, pageSize }: GridProps<Row>,
  { first, last, active }: { first: number; last: number; active: number },
): void {
  const loaded = rows.length;
  useEffect(() => onRange?.(first, last, active), [onRange, first, last, active]);
  useEffect(() => {
    const isNearEnd = Math.max(last, active) >= loaded - 2 * pageSize;
    if (hasMore && !isLoading && !onRetry && isNearEnd) loadMore();
  }, [hasMore, isLoading, onRetry, last, active, loaded, pageSize, loadMore]);
}
