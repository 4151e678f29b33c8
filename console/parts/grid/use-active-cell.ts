import { useCallback, useLayoutEffect, useRef, useState, type RefObject } from 'react';
import type { CellPosition } from './types.ts';

export interface ActiveCell {
  active: CellPosition;
  /** Makes a cell the one with `tabIndex=0`. */
  setActive: (cell: CellPosition) => void;
  /** Does the same, and focuses the cell after the next render. */
  focusCell: (cell: CellPosition) => void;
  hasFocusRef: RefObject<boolean>;
}

/**
 * Holds the position of the one cell with `tabIndex=0`. A key first changes the position; after the row is rendered, a layout
 * effect moves the focus. When the focused row disappears, the effect focuses another cell, so that the focus is never lost.
 */
export function useActiveCell(
  gridRef: RefObject<HTMLElement | null>,
  start: CellPosition,
  { rows, columns, top }: { rows: number; columns: number; top: number },
): ActiveCell {
  const [wanted, setActive] = useState(start);
  const shouldFocusRef = useRef(false);
  const hasFocusRef = useRef(false);
  const active = {
    row: Math.max(Math.min(wanted.row, rows - 1), top),
    column: Math.min(wanted.column, Math.max(columns - 1, 0)),
  };
  useLayoutEffect(() => {
    const isLost = hasFocusRef.current && document.activeElement === document.body;
    if (!shouldFocusRef.current && !isLost) return;
    const cell = findCell(gridRef.current, active);
    if (!cell) return;
    shouldFocusRef.current = false;
    cell.focus({ preventScroll: true });
  });
  const focusCell = useCallback((cell: CellPosition) => {
    shouldFocusRef.current = true;
    setActive({ ...cell });
  }, []);
  return { active, setActive, focusCell, hasFocusRef };
}

function findCell(grid: HTMLElement | null, { row, column }: CellPosition): HTMLElement | null {
  const selector = `[data-row="${row}"] > [data-cell="${column}"]`;
  return grid?.querySelector<HTMLElement>(selector) ?? null;
}

/** Finds the cell in which an event happened. */
export function cellOf(target: EventTarget): CellPosition | undefined {
  const cell = (target as Element).closest<HTMLElement>('[data-cell]');
  const row = cell?.closest<HTMLElement>('[data-row]');
  return cell && row
    ? { row: Number(row.dataset['row']), column: Number(cell.dataset['cell']) }
    : undefined;
}
