/**
 * A ref that keeps the focus on the page: when its element goes and has the focus, the grid gets the focus, or the heading of
 * the page when there is no grid.
 */
export const keepFocus = (element: HTMLElement | null) => (): void => {
  if (element?.contains(document.activeElement) === true) queueMicrotask(focusGrid);
};

function focusGrid(): void {
  const target =
    document.querySelector<HTMLElement>('#page [role=grid] [tabindex="0"]') ??
    document.querySelector<HTMLElement>('#page h1');
  target?.focus({ preventScroll: true });
}

/** Scrolls the focused row back into view: what appears below the grid shortens it. */
export function keepRowInView(): void {
  document.activeElement?.closest('[role=row]')?.scrollIntoView({ block: 'nearest' });
}
