import { useCallback, useLayoutEffect, useRef, useState, type RefObject } from 'react';
import type { CellPosition } from './types.ts';

export interface ActiveCell {
  active: CellPosition;
  /** Makes a cell the one with `tabIndex=0`. */
  setActive: (cell: CellPosition) => void;
  /** Does the same, and gives it the focus once it is rendered. */
  focusCell: (cell: CellPosition) => void;
  hasFocusRef: RefObject<boolean>;
}

/**
 * Holds the one cell with `tabIndex=0`. A key changes it first; the row is rendered, and the layout effect of that render
 * moves the focus. The focus never falls to the body, not even when the row of the focused cell goes.
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

/** The cell in which an event happened. */
export function cellOf(target: EventTarget): CellPosition | undefined {
  const cell = (target as Element).closest<HTMLElement>('[data-cell]');
  const row = cell?.closest<HTMLElement>('[data-row]');
  return cell && row
    ? { row: Number(row.dataset['row']), column: Number(cell.dataset['cell']) }
    : undefined;
}
