let isBack = false;

/**
 * Notes whether the last navigation was Back or Forward (the event `popstate`) or a link (wouter's event `pushState`). Call it
 * before the router is rendered: listeners run in the order in which they were added, and the router's listener already renders
 * the next page, which calls `isReturning`.
 */
export function watchNavigation(): void {
  addEventListener('popstate', () => (isBack = true));
  addEventListener('pushState', () => (isBack = false));
}

/** Returns whether Back or Forward opened the page. A list then focuses the row that had the focus. */
export const isReturning = (): boolean => isBack;
