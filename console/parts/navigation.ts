let isBack = false;

// The browser says `popstate` for Back and Forward, and wouter says `pushState` for a link.
addEventListener('popstate', () => (isBack = true));
addEventListener('pushState', () => (isBack = false));

/** Whether the page is shown because of Back or Forward: it then restores its place and leaves the focus alone. */
export const isReturning = (): boolean => isBack;
