import { memo } from 'react';
import { texts } from './texts.ts';
import type { Column } from './types.ts';

interface RowProps<Row> {
  row: Row | undefined;
  index: number;
  /** The distance from the top of the body, in pixels. */
  top: number;
  columns: readonly Column<Row>[];
  /** Whether the row is selected; undefined when the grid has no selection. */
  isSelected: boolean | undefined;
  /** The number of the cell with `tabIndex=0`, or -1. */
  activeCell: number;
  /** The id of the column whose editor is open in this row. */
  editing: string | undefined;
  close: (move?: 'down') => void;
  /** The prefix of the ids of the name cells. */
  idPrefix: string;
  /** The prefix of the addresses of the rows. */
  base: string;
}

function Row<Row>(props: RowProps<Row>) {
  const { row, index, top, columns, isSelected, activeCell, editing, close, idPrefix } = props;
  const hasCheck = isSelected !== undefined;
  const nameId = `${idPrefix}-${index}`;
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      className={row === undefined ? 'grid-row grid-row-unknown' : 'grid-row'}
      data-row={index}
      style={{ transform: `translateY(${top}px)` }}
    >
      {hasCheck && (
        <div
          role="gridcell"
          className="grid-cell grid-check"
          data-cell={0}
          tabIndex={activeCell === 0 ? 0 : -1}
        >
          <input
            type="checkbox"
            tabIndex={-1}
            checked={isSelected}
            readOnly
            disabled={row === undefined}
            {...(row === undefined
              ? { 'aria-label': texts.selectRow }
              : { 'aria-labelledby': nameId })}
          />
        </div>
      )}
      {columns.map((column, position) => {
        const cell = position + (hasCheck ? 1 : 0);
        const isEditing = editing === column.id && row !== undefined;
        return (
          <div
            key={column.id}
            role={column.isName ? 'rowheader' : 'gridcell'}
            className={cellClass(column, row, isEditing)}
            data-cell={cell}
            tabIndex={activeCell === cell ? 0 : -1}
            {...(column.isName && { id: nameId })}
          >
            {row !== undefined && !isEditing && showCell(column, row, props.base)}
            {isEditing && column.editor?.(row, close)}
          </div>
        );
      })}
    </div>
  );
}

function showCell<Row>({ cell, address }: Column<Row>, row: Row, base: string) {
  const path = address?.(row);
  if (path === undefined) return cell(row);
  return (
    <a className="grid-link" href={base + path} tabIndex={-1}>
      {cell(row)}
    </a>
  );
}

function cellClass<Row>(column: Column<Row>, row: Row | undefined, isEditing: boolean): string {
  const { isName, align, editor, canEdit } = column;
  const parts = ['grid-cell'];
  if (isName) parts.push('grid-name');
  if (align === 'end') parts.push('grid-end');
  if (isEditing) parts.push('grid-editor');
  else if (editor && row !== undefined && canEdit?.(row) !== false) parts.push('grid-editable');
  return parts.join(' ');
}

/** One row. It renders again only when its own props change. */
export const GridRow = memo(Row) as typeof Row;
