import { memo, useState, type PointerEvent } from 'react';
import { texts } from './texts.ts';
import type { Column } from './types.ts';

interface HeadProps<Row> {
  columns: readonly Column<Row>[];
  sort: string | undefined;
  canSort: boolean;
  /** How many rows are selected; undefined when the grid has no selection. */
  selected: 'all' | 'some' | 'none' | undefined;
  activeCell: number;
  /** Called with each width while a person drags an edge. The last call has `isDone`. */
  onResize: ((id: string, width: number, isDone: boolean) => void) | undefined;
}

function Head<Row>(props: HeadProps<Row>) {
  const { columns, sort, canSort, selected, activeCell, onResize } = props;
  const hasCheck = selected !== undefined;
  return (
    <div role="rowgroup" className="grid-head">
      <div role="row" aria-rowindex={1} className="grid-head-row" data-row={-1}>
        {hasCheck && (
          <div
            role="columnheader"
            className="grid-cell grid-check"
            data-cell={0}
            tabIndex={activeCell === 0 ? 0 : -1}
          >
            <input
              type="checkbox"
              tabIndex={-1}
              aria-label={texts.selectAll}
              checked={selected === 'all'}
              readOnly
              ref={(box) => {
                if (box) box.indeterminate = selected === 'some';
              }}
            />
          </div>
        )}
        {columns.map((column, position) => {
          const cell = position + (hasCheck ? 1 : 0);
          return (
            <div
              key={column.id}
              role="columnheader"
              className={headClass(column, canSort)}
              data-cell={cell}
              tabIndex={activeCell === cell ? 0 : -1}
              {...sortOf(column, sort, canSort)}
            >
              <span className="grid-title">{column.title}</span>
              {onResize && <ResizeHandle column={column} onResize={onResize} />}
            </div>
          );
        })}
      </div>
    </div>
  );
}

/** The head. It renders again only when its own props change. */
export const GridHead = memo(Head) as typeof Head;

function headClass<Row>({ isName, align, sort }: Column<Row>, canSort: boolean): string {
  const parts = ['grid-cell'];
  if (isName) parts.push('grid-name');
  if (align === 'end') parts.push('grid-end');
  if (canSort && sort !== undefined) parts.push('grid-sortable');
  return parts.join(' ');
}

function sortOf<Row>(column: Column<Row>, sort: string | undefined, canSort: boolean) {
  if (!canSort || column.sort === undefined) return {};
  if (sort === column.sort) return { 'aria-sort': 'ascending' as const };
  if (sort === `-${column.sort}`) return { 'aria-sort': 'descending' as const };
  return { 'aria-sort': 'none' as const };
}

interface HandleProps<Row> {
  column: Column<Row>;
  onResize: (id: string, width: number, isDone: boolean) => void;
}

/** The edge that a person drags to resize a column. By keyboard, the column chooser sets the width. */
function ResizeHandle<Row>({ column, onResize }: HandleProps<Row>) {
  const [start, setStart] = useState<{ x: number; width: number }>();
  const report = (event: PointerEvent, isDone: boolean) => {
    if (start) onResize(column.id, start.width + event.clientX - start.x, isDone);
  };
  return (
    <span
      className="grid-resize"
      aria-hidden
      onPointerDown={(event) => {
        event.preventDefault();
        event.currentTarget.setPointerCapture(event.pointerId);
        setStart({ x: event.clientX, width: column.width });
      }}
      onPointerMove={(event) => report(event, false)}
      onPointerUp={(event) => {
        report(event, true);
        setStart(undefined);
      }}
    />
  );
}
