import type { CellPosition } from './types.ts';

interface Extent {
  rows: number;
  columns: number;
  /** How many rows Page Up and Page Down move. */
  page: number;
  /** The first row: -1 when there is a head. */
  top: number;
}
interface Pressed {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
}

/** Finds the cell to which a key moves; undefined for a key that does not move. */
export function findTarget(
  { key, ctrlKey, metaKey, altKey }: Pressed,
  from: CellPosition,
  { rows, columns, page, top }: Extent,
): CellPosition | undefined {
  // The browser uses Alt and the command key with arrows for Back and Forward.
  if (altKey || metaKey) return undefined;
  const target = moveFrom(key, ctrlKey, from, { rows, columns, page, top });
  if (!target) return undefined;
  return {
    row: Math.min(Math.max(target.row, top), rows - 1),
    column: Math.min(Math.max(target.column, 0), columns - 1),
  };
}

function moveFrom(
  key: string,
  isFar: boolean,
  { row, column }: CellPosition,
  { rows, columns, page, top }: Extent,
): CellPosition | undefined {
  switch (key) {
    case 'ArrowDown':
      return { row: isFar ? rows - 1 : row + 1, column };
    case 'ArrowUp':
      return { row: isFar ? top : row - 1, column };
    case 'ArrowRight':
      return { row, column: isFar ? columns - 1 : column + 1 };
    case 'ArrowLeft':
      return { row, column: isFar ? 0 : column - 1 };
    case 'Home':
      return isFar ? { row: 0, column: 0 } : { row, column: 0 };
    case 'End':
      return isFar ? { row: rows - 1, column: columns - 1 } : { row, column: columns - 1 };
    case 'PageDown':
      return { row: row + page, column };
    case 'PageUp':
      return { row: Math.max(row - page, 0), column };
    default:
      return undefined;
  }
}
