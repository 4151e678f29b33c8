import { useLayoutEffect, useRef } from 'react';

/**
 * A ref that keeps the focus on the page: when its element goes and has the focus, the grid gets the focus, or the heading of
 * the page when there is no grid.
 */
export const keepFocus = (element: HTMLElement | null) => (): void => {
  if (element?.contains(document.activeElement) === true) queueMicrotask(focusGrid);
};

/**
 * Moves the focus to the grid, or to the heading of the page when there is no grid, when a dialog or a row of buttons has
 * disappeared and no element has the focus. `isThere` says whether it is on the page.
 */
export function useFocusAfter(isThere: boolean): void {
  const wasThere = useRef(false);
  useLayoutEffect(() => {
    if (wasThere.current && !isThere && document.activeElement === document.body) focusGrid();
    wasThere.current = isThere;
  }, [isThere]);
}

/** Moves the focus to the grid, or to the heading of the page when there is no grid. */
export function focusGrid(): void {
  const target =
    document.querySelector<HTMLElement>('#page [role=grid] [tabindex="0"]') ??
    document.querySelector<HTMLElement>('#page h1');
  target?.focus({ preventScroll: true });
}

/** Scrolls the focused row back into view: what appears below the grid shortens it. */
export function keepRowInView(): void {
  document.activeElement?.closest('[role=row]')?.scrollIntoView({ block: 'nearest' });
}
