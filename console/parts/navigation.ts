let isBack = false;

/**
 * Listens for Back and Forward, which the browser calls `popstate`, and for links, which wouter calls `pushState`. Call it before
 * the router is rendered: at the window, Chromium calls listeners in the order in which they were added, and the next page asks
 * while the router's listener renders it.
 */
export function watchNavigation(): void {
  addEventListener('popstate', () => (isBack = true));
  addEventListener('pushState', () => (isBack = false));
}

/** Whether the page is shown because of Back or Forward: a list then restores its focused row. */
export const isReturning = (): boolean => isBack;
