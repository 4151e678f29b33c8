import { CHECK_WIDTH } from './sizes.ts';
import type { CellPosition } from './types.ts';
import type { Viewport } from './use-row-scroll.ts';

interface ShownColumns {
  widths: readonly number[];
  hasCheck: boolean;
}

/** Scrolls until a cell is on the screen, and neither the head nor a sticky column covers it. */
export function revealCell(
  { scrollerRef: { current: grid }, scroll, height, headHeight }: Viewport,
  { row, column }: CellPosition,
  { widths, hasCheck }: ShownColumns,
): void {
  if (!grid) return;
  if (row >= 0) {
    const top = scroll.readTop();
    const shown = (grid.clientHeight - headHeight) / height;
    if (row < top) scroll.writeTop(row);
    else if (row + 1 > top + shown) scroll.writeTop(row + 1 - shown);
  }
  const index = column - (hasCheck ? 1 : 0);
  // The sticky columns (the check box and the name) are always on the screen.
  if (index < 1) return;
  const check = hasCheck ? CHECK_WIDTH : 0;
  const left = check + widths.slice(0, index).reduce((sum, width) => sum + width, 0);
  const right = left + (widths[index] ?? 0);
  const sticky = check + (widths[0] ?? 0);
  if (left < grid.scrollLeft + sticky) grid.scrollLeft = left - sticky;
  else if (right > grid.scrollLeft + grid.clientWidth) grid.scrollLeft = right - grid.clientWidth;
}
