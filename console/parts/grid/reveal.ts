import { CHECK_WIDTH } from './sizes.ts';
import type { CellPosition } from './types.ts';
import type { RowScroll } from './use-row-scroll.ts';

interface Geometry {
  widths: readonly number[];
  hasCheck: boolean;
  height: number;
  headHeight: number;
  scroll: RowScroll;
}

/** Scrolls until a cell is on the screen, and under neither the head nor the columns that stick. */
export function revealCell(grid: HTMLElement, { row, column }: CellPosition, geometry: Geometry) {
  const { widths, hasCheck, height, headHeight, scroll } = geometry;
  if (row >= 0) {
    const top = scroll.readTop();
    const shown = (grid.clientHeight - headHeight) / height;
    if (row < top) scroll.writeTop(row);
    else if (row + 1 > top + shown) scroll.writeTop(row + 1 - shown);
  }
  const index = column - (hasCheck ? 1 : 0);
  // The name column and the check box are always on the screen.
  if (index < 1) return;
  const check = hasCheck ? CHECK_WIDTH : 0;
  const left = check + widths.slice(0, index).reduce((sum, width) => sum + width, 0);
  const right = left + (widths[index] ?? 0);
  const sticky = check + (widths[0] ?? 0);
  if (left < grid.scrollLeft + sticky) grid.scrollLeft = left - sticky;
  else if (right > grid.scrollLeft + grid.clientWidth) grid.scrollLeft = right - grid.clientWidth;
}
